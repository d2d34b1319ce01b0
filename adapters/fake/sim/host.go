package sim

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"testing"
)

// Host is a simulator's server on loopback, and the owner of what runs for it.
type Host struct {
	listen  net.Listener
	http    http.Server
	ending  context.Context // of everything that runs until Close
	stop    context.CancelFunc
	running sync.WaitGroup
}

// Listen takes an address of the machine's own. what names the simulator in
// errors.
func Listen(what string) (*Host, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start simulated %s: %w", what, err)
	}
	h := &Host{listen: l}
	h.ending, h.stop = context.WithCancel(context.Background())
	return h, nil
}

// Serve answers requests from now on.
func (h *Host) Serve(handler http.Handler) {
	h.http.Handler = handler
	h.http.BaseContext = func(net.Listener) context.Context { return h.ending }
	h.running.Go(func() { _ = h.http.Serve(h.listen) }) // ends with ErrServerClosed
}

// Address is host and port.
func (h *Host) Address() string { return h.listen.Addr().String() }

// Ending ends when the host is closed.
func (h *Host) Ending() context.Context { return h.ending }

// Go runs f, which Close waits for.
func (h *Host) Go(f func()) { h.running.Go(f) }

// Enter has Close wait until leave is called, also for a connection that was
// taken over from the server.
func (h *Host) Enter() (leave func()) {
	h.running.Add(1)
	return h.running.Done
}

// Unplug makes the server refuse connections from now on.
func (h *Host) Unplug() {
	_ = h.listen.Close() // the server may not have taken it up yet
	_ = h.http.Close()
}

// Close ends all connections, those that only hangUp knows too, and waits for
// everything that runs.
func (h *Host) Close(hangUp func()) {
	h.stop()
	_ = h.http.Close()
	hangUp()
	h.running.Wait()
}

// Attend closes a simulator when the test ends, and fails the test if there was
// a breach, or if the simulator could not be started.
func Attend[S interface {
	Close()
	Breaches() []string
}](t testing.TB, s S, err error) S {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close()
		for _, b := range s.Breaches() {
			t.Errorf("breach: %s", b)
		}
	})
	return s
}
