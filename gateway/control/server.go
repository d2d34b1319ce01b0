package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// Handler answers a request. The result is encoded as JSON; the error's text
// is told to the asker. ctx ends when the asker goes away or the server stops.
// Calls may overlap.
type Handler func(ctx context.Context, r Request) (any, error)

// Server listens on a control socket.
type Server struct {
	listener *net.UnixListener
	handle   Handler
	log      *slog.Logger
}

// Listen takes the socket at path, and its directory into being. A socket that
// a process left behind when it died is replaced; with ErrInUse there is
// nothing wrong but that another process has it.
func Listen(ctx context.Context, path string, h Handler, log *slog.Logger) (*Server, error) {
	path, err := place(path)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("control socket: %w", err)
	}
	l, err := listen(path)
	if errors.Is(err, syscall.EADDRINUSE) {
		if err := clear(ctx, path); err != nil {
			return nil, err
		}
		l, err = listen(path)
	}
	if err != nil {
		return nil, fmt.Errorf("control socket: %w", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("control socket: %w", err), l.Close())
	}
	return &Server{listener: l, handle: h, log: log}, nil
}

func listen(path string) (*net.UnixListener, error) {
	return net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
}

// clear removes a socket that nobody listens on any more.
func clear(ctx context.Context, path string) error {
	c, err := Dial(ctx, path)
	if err == nil {
		return errors.Join(ErrInUse, c.Close())
	}
	if !errors.Is(err, ErrNotRunning) {
		return err
	}
	if info, err := os.Lstat(path); err == nil && info.Mode().Type() != os.ModeSocket {
		return fmt.Errorf("control socket: %s is there and is no socket; move it away", path)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("control socket: %w", err)
	}
	return nil
}

// Serve answers until ctx ends, waits for answers under way and returns nil.
func (s *Server) Serve(ctx context.Context) error {
	var wg sync.WaitGroup
	defer wg.Wait()
	stop := context.AfterFunc(ctx, func() { s.listener.Close() })
	defer stop()
	for {
		c, err := s.listener.AcceptUnix()
		switch {
		case err != nil && ctx.Err() != nil:
			return nil
		case err != nil:
			return errors.Join(fmt.Errorf("control socket: %w", err), s.listener.Close())
		}
		wg.Go(func() { s.connection(ctx, c) })
	}
}

// Close gives up the socket of a server that never served.
func (s *Server) Close() error { return s.listener.Close() }

// connection answers one asker's requests, one after the other.
func (s *Server) connection(ctx context.Context, c *net.UnixConn) {
	defer c.Close()
	if err := checkPeer(c); err != nil {
		s.log.Warn("control request refused", "error", err)
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	requests := make(chan Request)
	var wg sync.WaitGroup
	defer wg.Wait()
	// The reader runs ahead so that it sees the asker go away.
	wg.Go(func() {
		defer cancel()
		read(ctx, c, requests)
	})
	defer context.AfterFunc(ctx, func() { c.SetReadDeadline(time.Unix(1, 0)) })()
	for {
		select {
		case r := <-requests:
			if err := s.answer(ctx, c, r); err != nil {
				s.log.Debug("control answer not delivered", "verb", r.Verb, "error", err)
				cancel()
			}
		case <-ctx.Done():
			return
		}
	}
}

// read hands requests over until the asker goes away, sends what is no
// request, or ctx ends.
func read(ctx context.Context, c io.Reader, requests chan<- Request) {
	limited := &io.LimitedReader{R: c, N: maxMessage}
	d := json.NewDecoder(limited)
	for {
		var r Request
		if d.Decode(&r) != nil {
			return
		}
		limited.N = maxMessage
		select {
		case requests <- r:
		case <-ctx.Done():
			return
		}
	}
}

func (s *Server) answer(ctx context.Context, c io.Writer, r Request) error {
	var a answer
	result, err := s.handle(ctx, r)
	if err == nil {
		a.Result, err = json.Marshal(result)
	}
	if err == nil && len(a.Result) > maxMessage {
		err = fmt.Errorf("the answer of %d bytes is too long", len(a.Result))
	}
	if err != nil {
		a = answer{Error: err.Error()}
	}
	return json.NewEncoder(c).Encode(a)
}
