package agent

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"time"
)

// reaction is how long a tool may take to return once its time is over.
const reaction = time.Second

var (
	errPanic = errors.New("the tool crashed")
	errLate  = errors.New("the tool did not end in time")
)

// invoke makes a call within its time. A tool that does not return is left
// behind; what it gives later is lost.
func (l *Loop) invoke(ctx context.Context, j job) (Result, error) {
	ctx, cancel := context.WithTimeout(ctx, j.limit)
	defer cancel()
	type end struct {
		result Result
		err    error
	}
	done := make(chan end, 1)
	l.late.Go(func() {
		res, err := l.guarded(ctx, j)
		done <- end{res, err}
	})
	select {
	case e := <-done:
		return e.result, e.err
	case <-ctx.Done():
	}
	last := time.NewTimer(reaction)
	defer last.Stop()
	select {
	case e := <-done:
		if e.err != nil {
			e.err = fmt.Errorf("%w, %s", errLate, j.limit)
		}
		return e.result, e.err
	case <-last.C:
		l.cfg.Log.Error("tool does not stop", "tool", j.spec.Name, "limit", j.limit)
		return Result{}, fmt.Errorf("%w, %s", errLate, j.limit)
	}
}

// guarded turns a panic into an error. Its value may hold content, so only
// that of the runtime's own panics is logged.
func (l *Loop) guarded(ctx context.Context, j job) (res Result, err error) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		what := fmt.Sprintf("%T", v)
		if e, ok := v.(runtime.Error); ok {
			what = e.Error()
		}
		l.cfg.Log.Error("tool panicked", "tool", j.spec.Name, "panic", what, "stack", string(debug.Stack()))
		res, err = Result{}, errPanic
	}()
	return j.tool.Call(ctx, j.in)
}
