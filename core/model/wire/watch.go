package wire

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync/atomic"
	"time"

	"talaria/core/agent"
)

// watch ends an exchange whose other side says nothing.
type watch struct {
	timer  *time.Timer
	idle   time.Duration
	silent atomic.Bool
	cancel context.CancelFunc
	ended  func() error // why the caller's context ended; nil while it has not
}

// watch begins to wait for the first byte. The exchange is to use the context
// that it returns.
func (e *Endpoint) watch(caller context.Context) (*watch, context.Context) {
	ctx, cancel := context.WithCancel(caller)
	w := &watch{idle: e.idle, cancel: cancel, ended: func() error {
		if caller.Err() == nil {
			return nil
		}
		return context.Cause(caller)
	}}
	w.timer = time.AfterFunc(e.first, func() {
		w.silent.Store(true)
		cancel()
	})
	return w, ctx
}

// waiting and came bracket each further wait for the other side: a reader who
// takes his time is not its silence.
func (w *watch) waiting() { w.timer.Reset(w.idle) }
func (w *watch) came()    { w.timer.Stop() }

func (w *watch) stop() {
	w.timer.Stop()
	w.cancel()
}

// explain says why an exchange failed after waiting for at most so long.
func (e *Endpoint) explain(w *watch, kind agent.ModelErrorKind, waited time.Duration, err error) error {
	if ended := w.ended(); ended != nil {
		return ended
	}
	if w.silent.Load() {
		return e.Error(kind, fmt.Errorf("no byte for %s", waited))
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err // without the URL, which may hold a secret
	}
	return e.Error(kind, err)
}
