package agent

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// Config is what a Loop is made of. Model is required; the zero value of
// everything else stands for its default.
type Config struct {
	Model   Model // retries and fail-over before the first word are its own business
	Budgets Budgets
	Window  int              // tokens of the model's context; 128,000
	Answer  int              // most tokens of one message; left to the provider
	Log     *slog.Logger     // nothing is logged
	Now     func() time.Time // time.Now
}

// Budgets bound one turn. Zero values stand for the defaults.
type Budgets struct {
	Calls    int           // model calls, attempts and summaries included; 25
	Duration time.Duration // from the beginning to the answer; 10 minutes
	Grace    time.Duration // the part of Duration that is kept for concluding; 30 seconds
	Tokens   int           // input and output together; no limit
	Idle     time.Duration // longest silence of a model before it counts as cut off; 2 minutes
	Tool     time.Duration // time-out of a tool that states none; 1 minute
	Output   int           // most bytes of the result of a tool that states none; 32 KiB
}

// Loop runs turns. It is safe for concurrent use.
type Loop struct {
	cfg   Config
	scale scale
	late  sync.WaitGroup // tools under way, those left behind included
}

// New returns a Loop. It panics if there is no Model, which is a mistake in
// the program.
func New(c Config) *Loop {
	if c.Model == nil {
		panic("agent: a loop needs a model")
	}
	orDefault(&c.Budgets.Calls, 25)
	orDefault(&c.Budgets.Duration, 10*time.Minute)
	orDefault(&c.Budgets.Grace, 30*time.Second)
	orDefault(&c.Budgets.Idle, 2*time.Minute)
	orDefault(&c.Budgets.Tool, time.Minute)
	orDefault(&c.Budgets.Output, 32<<10)
	orDefault(&c.Window, 128_000)
	c.Budgets.Grace = min(c.Budgets.Grace, c.Budgets.Duration/2)
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Loop{cfg: c}
}

func orDefault[T comparable](v *T, fallback T) {
	var zero T
	if *v == zero {
		*v = fallback
	}
}

// Run runs a turn to its answer. It returns an error only when ctx ended or
// h.Record failed; the turn can then be resumed from what was recorded.
func (l *Loop) Run(ctx context.Context, t Turn, h Hooks) (Answer, error) {
	r := l.newRun(t, h)
	err := r.work(ctx)
	if errors.Is(err, errSpent) {
		err = r.conclude(ctx)
	}
	if b, ok := errors.AsType[*broken](err); ok && ctx.Err() == nil {
		l.cfg.Log.Warn("turn broken off", "turn", t.ID, "cause", b.cause, "remedy", b.cause.Remedy(nil)+"; talaria doctor looks at it")
		r.breakOff(b)
		err = nil
	}
	if err != nil {
		return Answer{}, fmt.Errorf("run turn %s: %w", t.ID, err)
	}
	return r.answer(), nil
}

// Wait blocks until no tool is running any more, those included that outlived
// their turn. It is for the end of the program, after the last Run.
func (l *Loop) Wait() { l.late.Wait() }

// errSpent: a budget ran out, or the model goes round in circles.
var errSpent = errors.New("budget spent")

// broken ends a turn without an answer.
type broken struct {
	words string      // for the person
	cause *ModelError // for the log
}

func (b *broken) Error() string { return b.cause.Error() }
