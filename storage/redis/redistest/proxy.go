package redistest

import (
	"context"
	"errors"
	"io"
	"net"
	"slices"
	"sync"
	"testing"
	"time"
)

// Mode is how a Proxy treats connections.
type Mode int32

// The modes of a Proxy.
const (
	Pass         Mode = iota // everything passes
	LoseReplies              // requests pass; the connection breaks instead of a reply
	Refuse                   // new connections break at once, old ones with the next request
	TearReplies              // requests pass; of what comes back half does, then the connection breaks
	DelayReplies             // what comes back does so after a while
	HoldReplies              // what comes back does so once the mode is another
)

// delay is for how long DelayReplies does.
const delay = 50 * time.Millisecond

// Proxy stands between a client and a server, and breaks or slows connections.
type Proxy struct {
	listener net.Listener
	server   string
	wg       sync.WaitGroup

	mu      sync.Mutex
	conns   map[net.Conn]bool
	mode    Mode
	struck  int           // how often the mode made a difference
	changed chan struct{} // closed when mode or struck changes
}

// StartProxy runs a proxy in front of a server until the test ends.
func StartProxy(tb testing.TB, s *Server) *Proxy {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	p := &Proxy{listener: l, server: s.Addr(), conns: map[net.Conn]bool{}, changed: make(chan struct{})}
	p.wg.Go(p.accept)
	tb.Cleanup(func() {
		l.Close()
		p.Set(Pass)
		p.Cut()
		p.wg.Wait()
	})
	return p
}

// URL is the address of the server behind the proxy, for redis.Open.
func (p *Proxy) URL() string { return "redis://" + p.listener.Addr().String() }

// Set changes the mode from the next request or reply on.
func (p *Proxy) Set(m Mode) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mode, p.struck = m, 0
	p.tell()
}

// tell is called with mu held.
func (p *Proxy) tell() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// Await returns once the mode has made a difference so many times since it was set.
func (p *Proxy) Await(ctx context.Context, times int) error {
	for {
		p.mu.Lock()
		struck, changed := p.struck, p.changed
		p.mu.Unlock()
		if struck >= times {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// strike returns the mode if it is among those, and Pass if not.
func (p *Proxy) strike(modes ...Mode) Mode {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Contains(modes, p.mode) {
		return Pass
	}
	p.struck++
	p.tell()
	return p.mode
}

// Cut breaks all connections that are open.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		c.Close()
	}
	clear(p.conns)
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			continue
		}
		server, err := net.Dial("tcp", p.server)
		if err != nil || p.strike(Refuse) == Refuse {
			client.Close()
			if err == nil {
				server.Close()
			}
			continue
		}
		p.mu.Lock()
		p.conns[client], p.conns[server] = true, true
		p.mu.Unlock()
		p.wg.Go(func() { p.copy(server, client, Refuse) })
		p.wg.Go(func() { p.copy(client, server, LoseReplies, TearReplies, DelayReplies, HoldReplies) })
	}
}

// copy passes bytes on, each piece as the mode has it if that is among those,
// until a side closes.
func (p *Proxy) copy(to io.WriteCloser, from io.ReadCloser, modes ...Mode) {
	defer to.Close()
	defer from.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		mode := p.strike(modes...)
		switch mode {
		case Refuse, LoseReplies:
			return
		case TearReplies:
			n /= 2
		case DelayReplies:
			time.Sleep(delay)
		case HoldReplies:
			p.hold()
		}
		if _, err := to.Write(buffer[:n]); err != nil || mode == TearReplies {
			return
		}
	}
}

// hold returns once the mode is another than HoldReplies.
func (p *Proxy) hold() {
	for {
		p.mu.Lock()
		held, changed := p.mode == HoldReplies, p.changed
		p.mu.Unlock()
		if !held {
			return
		}
		<-changed
	}
}
