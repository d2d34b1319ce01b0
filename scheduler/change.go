package scheduler

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"talaria/core/chat"
	"talaria/storage"
)

// The operator's calls; people's come through a Handle.

// All returns every job of the installation, by id.
func (s *Scheduler) All(ctx context.Context) ([]Job, error) {
	var out []Job
	for n := range buckets {
		for d, err := range storage.All[Job](ctx, s.cfg.Store, bucket(n), jobs, "") {
			if err != nil {
				return nil, fmt.Errorf("list jobs: %w", err)
			}
			out = append(out, d.Value)
		}
	}
	slices.SortFunc(out, func(a, b Job) int { return a.Created.Compare(b.Created) })
	return out, nil
}

// Get returns a job, or ErrNoJob.
func (s *Scheduler) Get(ctx context.Context, id string) (Job, error) {
	j, err := s.load(ctx, id)
	return j.Job, err
}

// Pause has a job fire nothing until it is resumed.
func (s *Scheduler) Pause(ctx context.Context, id string) (Job, error) {
	return s.update(ctx, id, func(j *Job, b *storage.Batch, _ time.Time) error {
		if j.Over {
			return ErrIsOver
		}
		j.Paused, j.Why, j.Next = true, "", time.Time{}
		j.arm(b)
		return nil
	})
}

// Resume lets a paused job fire again. What came while it was paused was not
// missed and is not caught up with. Places that were gone are tried again.
func (s *Scheduler) Resume(ctx context.Context, id string) (Job, error) {
	return s.update(ctx, id, func(j *Job, b *storage.Batch, now time.Time) error {
		if j.Over {
			return ErrIsOver
		}
		for n := range j.Targets {
			j.Targets[n].Dead, j.Targets[n].Told = "", false
		}
		if !j.Paused {
			return nil
		}
		j.Paused, j.Why, j.Next = false, "", j.after(now)
		j.Over = j.Next.IsZero()
		j.arm(b)
		return nil
	})
}

// Set changes one thing about a job in words, see Desk.Set, but for where it
// goes, which takes somebody who is there.
func (s *Scheduler) Set(ctx context.Context, id, name, value string) (string, error) {
	j, err := s.Get(ctx, id)
	if err != nil {
		return "", err
	}
	if name == "to" {
		return "", refused("where a job goes is set in chat, where it is to go")
	}
	zone, err := time.LoadLocation(j.Schedule.Zone)
	if err != nil {
		return "", fmt.Errorf("zone of job %s: %w", id, err)
	}
	who := j.Owner
	who.Direct = true // all of their jobs are seen from there
	return Desk{s.For(who), zone}.Set(ctx, id, name, value)
}

// RunNow has a job run once, at once, beside its schedule.
func (s *Scheduler) RunNow(ctx context.Context, id string) (Job, error) {
	return s.update(ctx, id, func(j *Job, b *storage.Batch, now time.Time) error {
		e := errand{Kind: runTimer, Job: id, At: now}
		b.SetTimer(e.timer(), now, e)
		return nil
	})
}

// Delete removes a job and its history.
func (s *Scheduler) Delete(ctx context.Context, id string) (Job, error) {
	gone, err := s.remove(ctx, id)
	if err != nil {
		return Job{}, err
	}
	return gone, s.reindex(ctx, gone.Owner.Person, func(ids []string) ([]string, error) {
		return slices.DeleteFunc(ids, func(have string) bool { return have == id }), nil
	})
}

// remove takes a job out of its bucket, once what is due of it was handed over.
func (s *Scheduler) remove(ctx context.Context, id string) (Job, error) {
	for {
		// An update without a change decides on what is due.
		j, err := s.update(ctx, id, func(j *Job, b *storage.Batch, _ time.Time) error {
			j.Paused, j.Next = true, time.Time{}
			j.arm(b)
			return nil
		})
		if err != nil {
			return Job{}, err
		}
		have, err := s.load(ctx, id)
		if err != nil {
			return j, unless(err, ErrNoJob)
		}
		b := storage.On(bucketOf(id)).Durable().Delete(jobs, id, have.revision)
		if _, err = s.cfg.Store.Commit(ctx, b); !errors.Is(err, storage.ErrConflict) {
			return j, err
		}
	}
}

// unless drops an error that only says that somebody else was first.
func unless(err, known error) error {
	if errors.Is(err, known) {
		return nil
	}
	return err
}

// Away has nothing more sent to a place that the bot is out of; back takes that
// back. A job's next run comes to its owner instead. It may be repeated.
func (s *Scheduler) Away(ctx context.Context, place chat.Address, back bool) error {
	const out = "I am not there any more"
	err := s.retarget(ctx, place, func(t *Target) {
		if back {
			t.Dead, t.Told = "", false
		} else if t.Dead == "" {
			t.Dead = out
		}
	})
	if err != nil {
		return fmt.Errorf("note that nothing can be sent to %s: %w", place, err)
	}
	return nil
}

// Migrated has jobs follow a place to its new address. It may be repeated.
func (s *Scheduler) Migrated(ctx context.Context, m chat.Migration) error {
	err := s.retarget(ctx, m.From, func(t *Target) { t.Place, t.Dead = m.To.Place(), "" })
	if err != nil {
		return fmt.Errorf("carry jobs over to %s: %w", m.To, err)
	}
	return nil
}

// retarget changes the targets of all jobs that are one place. Jobs that are
// deleted meanwhile need no change.
func (s *Scheduler) retarget(ctx context.Context, place chat.Address, change func(*Target)) error {
	all, err := s.All(ctx)
	if err != nil {
		return err
	}
	there := func(t Target) bool { return t.Place.Place() == place.Place() }
	for _, j := range all {
		if !slices.ContainsFunc(j.Targets, there) {
			continue
		}
		_, err := s.update(ctx, j.ID, func(j *Job, _ *storage.Batch, _ time.Time) error {
			for n, t := range j.Targets {
				if there(t) {
					change(&j.Targets[n])
				}
			}
			return nil
		})
		if err != nil && !errors.Is(err, ErrNoJob) {
			return fmt.Errorf("job %s: %w", j.ID, err)
		}
	}
	return nil
}
