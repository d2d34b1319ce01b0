package redistest

import (
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
)

// Mode is how a Proxy treats connections.
type Mode int32

// The modes of a Proxy.
const (
	Pass        Mode = iota // everything passes
	LoseReplies             // requests pass; the connection breaks instead of a reply
	Refuse                  // new connections break at once, old ones with the next request
)

// Proxy stands between a client and a server and breaks connections.
type Proxy struct {
	listener net.Listener
	server   string
	mode     atomic.Int32
	wg       sync.WaitGroup

	mu    sync.Mutex
	conns map[net.Conn]bool
}

// StartProxy runs a proxy in front of a server until the test ends.
func StartProxy(tb testing.TB, s *Server) *Proxy {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	p := &Proxy{listener: l, server: s.Addr(), conns: map[net.Conn]bool{}}
	p.wg.Go(p.accept)
	tb.Cleanup(func() {
		l.Close()
		p.Cut()
		p.wg.Wait()
	})
	return p
}

// URL is the address of the server behind the proxy, for redis.Open.
func (p *Proxy) URL() string { return "redis://" + p.listener.Addr().String() }

// Set changes the mode from the next request or reply on.
func (p *Proxy) Set(m Mode) { p.mode.Store(int32(m)) }

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
		if err != nil || Mode(p.mode.Load()) == Refuse {
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
		p.wg.Go(func() { p.copy(client, server, LoseReplies) })
	}
}

// copy passes bytes on until a side closes or the mode is stop.
func (p *Proxy) copy(to io.WriteCloser, from io.ReadCloser, stop Mode) {
	defer to.Close()
	defer from.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil || Mode(p.mode.Load()) == stop {
			return
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}
