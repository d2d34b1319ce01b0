package lane

import (
	"context"
	"errors"
	"slices"
	"time"

	"talaria/core/chat"
	"talaria/core/journal"
	"talaria/core/person"
	"talaria/core/sleep"
	"talaria/storage"
)

// ownerOf is whose a session is, empty where several people share it.
func ownerOf(e chat.Event, who person.Principal) person.ID {
	if e.Address.Thread != "" && !e.Direct {
		return ""
	}
	return who.Person
}

// forget removes what the shard keeps of a person: their turns are ended,
// what they have waiting is dropped, and then what is stored is erased.
func (l *Lanes) forget(w *work, t *task) {
	ctx, who := w.shard.Context(), *t.env.Forget
	l.leave(w, t, who)
	e := eraser{
		store: l.cfg.Store, shard: w.shard.N, who: who, begin: w.shard.Batch, more: l.cfg.Erasers,
		alone: func(session string, f func() error) error { return l.alone(w, session, f) },
	}
	if tick := t.env.Event.Tick; tick != nil {
		e.spare = tick.ID
	}
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		err := e.run(ctx)
		if err == nil && e.found {
			// Whoever was at work on what the person had said, off the lane, has
			// put it down by now.
			if !w.shard.Sleep(settleFor) {
				return // the shard's next owner does it again
			}
			err = errors.Join(e.others(ctx), Scrub(ctx, e.store))
		}
		if err == nil {
			break
		}
		if ctx.Err() != nil {
			return // the shard's next owner does it again
		}
		l.cfg.Log.Warn("a person is not forgotten yet", "shard", w.shard.N, "err", err)
		if errors.Is(err, storage.ErrCorrupt) || !sleep.For(ctx, wait) {
			break
		}
	}
	l.done(w, t)
}

// settleFor is longer than work off the lane holds what it has read.
const settleFor = 3 * time.Second

// leave ends a person's running turns in a shard and drops what they have
// waiting there.
func (l *Lanes) leave(w *work, forget *task, who person.Subject) {
	var dropped []*task
	var ended []<-chan struct{}
	l.mu.Lock()
	for _, ln := range l.lanes {
		if ln.work != w {
			continue
		}
		ln.queue = slices.DeleteFunc(ln.queue, func(t *task) bool {
			theirs := t.do == nil && t.sequence < forget.sequence && who.Is(t.env.Who.Person)
			if theirs {
				dropped = append(dropped, t)
			}
			return theirs
		})
		if run := ln.running; run != nil && who.Is(run.author) {
			dropped = append(dropped, run.steer...)
			run.steer = nil
			run.cancel(errStopped)
			ended = append(ended, run.ended)
		}
	}
	l.mu.Unlock()
	for _, over := range ended {
		wait(w.shard.Context(), over)
	}
	_ = l.commit(w, func() *storage.Batch { // done says it again where this failed
		b := w.shard.Batch()
		for _, t := range dropped {
			journal.Delete(b.Done(t.sequence), t.env.Event.Key())
		}
		return b
	})
	l.done(w, dropped...)
}

// alone runs f while no turn of a session runs, and has the session read anew
// afterwards.
func (l *Lanes) alone(w *work, session string, f func() error) error {
	done := make(chan error, 1)
	l.mu.Lock()
	l.inside(w, session, func() {
		err := f()
		l.histories.drop(session)
		done <- err
	})
	l.mu.Unlock()
	select {
	case err := <-done:
		return err
	case <-w.shard.Context().Done():
		return context.Cause(w.shard.Context())
	}
}
