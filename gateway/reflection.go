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

// reflectionOptions say how reports are shown, and how closely to look.
type reflectionOptions struct {
	json  bool
	limit int
	depth string
	at    typedAt
}

// reflectionListCommand lists what reviews reported.
func reflectionListCommand() command {
	var o reflectionOptions
	return command{
		name: "reflection list", help: "List the reports of the background review, the latest last.",
		flags: func(f *flag.FlagSet) {
			f.BoolVar(&o.json, "json", false, "write a line of JSON for each")
			countVar(f, &o.limit, 1, "limit", 50, "at most `N` reports")
		},
		run: func(ctx context.Context, p *process, _ []string) error { return p.listReports(ctx, o) },
	}
}

// reflectionShowCommand shows one report.
func reflectionShowCommand() command {
	var o reflectionOptions
	return command{
		name: "reflection show", args: "ID", help: "Show one report of the background review.",
		flags: func(f *flag.FlagSet) { f.BoolVar(&o.json, "json", false, "write JSON") },
		run:   func(ctx context.Context, p *process, args []string) error { return p.showReport(ctx, o, args[0]) },
	}
}

// reflectionTriggerCommand has the last task of a conversation reviewed.
func reflectionTriggerCommand() command {
	var o reflectionOptions
	return command{
		name: "reflection trigger", help: "Review the last task of a conversation now, as /reflect does.",
		flags: func(f *flag.FlagSet) {
			f.StringVar(&o.depth, "depth", "", "quick, standard or deep; by default that of the configuration")
			f.StringVar(&o.at.as, "as", "", "on whose behalf; by default the person at the terminal")
			f.StringVar(&o.at.at, "at", "", "in which conversation; by default the terminal's")
		},
		run: func(ctx context.Context, p *process, _ []string) error { return p.triggerReview(ctx, o) },
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

func (p *process) triggerReview(ctx context.Context, o reflectionOptions) error {
	switch d := reflect.Depth(o.depth); d {
	case reflect.None:
		return typed("reflect")(ctx, p, o.at.args())
	case reflect.Quick, reflect.Standard, reflect.Deep:
		return typed("reflect")(ctx, p, append(o.at.args(), o.depth))
	}
	return usageError{fmt.Errorf("--depth %q: it is quick, standard or deep", o.depth)}
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

func (p *process) listReports(ctx context.Context, o reflectionOptions) error {
	return p.withStore(ctx, true, func(_ config.Storage, s *storage.Store) error {
		all, err := allReports(ctx, s)
		if err != nil {
			return err
		}
		all = all[max(len(all)-o.limit, 0):]
		if len(all) == 0 && !o.json {
			fmt.Fprintln(p.out, "There are no reports yet.")
		}
		for _, r := range all {
			if o.json {
				err = json.NewEncoder(p.out).Encode(r)
			} else {
				_, err = fmt.Fprintf(p.out, "%s  %-8s  %-7s  %s\n", r.ID, r.Depth, r.Outcome, brief(r.Request, 60))
			}
			if err != nil {
				return fmt.Errorf("write report: %w", err)
			}
		}
		return nil
	})
}

func (p *process) showReport(ctx context.Context, o reflectionOptions, id string) error {
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
		case o.json:
			return json.NewEncoder(p.out).Encode(all[0])
		}
		_, err = fmt.Fprint(p.out, all[0].Markdown())
		return err
	})
}
