package skill

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"talaria/core/person"
	"talaria/storage"
)

// Use is that a skill's body entered the prompt of a task. Being listed is none.
type Use struct {
	Task        string        `json:"task"`   // the task's later word takes the place of the earlier
	Place       string        `json:"place"`  // address of the session that the task was in
	Number      int           `json:"number"` // of the revision
	Success     bool          `json:"success"`
	Steps       int           `json:"steps"`
	ToolCalls   int           `json:"tool_calls"`
	Tokens      int           `json:"tokens"`
	Duration    time.Duration `json:"duration"`
	Corrections int           `json:"corrections"`
	Seq         int           `json:"seq"` // order of first recording, from 1; set by Record
	At          time.Time     `json:"at"`  // of first recording; set by Record
}

// Counts are the outcomes of uses.
type Counts struct {
	Successes int `json:"successes"`
	Failures  int `json:"failures"`
}

// Uses is how many there were.
func (c Counts) Uses() int { return c.Successes + c.Failures }

func (c *Counts) add(success bool, n int) {
	if success {
		c.Successes += n
	} else {
		c.Failures += n
	}
}

// LatestUse is the weight of the latest use in the moving average.
const LatestUse = 0.1

// Stats are how a skill has done.
type Stats struct {
	Counts
	Rate       float64        `json:"rate"`        // success_rate: a moving average from 1, for showing alone
	Revisions  map[int]Counts `json:"revisions"`   // by number
	Reused     int            `json:"reused"`      // reuse_after_patch: patched generations that were used at all
	LastReused int            `json:"last_reused"` // the latest such generation
	Seq        int            `json:"seq"`         // uses recorded so far
	LastUsed   time.Time      `json:"last_used"`
}

// Record keeps how a use went, once for each task: recorded again, when late
// feedback settles it, it replaces what was said. A stale skill that is used is
// active again.
func (u Upkeep) Record(ctx context.Context, r Ref, use Use) (Stats, error) {
	stats, skill, err := u.record(ctx, r.At(0), use)
	if err == nil && skill.State == Stale {
		e := entry("use", person.Principal{}, r, "", "it was used")
		_, err = u.lib.change(ctx, r.At(0), e, func(c *change) error { return c.move(Active, "", Stale) })
		if errors.Is(err, ErrUnchanged) {
			err = nil
		}
	}
	if err != nil {
		return stats, fmt.Errorf("record a use of %q: %w", r.Name, err)
	}
	return stats, nil
}

func (u Upkeep) record(ctx context.Context, r Ref, use Use) (Stats, Skill, error) {
	for {
		skill, err := u.lib.load(ctx, r)
		if err != nil && !(errors.Is(err, ErrNotFound) && u.lib.isExternal(ctx, r)) {
			return Stats{}, Skill{}, err
		}
		stats, err := u.lib.loadStats(ctx, r)
		if err != nil {
			return Stats{}, Skill{}, err
		}
		before, err := storage.Get[Use](ctx, u.lib.store, r.Scope.partition(), usesOf(r), use.Task)
		if err != nil && !errors.Is(err, storage.ErrNotFound) {
			return Stats{}, Skill{}, err
		}
		if before.Revision == storage.Absent {
			if use.At, err = u.lib.store.Now(ctx); err != nil {
				return Stats{}, Skill{}, err
			}
			stats.Value.first(&use, skill.Value.Generation, u.lib.config.latestUse())
		} else {
			use.Seq, use.At, use.Number = before.Value.Seq, before.Value.At, before.Value.Number
			stats.Value.count(before.Value, -1)
			stats.Value.count(use, 1)
			if stats.Value.Rate, err = u.lib.rate(ctx, r, use); err != nil {
				return Stats{}, Skill{}, err
			}
		}
		b := storage.On(r.Scope.partition()).
			Put(statsOf(r.Scope), r.Name, stats.Value, stats.Revision).
			Put(usesOf(r), use.Task, use, before.Revision)
		_, err = u.lib.store.Commit(ctx, b)
		if !errors.Is(err, storage.ErrConflict) {
			return stats.Value, skill.Value, err
		}
	}
}

// first counts a use that was not recorded before.
func (s *Stats) first(use *Use, generation int, weight float64) {
	s.Seq++
	use.Seq = s.Seq
	s.LastUsed = use.At
	s.Rate = moved(s.Rate, use.Success, weight)
	s.count(*use, 1)
	if generation > s.LastReused {
		s.Reused, s.LastReused = s.Reused+1, generation
	}
}

// count adds a use n times, or takes it back.
func (s *Stats) count(use Use, n int) {
	s.add(use.Success, n)
	of := s.Revisions[use.Number]
	of.add(use.Success, n)
	s.Revisions = maps.Clone(s.Revisions)
	if s.Revisions == nil {
		s.Revisions = map[int]Counts{}
	}
	s.Revisions[use.Number] = of
}

func moved(rate float64, success bool, weight float64) float64 {
	if success {
		return rate + weight*(1-rate)
	}
	return rate - weight*rate
}

// rate is the moving average over all uses in their order, one of them changed.
func (l *Library) rate(ctx context.Context, r Ref, changed Use) (float64, error) {
	uses, err := l.uses(ctx, r)
	rate := 1.0
	for _, u := range uses {
		if u.Task == changed.Task {
			u = changed
		}
		rate = moved(rate, u.Success, l.config.latestUse())
	}
	return rate, err
}

// uses are all uses of a skill, in their order.
func (l *Library) uses(ctx context.Context, r Ref) ([]Use, error) {
	docs, err := all[Use](ctx, l.store, r.Scope.partition(), usesOf(r))
	out := make([]Use, 0, len(docs))
	for _, doc := range docs {
		out = append(out, doc.Value)
	}
	slices.SortFunc(out, func(a, b Use) int { return a.Seq - b.Seq })
	return out, err
}

func (l *Library) loadStats(ctx context.Context, r Ref) (storage.Doc[Stats], error) {
	doc, err := storage.Get[Stats](ctx, l.store, r.Scope.partition(), statsOf(r.Scope), r.Name)
	if errors.Is(err, storage.ErrNotFound) {
		doc.Value.Rate = 1
		err = nil
	}
	return doc, err
}

// Uses are the last limit uses of a skill, the latest first.
func (u Upkeep) Uses(ctx context.Context, r Ref, limit int) ([]Use, error) {
	uses, err := u.lib.uses(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("read the uses of %q: %w", r.Name, err)
	}
	slices.Reverse(uses)
	return uses[:min(limit, len(uses))], nil
}

// Stats are how a skill has done.
func (u Upkeep) Stats(ctx context.Context, r Ref) (Stats, error) {
	doc, err := u.lib.loadStats(ctx, r)
	return doc.Value, err
}

// Stats are how a skill that p may see has done.
func (l *Library) Stats(ctx context.Context, p person.Principal, r Ref) (Stats, error) {
	s, err := l.load(ctx, r)
	if err == nil {
		var seen bool
		if seen, err = l.reads(ctx, p, s.Value); err == nil && !seen {
			err = ErrNotFound
		}
	}
	if err != nil {
		return Stats{}, fmt.Errorf("read how %q has done: %w", r.Name, err)
	}
	doc, err := l.loadStats(ctx, r)
	return doc.Value, err
}
