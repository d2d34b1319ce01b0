package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"talaria/core/learning/reflect"
	"talaria/gateway/config"
	"talaria/storage"
)

// reflectionListCommand lists what reviews reported.
func reflectionListCommand() command {
	var l listing
	return command{
		name: "reflection list", help: "List the reports of the background review, the latest last.",
		flags: func(f *flag.FlagSet) { l.flags(f, "reports") },
		run:   func(ctx context.Context, p *process, _ []string) error { return p.listReports(ctx, l) },
	}
}

// reflectionShowCommand shows one report.
func reflectionShowCommand() command {
	var asJSON bool
	return command{
		name: "reflection show", args: "ID", help: "Show one report of the background review.",
		flags: func(f *flag.FlagSet) { f.BoolVar(&asJSON, "json", false, "write JSON") },
		run:   func(ctx context.Context, p *process, args []string) error { return p.showReport(ctx, args[0], asJSON) },
	}
}

// reflectionTriggerCommand has the last task of a conversation reviewed.
func reflectionTriggerCommand() command {
	var depth string
	var at typedAt
	return command{
		name: "reflection trigger", help: "Review the last task of a conversation now, as /reflect does.",
		flags: func(f *flag.FlagSet) {
			f.StringVar(&depth, "depth", "", "quick, standard or deep; by default that of the configuration")
			f.StringVar(&at.as, "as", "", "on whose behalf; by default the person at the terminal")
			f.StringVar(&at.at, "at", "", "in which conversation; by default the terminal's")
		},
		run: func(ctx context.Context, p *process, _ []string) error { return p.triggerReview(ctx, depth, at) },
	}
}

// typedAt is where and on whose behalf a command is typed.
type typedAt struct{ as, at string }

func (t typedAt) args() (args []string) {
	if t.as != "" {
		args = append(args, "--as", t.as)
	}
	if t.at != "" {
		args = append(args, "--at", t.at)
	}
	return args
}

func (p *process) triggerReview(ctx context.Context, depth string, at typedAt) error {
	switch reflect.Depth(depth) {
	case reflect.None:
		return typed("reflect")(ctx, p, at.args())
	case reflect.Quick, reflect.Standard, reflect.Deep:
		return typed("reflect")(ctx, p, append(at.args(), depth))
	}
	return usageError{fmt.Errorf("--depth %q: it is quick, standard or deep", depth)}
}

// allReports are those of all places, the latest last.
func allReports(ctx context.Context, s *storage.Store) ([]reflect.Report, error) {
	var all []reflect.Report
	for n := range storage.Shards {
		err := reflect.Each(ctx, s, storage.Shard(n), func(r reflect.Report) error {
			all = append(all, r)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(all, func(a, b reflect.Report) int { return strings.Compare(a.ID, b.ID) })
	return all, nil
}

func (p *process) listReports(ctx context.Context, l listing) error {
	return p.withStore(ctx, true, func(_ config.Storage, s *storage.Store) error {
		all, err := allReports(ctx, s)
		if err != nil {
			return err
		}
		return write(p.out, l, all[max(len(all)-l.limit, 0):], "There are no reports yet.", func(r reflect.Report) string {
			return fmt.Sprintf("%s  %-8s  %-7s  %s", r.ID, r.Depth, r.Outcome, brief(r.Request, 60))
		})
	})
}

func (p *process) showReport(ctx context.Context, id string, asJSON bool) error {
	return p.withStore(ctx, true, func(_ config.Storage, s *storage.Store) error {
		all, err := allReports(ctx, s)
		if err != nil {
			return err
		}
		all = slices.DeleteFunc(all, func(r reflect.Report) bool { return !strings.Contains(r.ID, id) })
		switch {
		case len(all) == 0:
			return fmt.Errorf("there is no report %q; talaria reflection list shows those there are", id)
		case len(all) > 1:
			return errors.New("several reports have that in their id; write more of it")
		case asJSON:
			return json.NewEncoder(p.out).Encode(all[0])
		}
		_, err = fmt.Fprint(p.out, all[0].Markdown())
		return err
	})
}
