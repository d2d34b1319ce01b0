package export

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"

	"talaria/core/learning"
	"talaria/core/learning/observe"
	"talaria/core/person"
	"talaria/core/trace"
	"talaria/storage"
)

// Options say what is exported.
type Options struct {
	Consent bool                      // of people who have not said
	Budget  int                       // tokens of a conversation, about; longer ones are compressed; zero: none is
	Alike   func(a, b string) float64 // similarity of two requests, for pairs
}

// Summary says what an export came to.
type Summary struct {
	Tasks    int // that are over
	Withheld int // of them, since somebody in them has not agreed
	Written  int // records
}

// seen is a task that may be exported, with its observation.
type seen struct {
	task trace.Task
	is   observe.Observation
}

// Conversations calls yield for every task that is over and may be exported.
func Conversations(ctx context.Context, s *storage.Store, o Options, yield func(Conversation) error) (Summary, error) {
	var sum Summary
	err := o.each(ctx, s, &sum, func(t seen) error {
		c := conversation(t)
		if o.Budget > 0 {
			c.Messages = compress(c.Messages, o.Budget)
		}
		if len(c.Messages) < 2 {
			return nil
		}
		sum.Written++
		return yield(c)
	})
	return sum, err
}

// Preferences calls yield for every pair of answers of which one was preferred.
func Preferences(ctx context.Context, s *storage.Store, o Options, yield func(Preference) error) (Summary, error) {
	var sum Summary
	write := func(pairs []Preference) error {
		for _, p := range pairs {
			if o.Budget > 0 {
				p.Messages = compress(p.Messages, o.Budget)
			}
			sum.Written++
			if err := yield(p); err != nil {
				return err
			}
		}
		return nil
	}
	kinds := map[string][]seen{}
	err := o.each(ctx, s, &sum, func(t seen) error {
		key := t.task.Scope() + " " + t.is.Kind
		kinds[key] = append(kinds[key], t)
		return write(corrected(t))
	})
	if err != nil {
		return sum, err
	}
	for _, key := range slices.Sorted(maps.Keys(kinds)) {
		if err := write(contrasted(kinds[key], o.Alike)); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// each calls yield for every task that is over and may be exported.
func (o Options) each(ctx context.Context, s *storage.Store, sum *Summary, yield func(seen) error) error {
	who := agreed{s, o.Consent, map[person.ID]bool{}}
	for n := range storage.Shards {
		p := storage.Shard(n)
		err := trace.Each(ctx, s, p, func(t trace.Task) error {
			if t.Settled == "" || t.Request == "" {
				return nil
			}
			sum.Tasks++
			if ok, err := who.all(ctx, t); err != nil || !ok {
				sum.Withheld++
				return err
			}
			is, err := learning.ObservationOf(ctx, s, p, t.ID)
			if errors.Is(err, storage.ErrNotFound) {
				return nil
			}
			if err != nil {
				return err
			}
			return yield(seen{t, is.Observation})
		})
		if err != nil {
			return fmt.Errorf("export traces: %w", err)
		}
	}
	return nil
}

// pseudonym names a task without telling when it was.
func pseudonym(task string) string {
	sum := sha256.Sum256([]byte("export\x00" + task))
	return hex.EncodeToString(sum[:8])
}
