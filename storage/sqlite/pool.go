package sqlite

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"talaria/storage"
)

// errClosed is returned by every call on a closed driver.
var errClosed = fmt.Errorf("%w: the store is closed", storage.ErrUnavailable)

// pool lends connections. It opens one only when all others are lent, so an
// idle store holds few.
type pool struct {
	open  func(context.Context) (*conn, error)
	idle  chan *conn
	slots chan struct{} // one for each connection that exists

	mu     sync.Mutex // held by close alone
	closed chan struct{}
}

func newPool(size int, open func(context.Context) (*conn, error)) *pool {
	return &pool{
		open:   open,
		idle:   make(chan *conn, size),
		slots:  make(chan struct{}, size),
		closed: make(chan struct{}),
	}
}

// take lends a connection, which must be given back.
func (p *pool) take(ctx context.Context) (*conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case <-p.closed:
		return nil, errClosed
	default:
	}
	select {
	case c := <-p.idle:
		return c, nil
	default:
	}
	select {
	case c := <-p.idle:
		return c, nil
	case p.slots <- struct{}{}:
		return p.another(ctx)
	case <-p.closed:
		return nil, errClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *pool) another(ctx context.Context) (*conn, error) {
	c, err := p.open(ctx)
	if err != nil {
		<-p.slots
	}
	return c, err
}

func (p *pool) give(c *conn) { p.idle <- c }

// close waits for the connections that are lent and closes all.
func (p *pool) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.closed:
		return nil
	default:
		close(p.closed)
	}
	var errs []error
	for range cap(p.slots) {
		select {
		case p.slots <- struct{}{}: // one that was never opened
		case c := <-p.idle:
			errs = append(errs, c.close())
		}
	}
	return errors.Join(errs...)
}
