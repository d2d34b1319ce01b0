package app

import (
	"context"
	"slices"

	"talaria/core/person"
	"talaria/core/trace"
	"talaria/scheduler"
	"talaria/storage"
)

// exporters tell what domains keep of people outside their own partitions, by
// the name that it has in an export.
func exporters(s *storage.Store) map[string]person.Exporter {
	return map[string]person.Exporter{"traces": tracesOf{s}, "jobs": jobsOf{Jobs(s)}}
}

// tracesOf exports what learning reads of a person: of tasks that others took
// part in too, the person's turns alone.
type tracesOf struct{ store *storage.Store }

// Export implements person.Exporter.
func (e tracesOf) Export(ctx context.Context, who person.Subject) (any, error) {
	var out struct {
		Tasks   []trace.Task    `json:"tasks,omitempty"`
		Waiting []trace.RawTurn `json:"not_yet_observed,omitempty"`
	}
	for shard := range storage.Shards {
		err := trace.Each(ctx, e.store, storage.Shard(shard), func(t trace.Task) error {
			if own, ok := ownPart(t, who); ok {
				out.Tasks = append(out.Tasks, own)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		waiting, err := trace.Waiting(ctx, e.store, storage.Shard(shard), mostWaiting)
		if err != nil {
			return nil, err
		}
		for _, h := range waiting {
			if t := h.Value.Turn; t != nil && who.Is(t.Who) {
				out.Waiting = append(out.Waiting, *t)
			}
		}
	}
	return out, nil
}

// mostWaiting is more than ever waits to be observed in a shard.
const mostWaiting = 10_000

// ownPart is a task without what others said in it.
func ownPart(t trace.Task, who person.Subject) (trace.Task, bool) {
	if !slices.ContainsFunc(t.People(), who.Is) {
		return t, false
	}
	if !who.Is(t.Person) {
		t.Request = ""
	}
	var turns []trace.Turn
	kept := map[int]bool{}
	for n, turn := range t.Turns {
		if who.Is(turn.Who) {
			kept[n] = true
			turns = append(turns, turn)
		}
	}
	t.Turns = turns
	t.Steps = slices.DeleteFunc(slices.Clone(t.Steps), func(s trace.Step) bool { return !kept[s.Turn] })
	return t, true
}

// jobsOf exports a person's jobs.
type jobsOf struct{ scheduler *scheduler.Scheduler }

// Export implements person.Exporter.
func (e jobsOf) Export(ctx context.Context, who person.Subject) (any, error) {
	all, err := e.scheduler.All(ctx)
	return slices.DeleteFunc(all, func(j scheduler.Job) bool { return !who.Is(j.Owner.Person) }), err
}
