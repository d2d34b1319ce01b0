package propose

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/trace"
	"talaria/storage"
)

// cite keeps the traces that the newest revision of a skill comes from, and lets
// those go that only the one before it came from. A trace that is gone already
// can't be kept.
func (p *Proposer) cite(ctx context.Context, c Case, r skill.Revision) error {
	by := "skill:" + r.Ref.At(0).String()
	for _, from := range r.Provenance {
		err := of(from, func(at storage.Partition) error { return trace.Cite(ctx, p.config.Store, at, from.Task, by) })
		if err != nil {
			return fmt.Errorf("keep the trace of %q: %w", r.Name, err)
		}
	}
	past, err := p.config.Library.History(ctx, c.Who, r.Ref)
	if err != nil {
		return fmt.Errorf("keep the trace of %q: %w", r.Name, err)
	}
	n := slices.IndexFunc(past, func(o skill.Revision) bool { return o.Number < r.Number })
	if n < 0 {
		return nil
	}
	for _, from := range past[n].Provenance {
		if slices.ContainsFunc(r.Provenance, func(x skill.Provenance) bool { return x.Task == from.Task }) {
			continue
		}
		err := of(from, func(at storage.Partition) error {
			return trace.Uncite(ctx, p.config.Store, at, from.Task, by, p.config.Limits.Traces)
		})
		if err != nil {
			return fmt.Errorf("let go of an old trace of %q: %w", r.Name, err)
		}
	}
	return nil
}

// of does something to the trace of an occasion, if there is one.
func of(from skill.Provenance, do func(storage.Partition) error) error {
	place, ok := chat.ParseAddress(from.Place)
	if !ok || from.Task == "" {
		return nil
	}
	if err := do(person.ShardOf(place)); !errors.Is(err, storage.ErrNotFound) {
		return err
	}
	return nil
}
