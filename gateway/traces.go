package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"time"

	"talaria/core/learning"
	"talaria/core/learning/export"
	"talaria/core/person"
	"talaria/core/skill/match"
	"talaria/core/trace"
	"talaria/gateway/config"
	"talaria/storage"
)

// tracesListCommand lists the tasks that are kept.
func tracesListCommand() command {
	var l listing
	return command{
		name: "traces list", help: "List the tasks whose traces are kept, the latest last.",
		flags: func(f *flag.FlagSet) { l.flags(f, "tasks") },
		run:   func(ctx context.Context, p *process, _ []string) error { return listTraces(ctx, p, l) },
	}
}

// tracesShowCommand shows one task.
func tracesShowCommand() command {
	var asJSON bool
	return command{
		name: "traces show", args: "ID", help: "Show the trace of a task and what was observed of it.",
		flags: func(f *flag.FlagSet) { f.BoolVar(&asJSON, "json", false, "write JSON") },
		run:   func(ctx context.Context, p *process, args []string) error { return showTrace(ctx, p, args[0], asJSON) },
	}
}

// tracesExportCommand writes training data.
func tracesExportCommand() command {
	var form string
	var tokens int
	return command{
		name: "traces export", help: "Write the traces of people who agreed as training data, in lines of JSON.",
		flags: func(f *flag.FlagSet) {
			f.StringVar(&form, "form", "sharegpt", "sharegpt (conversations with a reward) or preferences (pairs of answers)")
			countVar(f, &tokens, 0, "max-tokens", 16000, "compress conversations longer than `N` tokens; 0: leave them whole")
		},
		run: func(ctx context.Context, p *process, _ []string) error { return exportTraces(ctx, p, form, tokens) },
	}
}

// traced is a task with what was observed of it.
type traced struct {
	Task        trace.Task         `json:"task"`
	Observation *learning.Observed `json:"observation,omitempty"`
}

func listTraces(ctx context.Context, p *process, l listing) error {
	return p.withStore(ctx, true, func(_ config.Storage, s *storage.Store) error {
		tasks, err := latest(ctx, s, l.limit)
		if err != nil {
			return err
		}
		for n := range tasks {
			if tasks[n].Observation, err = observation(ctx, s, tasks[n].Task); err != nil {
				return err
			}
		}
		return write(p.out, l, tasks, "No traces are kept yet.", traced.line)
	})
}

// latest are the latest tasks of all shards, the latest last.
func latest(ctx context.Context, s *storage.Store, limit int) ([]traced, error) {
	var all []traced
	for n := range storage.Shards {
		err := trace.Each(ctx, s, storage.Shard(n), func(t trace.Task) error {
			all = append(all, traced{Task: t})
			if len(all) > 2*limit+1000 { // bounds what is in memory
				all = newest(all, limit)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return newest(all, limit), nil
}

// newest keeps the last tasks in the order of their ids, which is that of time.
func newest(all []traced, limit int) []traced {
	slices.SortFunc(all, func(a, b traced) int { return strings.Compare(a.Task.ID, b.Task.ID) })
	return all[max(len(all)-limit, 0):]
}

// observation is what was observed of a task, nil for nothing.
func observation(ctx context.Context, s *storage.Store, t trace.Task) (*learning.Observed, error) {
	o, err := learning.ObservationOf(ctx, s, person.ShardOf(t.Place), t.ID)
	if errors.Is(err, storage.ErrNotFound) {
		return nil, nil
	}
	return &o, err
}

// line says a task in one line.
func (t traced) line() string {
	state := "open"
	if t.Task.Settled != "" {
		state = "over"
	}
	result := "-"
	if o := t.Observation; o != nil && o.Success {
		result = "ok"
	} else if o != nil {
		result = "failed"
	}
	return fmt.Sprintf("%s  %-4s %-6s %2d turns %3d calls %6s  %s", t.Task.ID, state, result, len(t.Task.Turns), t.Task.Calls,
		t.Task.Duration().Round(100*time.Millisecond), brief(cmp.Or(t.Task.Request, t.Task.Job), 60))
}

func showTrace(ctx context.Context, p *process, id string, asJSON bool) error {
	return p.withStore(ctx, true, func(_ config.Storage, s *storage.Store) error {
		t, err := findTrace(ctx, s, id)
		if err != nil {
			return err
		}
		if t.Observation, err = observation(ctx, s, t.Task); err != nil {
			return err
		}
		if asJSON {
			e := json.NewEncoder(p.out)
			e.SetIndent("", "  ")
			return e.Encode(t)
		}
		t.show(p.out)
		return nil
	})
}

// findTrace returns the only task whose id begins with id.
func findTrace(ctx context.Context, s *storage.Store, id string) (traced, error) {
	var found []traced
	for n := range storage.Shards {
		err := trace.Each(ctx, s, storage.Shard(n), func(t trace.Task) error {
			if strings.HasPrefix(t.ID, id) {
				found = append(found, traced{Task: t})
			}
			return nil
		})
		if err != nil {
			return traced{}, err
		}
	}
	switch len(found) {
	case 0:
		return traced{}, fmt.Errorf("there is no trace %q; talaria traces list shows them", id)
	case 1:
		return found[0], nil
	}
	return traced{}, usageError{fmt.Errorf("%d traces begin with %q; give more of it", len(found), id)}
}

func exportTraces(ctx context.Context, p *process, form string, tokens int) error {
	cfg, err := p.load()
	if err != nil {
		return err
	}
	return p.withStore(ctx, true, func(_ config.Storage, s *storage.Store) error {
		options := export.Options{Consent: cfg.Learning.ExportConsent, Budget: tokens, Alike: match.RequestSimilarity}
		e := json.NewEncoder(p.out)
		e.SetEscapeHTML(false)
		var sum export.Summary
		switch form {
		case "sharegpt":
			sum, err = export.Conversations(ctx, s, options, func(c export.Conversation) error { return e.Encode(c) })
		case "preferences":
			sum, err = export.Preferences(ctx, s, options, func(c export.Preference) error { return e.Encode(c) })
		default:
			return usageError{fmt.Errorf("traces export: there is no form %q; write sharegpt or preferences", form)}
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(p.err, "records: %d, of finished tasks: %d; withheld: %d, for want of the consent of somebody in them\n", sum.Written, sum.Tasks, sum.Withheld)
		return nil
	})
}
