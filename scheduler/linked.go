package scheduler

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/storage"
)

var (
	_ person.Mover  = (*Scheduler)(nil)
	_ person.Eraser = (*Scheduler)(nil)
)

// Move makes from's jobs to's. They go on firing as the account that made
// them.
func (s *Scheduler) Move(ctx context.Context, link string, from, to person.ID) error {
	take := func(j *Job) bool {
		j.Link = link
		return true
	}
	if err := s.transfer(ctx, from, to, take); err != nil {
		return fmt.Errorf("move jobs: %w", err)
	}
	return nil
}

// Return gives to back the jobs that came by link, and those made since from
// one of the accounts.
func (s *Scheduler) Return(ctx context.Context, link string, from, to person.ID, identities []chat.Identity, _ bool) error {
	take := func(j *Job) bool {
		if j.Link != link && !slices.Contains(identities, j.Owner.Identity) {
			return false
		}
		j.Link = ""
		return true
	}
	if err := s.transfer(ctx, from, to, take); err != nil {
		return fmt.Errorf("return jobs: %w", err)
	}
	return nil
}

// transfer gives to those of from's jobs that take wants. Each is in an index
// at every moment, so whatever is cut off can be repeated.
func (s *Scheduler) transfer(ctx context.Context, from, to person.ID, take func(*Job) bool) error {
	ids, err := s.indexed(ctx, from)
	if err != nil {
		return err
	}
	for _, id := range ids {
		j, err := s.load(ctx, id)
		if errors.Is(err, ErrNoJob) {
			continue
		}
		if err != nil {
			return err
		}
		if !take(&j.Job) {
			continue
		}
		if err := s.give(ctx, id, from, to, take); err != nil {
			return err
		}
	}
	return nil
}

func (s *Scheduler) give(ctx context.Context, id string, from, to person.ID, take func(*Job) bool) error {
	err := s.reindex(ctx, to, func(ids []string) ([]string, error) {
		if slices.Contains(ids, id) {
			return ids, nil
		}
		return append(ids, id), nil
	})
	if err != nil {
		return err
	}
	_, err = s.update(ctx, id, func(j *Job, _ *storage.Batch, _ time.Time) error {
		if take(j) {
			j.Owner.Person = to
		}
		return nil
	})
	if err != nil && !errors.Is(err, ErrNoJob) {
		return err
	}
	return s.reindex(ctx, from, func(ids []string) ([]string, error) {
		return slices.DeleteFunc(ids, func(have string) bool { return have == id }), nil
	})
}

// Erase removes a person's jobs with their histories. What is due of them does
// not fire any more. Others' reminders about what the person had said stay
// without it.
func (s *Scheduler) Erase(ctx context.Context, who person.Subject) error {
	all, err := s.All(ctx) // not by the index, which a restored backup may lack
	if err != nil {
		return fmt.Errorf("erase jobs: %w", err)
	}
	for _, j := range all {
		if !who.Is(j.Owner.Person) && !who.Has(j.Owner.Identity) {
			if err := s.unquote(ctx, j, who); err != nil {
				return fmt.Errorf("erase jobs: %w", err)
			}
			continue
		}
		b := storage.On(bucketOf(j.ID)).Durable().Delete(jobs, j.ID, storage.Any)
		j.Next = time.Time{}
		j.arm(b)
		if _, err := s.cfg.Store.Commit(ctx, b); err != nil {
			return fmt.Errorf("erase jobs: %w", err)
		}
	}
	return nil
}

// unquote takes the words of a person out of a job that is about them.
func (s *Scheduler) unquote(ctx context.Context, j Job, who person.Subject) error {
	for {
		i := j.Owner.Identity
		if i.ID = ""; j.About != nil {
			i.ID = j.About.User
		}
		if i.ID == "" || !who.Has(i) {
			return nil
		}
		now, err := s.load(ctx, j.ID)
		if err != nil {
			return unless(err, ErrNoJob)
		}
		now.About = nil
		b := storage.On(bucketOf(j.ID)).Durable()
		s.put(b, now)
		if _, err := s.cfg.Store.Commit(ctx, b); !errors.Is(err, storage.ErrConflict) {
			return err
		}
	}
}
