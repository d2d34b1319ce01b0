package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	lib "modernc.org/sqlite/lib"

	"talaria/storage"
)

// maxGroup bounds how many requests share a transaction, so that none waits
// long for the others' work.
const maxGroup = 256

// request is one unit of writing: all of it happens or nothing.
type request struct {
	// work does it. Where it returns a refusal, nothing of it is kept. It may
	// run again, from the start, after a group with it was rolled back.
	work func(*tx) error
	// late: work may refuse after it has written something.
	late bool
	// durable: be on disk before the answer.
	durable bool
	// scrub: before the answer, clear the files of what was there.
	scrub bool

	err  error
	done chan struct{}
}

// tx is what a request's work sees.
type tx struct {
	ctx context.Context
	c   *conn
	now int64 // milliseconds
}

func (t *tx) exec(query string, args ...any) (int64, error) { return t.c.exec(t.ctx, query, args...) }

func (t *tx) one(yield func(*row), query string, args ...any) (bool, error) {
	return t.c.one(t.ctx, query, yield, args...)
}

// writer is the one goroutine that writes. What arrives while it commits
// becomes the next group and shares one transaction and one sync.
type writer struct {
	d     *Driver
	conns *pool
	wake  chan struct{}
	done  chan struct{}

	mu      sync.Mutex
	pending []*request
	closed  bool

	// Used by run alone.
	full   bool  // synchronous=FULL is set
	soiled bool  // the file still has to be wiped
	scrub  bool  // and its log to be emptied
	tried  int64 // when that was last tried, in milliseconds
	purged int64 // when expired rows were last removed, in milliseconds
}

func newWriter(d *Driver, conns *pool) *writer {
	w := &writer{d: d, conns: conns, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go w.run()
	return w
}

// submit hands a request over and waits for its answer. If ctx ends first, the
// request is withdrawn, or, if it is being written, of unknown outcome.
func (w *writer) submit(ctx context.Context, r *request) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r.done = make(chan struct{})
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return errClosed
	}
	w.pending = append(w.pending, r)
	w.mu.Unlock()
	w.signal()
	select {
	case <-r.done:
		return r.err
	case <-ctx.Done():
		return w.withdraw(ctx, r)
	}
}

func (w *writer) signal() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

func (w *writer) withdraw(ctx context.Context, r *request) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for n, p := range w.pending {
		if p == r {
			w.pending = append(w.pending[:n:n], w.pending[n+1:]...)
			return ctx.Err()
		}
	}
	select {
	case <-r.done:
		return r.err
	default:
		return fmt.Errorf("write under way, outcome unknown: %w", ctx.Err())
	}
}

// close refuses what is waiting and waits for what is being written.
func (w *writer) close() {
	w.mu.Lock()
	w.closed = true
	waiting := w.pending
	w.pending = nil
	w.mu.Unlock()
	for _, r := range waiting {
		r.answer(errClosed)
	}
	w.signal()
	<-w.done
}

func (r *request) answer(err error) {
	r.err = err
	close(r.done)
}

func (w *writer) run() {
	defer close(w.done)
	for range w.wake {
		for group := w.next(); len(group) > 0; group = w.next() {
			w.serve(group)
		}
		w.mu.Lock()
		closed := w.closed
		w.mu.Unlock()
		if closed {
			return
		}
	}
}

// next takes the requests that wait, in order.
func (w *writer) next() []*request {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := min(len(w.pending), maxGroup)
	group := w.pending[:n:n]
	w.pending = w.pending[n:]
	if len(w.pending) == 0 {
		w.pending = nil
	}
	return group
}

// serve writes a group and answers its requests. If the group as a whole
// fails, each is tried alone, so that one that hits a full disk or a damaged
// page does not take the others with it.
func (w *writer) serve(group []*request) {
	ctx := context.Background()
	c, err := w.conns.take(ctx)
	if err != nil {
		for _, r := range group {
			r.answer(w.d.explain(err))
		}
		return
	}
	defer w.conns.give(c)
	err = w.transact(ctx, c, group)
	if err == nil || len(group) == 1 || unknownOutcome(err) {
		w.answer(ctx, c, group, err)
	} else {
		for n := range group {
			w.answer(ctx, c, group[n:n+1], w.transact(ctx, c, group[n:n+1]))
		}
	}
	w.housekeep(ctx, c)
}

// answer gives each request its refusal or success, or all the group's error.
func (w *writer) answer(ctx context.Context, c *conn, group []*request, err error) {
	if err == nil && slices.ContainsFunc(group, func(r *request) bool { return r.scrub }) {
		w.soiled = true
		w.clean(ctx, c)
	}
	err = w.d.explain(err)
	for _, r := range group {
		r.answer(cmp.Or(err, r.err))
	}
}

// transact runs a group in one transaction. Refusals stand in the requests; an
// error means that nothing was kept, but for unknownOutcome.
func (w *writer) transact(ctx context.Context, c *conn, group []*request) error {
	if err := w.begin(ctx, c, group); err != nil {
		return err
	}
	kept := 0
	for _, r := range group {
		r.err = w.perform(ctx, c, r, len(group) > 1)
		switch {
		case r.err == nil:
			kept++
		case !refusal(r.err):
			rollback(ctx, c)
			return r.err
		}
	}
	if kept == 0 {
		rollback(ctx, c)
		return nil
	}
	_, err := c.exec(ctx, "COMMIT")
	if err != nil {
		rollback(ctx, c)
	}
	return err
}

// begin starts a transaction that is synced if one of the group asks for it.
// PRAGMA synchronous takes effect at once, but only outside a transaction.
func (w *writer) begin(ctx context.Context, c *conn, group []*request) error {
	full := slices.ContainsFunc(group, func(r *request) bool { return r.durable })
	if full != w.full {
		level := "NORMAL"
		if full {
			level = "FULL"
		}
		if err := c.script(ctx, "PRAGMA synchronous = "+level); err != nil {
			return err
		}
		w.full = full
	}
	_, err := c.exec(ctx, "BEGIN IMMEDIATE")
	return err
}

// perform runs one request. Only one that may refuse after it has written, and
// that shares its transaction, pays for a savepoint.
func (w *writer) perform(ctx context.Context, c *conn, r *request, shared bool) error {
	t := &tx{ctx: ctx, c: c, now: w.d.now()}
	if !r.late || !shared {
		return r.work(t)
	}
	if _, err := c.exec(ctx, "SAVEPOINT request"); err != nil {
		return err
	}
	err := r.work(t)
	if err != nil && refusal(err) {
		if _, e := c.exec(ctx, "ROLLBACK TO request"); e != nil {
			return e
		}
	}
	if _, e := c.exec(ctx, "RELEASE request"); e != nil {
		return e
	}
	return err
}

// rollback undoes a transaction. Its error is of no interest: it fails only
// where SQLite has rolled back by itself, as it does when the disk is full.
func rollback(ctx context.Context, c *conn) { _, _ = c.exec(ctx, "ROLLBACK") }

// refusal: the request was turned down by a rule of the contract and nothing
// is wrong with the store.
func refusal(err error) bool {
	return errors.Is(err, storage.ErrConflict) || errors.Is(err, storage.ErrFenced) ||
		errors.Is(err, storage.ErrHeld) || errors.Is(err, storage.ErrInvalid)
}

// unknownOutcome: a sync failed, so what was committed may or may not be on
// disk and must not be written a second time.
func unknownOutcome(err error) bool {
	code := resultCode(err)
	return code == lib.SQLITE_IOERR_FSYNC || code == lib.SQLITE_IOERR_DIR_FSYNC
}
