package model

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"talaria/core/agent"
	"talaria/core/sleep"
)

// Policy says how patient a Chain is. Zero fields have the defaults given.
type Policy struct {
	Tries    int           // of one model, the first included; 3
	Backoff  time.Duration // before the second try, then doubled, less up to half of it by chance; 500 ms
	Longest  time.Duration // a wait above it, Retry-After's also, is not waited: the next model is asked; 10 s
	Patience time.Duration // with one model, from the first try on; 30 s
	Rest     time.Duration // for so long a model that was given up is asked last; 30 s
}

// Chain is an agent.Model out of several: the first that answers does. It is
// safe for concurrent use.
type Chain struct {
	log    *slog.Logger
	policy Policy
	links  []*link
}

// link is one model and what is remembered of it.
type link struct {
	model agent.Model

	mu     sync.Mutex
	rested time.Time // asked last before then
	barred time.Time // not to be asked before then, by its own word
}

// NewChain makes a Chain that prefers the models in the order given. It logs
// each failure that it covers up.
func NewChain(log *slog.Logger, p Policy, first agent.Model, rest ...agent.Model) *Chain {
	c := &Chain{log: log, policy: Policy{
		Tries:    cmp.Or(p.Tries, 3),
		Backoff:  cmp.Or(p.Backoff, 500*time.Millisecond),
		Longest:  cmp.Or(p.Longest, 10*time.Second),
		Patience: cmp.Or(p.Patience, 30*time.Second),
		Rest:     cmp.Or(p.Rest, 30*time.Second),
	}}
	for _, m := range append([]agent.Model{first}, rest...) {
		c.links = append(c.links, &link{model: m})
	}
	return c
}

// Name implements agent.Model: the preferred model's name.
func (c *Chain) Name() string { return c.links[0].model.Name() }

// Stream implements agent.Model. An error is the one of the model that was
// asked last.
func (c *Chain) Stream(ctx context.Context, r agent.Request) iter.Seq2[agent.Delta, error] {
	return func(yield func(agent.Delta, error) bool) {
		var failed error
		for i, l := range c.order(time.Now()) {
			if i > 0 {
				c.log.WarnContext(ctx, "model given up, asking the next", "next", l.model.Name(), "err", failed)
			}
			out := outcome{yield: yield}
			failed = c.ask(ctx, l, r, &out)
			if failed == nil || out.begun || ctx.Err() != nil || !passes(failed) {
				break
			}
		}
		if failed != nil {
			yield(agent.Delta{}, failed)
		}
	}
}

// order is the models that are not at rest and then those that are, each as
// they are preferred.
func (c *Chain) order(now time.Time) []*link {
	links := slices.Clone(c.links)
	slices.SortStableFunc(links, func(a, b *link) int {
		return cmp.Compare(a.atRest(now), b.atRest(now))
	})
	return links
}

// ask tries one model as often as it makes sense. It returns nil when the
// answer is whole or nobody wants it any more.
func (c *Chain) ask(ctx context.Context, l *link, r agent.Request, out *outcome) error {
	begin := time.Now()
	for try := 1; ; try++ {
		err := c.wait(ctx, l)
		if err == nil {
			err = out.once(ctx, l.model, r)
		}
		fault, ok := errors.AsType[*agent.ModelError](err)
		if !ok || out.begun || ctx.Err() != nil {
			return err
		}
		l.note(fault, time.Now())
		pause := max(c.backoff(try), fault.RetryAfter)
		if !repeats(fault.Kind) || pause > c.policy.Longest ||
			try >= c.policy.Tries || time.Since(begin)+pause > c.policy.Patience {
			l.rest(time.Now().Add(c.policy.Rest))
			return err
		}
		c.log.InfoContext(ctx, "model failed, trying again", "try", try, "err", err)
		if !sleep.For(ctx, pause) {
			return context.Cause(ctx)
		}
	}
}

// wait lets the time pass for which the model wants to be left alone, or says
// that it is too long.
func (c *Chain) wait(ctx context.Context, l *link) error {
	left := l.barredFor(time.Now())
	if left > c.policy.Longest {
		return &agent.ModelError{
			Kind: agent.ModelRateLimited, Model: l.model.Name(), RetryAfter: left,
			Err: errors.New("not asked: it wants to be left alone for longer"),
		}
	}
	sleep.For(ctx, left)
	return context.Cause(ctx)
}

// backoff is the wait after a try.
func (c *Chain) backoff(try int) time.Duration {
	d := min(c.policy.Backoff<<min(try-1, 16), c.policy.Longest)
	return d - rand.N(d/2+1)
}

// passes: another model may do better.
func passes(err error) bool {
	fault, ok := errors.AsType[*agent.ModelError](err)
	return ok && fault.Kind != agent.ModelInvalid && fault.Kind != agent.ModelTooLong
}

// repeats: the same model may do better in a moment.
func repeats(k agent.ModelErrorKind) bool {
	return k == agent.ModelTransient || k == agent.ModelRateLimited || k == agent.ModelCut
}

// outcome passes an answer on and knows whether it has begun.
type outcome struct {
	yield func(agent.Delta, error) bool
	begun bool
}

// once asks a model one time. The error is not yielded but returned.
func (o *outcome) once(ctx context.Context, m agent.Model, r agent.Request) error {
	for d, err := range m.Stream(ctx, r) {
		if err != nil {
			return err
		}
		o.begun = o.begun || d.Text != "" || d.Call != nil
		if !o.yield(d, nil) {
			return nil
		}
	}
	return nil
}

func (l *link) atRest(now time.Time) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Before(l.rested) {
		return 1
	}
	return 0
}

func (l *link) rest(until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rested = until
}

// note remembers what the model says about when to come back.
func (l *link) note(fault *agent.ModelError, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if until := now.Add(fault.RetryAfter); until.After(l.barred) {
		l.barred = until
	}
}

func (l *link) barredFor(now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return max(0, l.barred.Sub(now))
}
