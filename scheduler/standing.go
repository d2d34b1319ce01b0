package scheduler

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"talaria/core/person"
)

// Standing is a job of the configuration.
type Standing struct {
	Name  string // stable: it is the job's identity
	Owner person.Principal
	Order Order // Key is not used
}

// standingKey begins the keys of such jobs. What is in the key is what the job
// is: a changed one is another job.
const standingKey = "config:"

// Stand makes the jobs of the configuration and deletes those that are no
// longer in it. Every replica calls it at its start, and all come to the same.
// Rights count when a job fires, not here.
func (s *Scheduler) Stand(ctx context.Context, orders []Standing) error {
	now, err := s.cfg.Store.Now(ctx)
	if err != nil {
		return err
	}
	want := map[string]bool{}
	var errs []error
	for _, o := range orders {
		if o.Order.Key, err = o.key(); err != nil {
			return err
		}
		want[o.Order.Key] = true
		h := s.For(o.Owner)
		j, err := h.job(o.Order, now)
		if err == nil {
			_, err = h.enter(ctx, j)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("job %s: %w", o.Name, err))
		}
	}
	all, err := s.All(ctx)
	if err != nil {
		return errors.Join(append(errs, err)...)
	}
	for _, j := range all {
		if strings.HasPrefix(j.Key, standingKey) && !want[j.Key] {
			if _, err := s.Delete(ctx, j.ID); err != nil && !errors.Is(err, ErrNoJob) {
				errs = append(errs, fmt.Errorf("delete job %s: %w", j.ID, err))
			}
		}
	}
	return errors.Join(errs...)
}

// Standing is the name that the configuration gives a job, and empty where
// somebody made it in chat.
func (j Job) Standing() string {
	key, ok := strings.CutPrefix(j.Key, standingKey)
	if !ok {
		return ""
	}
	return key[:strings.LastIndexByte(key, ':')]
}

// key is the same for the same entry of the configuration at every start.
func (o Standing) key() (string, error) {
	schedule := o.Order.Schedule
	schedule.From = time.Time{} // the moment of reading, where words count from it
	raw, err := json.Marshal([]any{schedule, o.Order.Prompt, o.Order.Say, o.Order.Targets, o.Owner.Identity, o.Order.Rules})
	if err != nil {
		return "", fmt.Errorf("job %s: %w", o.Name, err)
	}
	return standingKey + o.Name + ":" + idOf(string(raw), 4), nil
}
