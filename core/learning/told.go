package learning

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"talaria/core/learning/observe"
	"talaria/core/person"
	"talaria/core/trace"
	"talaria/storage"
)

// Exporter tells a person what is kept of their tasks. It is a person.Exporter.
type Exporter struct{ Store *storage.Store }

var _ person.Exporter = Exporter{}

// told is what a person is told of their tasks.
type told struct {
	Tasks   []toldTask      `json:"tasks,omitempty"`
	Waiting []trace.RawTurn `json:"not_yet_observed,omitempty"`
}

type toldTask struct {
	Task        trace.Task           `json:"task"`
	Observation *observe.Observation `json:"observation,omitempty"`
}

// Export implements person.Exporter. Of a task that others spoke in too it has
// the person's own turns, and no observation, which quotes the others.
func (e Exporter) Export(ctx context.Context, who person.Subject) (any, error) {
	var out told
	for n := range storage.Shards {
		if err := e.shard(ctx, storage.Shard(n), who, &out); err != nil {
			return nil, fmt.Errorf("export traces: %w", err)
		}
	}
	if len(out.Tasks)+len(out.Waiting) == 0 {
		return nil, nil
	}
	return out, nil
}

// mostWaiting is more than ever waits to be observed in a shard.
const mostWaiting = 10_000

func (e Exporter) shard(ctx context.Context, p storage.Partition, who person.Subject, out *told) error {
	err := trace.Each(ctx, e.Store, p, func(t trace.Task) error {
		if !slices.ContainsFunc(t.People(), who.Is) {
			return nil
		}
		x := toldTask{Task: t.Of(who.Is)}
		if len(x.Task.People()) == len(t.People()) {
			o, err := ObservationOf(ctx, e.Store, p, t.ID)
			if err != nil && !errors.Is(err, storage.ErrNotFound) {
				return err
			}
			x.Observation = &o.Observation
		}
		out.Tasks = append(out.Tasks, x)
		return nil
	})
	if err != nil {
		return err
	}
	waiting, err := trace.Waiting(ctx, e.Store, p, mostWaiting)
	for _, h := range waiting {
		if t := h.Value.Turn; t != nil && who.Is(t.Who) {
			out.Waiting = append(out.Waiting, *t)
		}
	}
	return err
}
