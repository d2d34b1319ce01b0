package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"talaria/gateway/app"
	"talaria/gateway/config"
	"talaria/gateway/doctor"
	"talaria/storage"
)

// doctorCommand looks for what is wrong.
func doctorCommand() command {
	return command{name: "doctor", help: "Look for what is wrong and say what to do; exit status 1 where something is.", run: examine}
}

func examine(ctx context.Context, p *process, _ []string) error {
	s, err := p.subject()
	if err != nil {
		return err
	}
	if well := doctor.Run(ctx, s, func(r doctor.Result) { tell(p.out, r) }); !well {
		return errReported
	}
	return nil
}

// tell writes one thing that was found, with its remedy.
func tell(out io.Writer, r doctor.Result) {
	mark := "ok"
	switch {
	case !r.OK:
		mark = "FAILED"
	case r.Remedy != "":
		mark = "note"
	}
	fmt.Fprintf(out, "%-7s %-10s %s\n", mark, r.Part, r.What)
	if r.Remedy != "" {
		fmt.Fprintf(out, "%-7s %-10s -> %s\n", "", "", r.Remedy)
	}
}

// subject is this installation, as far as the configuration can be read.
func (p *process) subject() (doctor.Subject, error) {
	cfg, warnings, err := config.Load(p.configFile(), p.environ)
	s := doctor.Subject{Config: cfg, Warnings: warnings, Now: time.Now}
	if mistakes, ok := errors.AsType[*config.Error](err); ok {
		s.Problems = mistakes.Problems
	}
	log := slog.New(slog.DiscardHandler)
	s.Where = func(key string) string { return config.Where(p.configFile(), p.environ, key) }
	s.Open = func(ctx context.Context) (*storage.Store, error) { return app.OpenStore(ctx, cfg.Storage) }
	s.FirstAdmin = func(ctx context.Context, st *storage.Store) (string, error) {
		return app.FirstAdminCode(ctx, st, cfg, log)
	}
	s.Sandbox = func(ctx context.Context) (string, error) {
		layer, err := app.Scripts(cfg.Tools.Scripts, log).Layer(ctx)
		return string(layer), err
	}
	if err != nil {
		return s, nil // with mistakes in it, nothing can be made of it
	}
	if s.Models, err = models(cfg.Model); err != nil {
		return s, err
	}
	if s.Adapters, err = app.Adapters(cfg, log); err != nil {
		for what := range strings.Lines(err.Error()) { // one for each platform
			s.Problems = append(s.Problems, unfit(strings.TrimSpace(what), s.Where))
		}
	}
	return s, nil
}

// unfit is the mistake of a platform that no adapter could be made for: an
// adapter looks closer at what platforms give than the configuration does. It
// is told where the platform's token was written.
func unfit(what string, where func(key string) string) config.Problem {
	platform, _, _ := strings.Cut(what, ":")
	token := "token"
	if platform == "slack" {
		token = "bot_token"
	}
	return config.Problem{
		Where: where("adapters." + platform + "." + token), Key: "adapters", What: what, Remedy: "copy it anew, without what is around it",
	}
}

// models are those that are configured.
func models(c config.Model) ([]doctor.Model, error) {
	var out []doctor.Model
	type entry struct {
		key string
		config.Endpoint
	}
	all := []entry{{"model", c.Endpoint}, {"model.background", c.Background}, {"model.fallback", c.Fallback}}
	for _, name := range slices.Sorted(maps.Keys(c.Jobs)) {
		all = append(all, entry{"model.jobs." + name, c.Jobs[name].Endpoint})
	}
	for _, e := range all {
		if !e.Named() {
			continue
		}
		m := doctor.Model{Key: e.key, Rehearsal: e.Provider == "rehearsal"}
		if !m.Rehearsal {
			var err error
			if m.Model, err = app.Model(e.key, e.Endpoint); err != nil {
				return nil, err
			}
		}
		out = append(out, m)
	}
	return out, nil
}
