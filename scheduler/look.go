package scheduler

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"talaria/core/chat"
	"talaria/core/text"
	"talaria/scheduler/when"
	"talaria/storage"
)

const (
	lastLook = time.Hour // the longest time between two looks
	// maxLooks bounds how often a run is looked at: a little over the day
	// for which the outbox tries.
	maxLooks = 38
)

// firstLook is how soon after a run it is first looked at: words are said at
// once, work takes its time.
func (j *Job) firstLook() time.Duration {
	if j.Say != "" {
		return 5 * time.Second
	}
	return 20 * time.Second
}

// look sees what became of a run, notes it, and comes back while it is under
// way. What could not be delivered goes to the owner's direct conversation.
func (s *Scheduler) look(ctx context.Context, t claimable, e errand, now time.Time) error {
	return s.again(ctx, e.Job, t, func(j *stored, b *storage.Batch) error {
		next := time.Time{}
		n := slices.IndexFunc(j.History, func(r Run) bool { return r.State == Handed && r.At.Equal(e.At) })
		if n >= 0 {
			run := &j.History[n]
			if err := s.inspect(ctx, &j.Job, run); err != nil {
				return err
			}
			if j.Paused {
				j.Next = time.Time{}
				j.arm(b)
			}
			if run.Looks++; run.State == Handed && run.Looks < maxLooks {
				next = now.Add(min(j.firstLook()<<min(run.Looks, 20), lastLook))
			}
		}
		b.SettleTimer(t.ID, t.Due, next)
		return nil
	})
}

// again changes a job in answer to a timer, as often as somebody else is
// faster. A timer whose job is gone is gone too.
func (s *Scheduler) again(ctx context.Context, id string, t claimable, change func(j *stored, b *storage.Batch) error) error {
	for {
		j, err := s.load(ctx, id)
		if errors.Is(err, ErrNoJob) {
			_, err = s.cfg.Store.Commit(ctx, storage.On(t.at).SettleTimer(t.ID, t.Due, time.Time{}))
			return err
		}
		if err != nil {
			return err
		}
		b := storage.On(t.at).Durable()
		if err := change(&j, b); err != nil {
			return err
		}
		s.put(b, j)
		if _, err = s.cfg.Store.Commit(ctx, b); !errors.Is(err, storage.ErrConflict) {
			return err
		}
	}
}

// inspect brings a run up to date with what its places' shards tell.
func (s *Scheduler) inspect(ctx context.Context, j *Job, run *Run) error {
	state := Done
	for n := range run.Stops {
		d := &run.Stops[n]
		o, err := s.cfg.Outcome(ctx, d.Place, d.Key)
		if err != nil {
			return fmt.Errorf("see what became of job %s: %w", j.ID, err)
		}
		d.State, d.Error, d.Tokens, d.Output = o.State, o.Error, o.Tokens, text.Clip(o.Output, keptOutput)
		switch {
		case !o.settled():
			return nil
		case o.Broken:
			state = Failed
		}
		if o.Moved {
			j.leaveThread(d.Place)
		}
		if o.State == string(storage.Failed) {
			if err := s.undelivered(ctx, j, d, o); err != nil {
				return err
			}
		}
	}
	run.State = state
	return nil
}

// settled reports whether nothing more will become of a turn by itself.
func (o Outcome) settled() bool {
	switch storage.State(o.State) {
	case storage.Queued, storage.Sending:
		return false
	}
	return o.Over
}

// undelivered has what a place did not take said to the owner alone, and
// nothing more sent to a place that is gone.
func (s *Scheduler) undelivered(ctx context.Context, j *Job, d *Delivery, o Outcome) error {
	why := ""
	switch {
	case o.Gone:
		why = "that place is gone"
	case o.Refused:
		why = "I am not allowed to write there"
	}
	ctx = s.toOwner(ctx, j)
	t := s.in(ctx)
	left := j.without(t, d.Place, why)
	who, ok, err := s.home(ctx, j)
	if err != nil || !ok || who.Place.Place() == d.Place.Place() {
		return err
	}
	text := t.Text("I could not post this in %s. Job `%s` said:\n\n%s", d.Place, j.ID, o.Output)
	if why != "" {
		text += "\n\n" + t.Text("%s.", capital(t.Of(why)))
		if !left && j.Schedule.Kind == when.Recurring {
			text += " " + pausedWords(t, j.ID)
		}
	}
	if err := s.cfg.Tell(ctx, "undelivered:"+d.Key, who.Place, chat.Post{Markdown: text}); err != nil {
		return fmt.Errorf("tell the owner of job %s: %w", j.ID, err)
	}
	d.Moved = true
	return nil
}

// leaveThread has later runs go to a place itself, and no more to a thread in it
// that is gone: everybody there was told so with the run that found out.
func (j *Job) leaveThread(at chat.Address) {
	var left []Target
	for _, t := range j.Targets {
		if t.Place == at {
			t.Place = at.Place()
		}
		if !slices.ContainsFunc(left, func(o Target) bool { return o.Place == t.Place && o.Direct == t.Direct }) {
			left = append(left, t)
		}
	}
	j.Targets = left
}

// without notes why nothing is sent to a place any more, where there is a
// reason. It reports whether any other is left; a job that has none is paused.
func (j *Job) without(lang Tongue, at chat.Address, why string) (left bool) {
	for n := range j.Targets {
		t := &j.Targets[n]
		if t.Place == at && why != "" {
			t.Dead, t.Told = why, true
		}
		left = left || t.Dead == ""
	}
	if !left && !j.Next.IsZero() {
		j.Paused, j.Why = true, meant(lang, at, why)
	}
	return left
}

// sorry tells the owner of a job that it was stopped since they have no right
// to it any more, wherever they can be told.
func (s *Scheduler) sorry(ctx context.Context, j *Job) error {
	who, ok, err := s.cfg.People.DirectOf(ctx, j.Owner)
	if err != nil || !ok {
		return err
	}
	text := s.in(ctx).Text("I stopped your job `%s` (%s): you may not have it run any more.", j.ID, text.Clip(j.Text(), 80))
	return s.cfg.Tell(ctx, fmt.Sprintf("refused:%s:%d", j.ID, j.Next.UnixMilli()), who.Place, chat.Post{Markdown: text})
}
