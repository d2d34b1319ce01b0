package app

import (
	"context"
	"errors"
	"os"
	"strings"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/learning/validate"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/tool"
	"talaria/core/trace"
	"talaria/gateway/config"
	"talaria/storage"
)

// skillConfig is what the operator says about skills.
func skillConfig(c config.Config) skill.Config {
	p := c.Learning.Policy
	out := skill.Config{Policy: map[skill.Kind]skill.Policy{
		skill.Person: skill.Policy(p.Person), skill.Space: skill.Policy(p.Space), skill.Team: skill.Policy(p.Team),
	}}
	for _, dir := range c.Skills.External {
		out.External = append(out.External, skill.External{Name: dir, FS: os.DirFS(dir)})
	}
	return out
}

// skillChecks are what looks at every proposal of a skill.
func (a *App) skillChecks() []skill.Check {
	return validate.Checks(validate.Config{Tool: a.toolSpec, Used: func(ctx context.Context, from skill.Provenance) ([]string, error) {
		place, ok := chat.ParseAddress(from.Place)
		if !ok || from.Task == "" {
			return nil, nil
		}
		task, err := trace.Get(ctx, a.store, trace.ShardOf(place), from.Task)
		if errors.Is(err, storage.ErrNotFound) {
			return nil, nil
		}
		return task.Value.Tools(), err
	}})
}

// toolSpecs tells about every tool that a turn can have, by its name. The
// handles that it is bound with only stand there: nothing is called.
func toolSpecs(s *tool.Set) func(name string) (agent.Spec, bool) {
	all := tool.Set{Web: s.Web}
	bound, _ := all.Bind(tool.Binding{
		Principal: person.Principal{Role: person.Admin, Direct: true},
		Memory:    struct{ tool.Memory }{}, Searcher: noSearch{}, Files: &tool.Files{}, Skills: struct{ tool.Skills }{},
		Author: struct{ tool.Author }{}, Schedules: struct{ tool.Schedules }{},
	})
	specs := map[string]agent.Spec{}
	for _, t := range bound {
		specs[t.Spec().Name] = t.Spec()
	}
	return func(name string) (agent.Spec, bool) {
		spec, ok := specs[name]
		return spec, ok
	}
}

// callsSkill is the request that a command is which names a skill: the skill's
// text goes before it. It is nil for everything else; what is neither a command
// nor a skill gets the table's answer.
func (g *gate) callsSkill(ctx context.Context, e chat.Event, who person.Principal) *chat.Event {
	if e.Kind != chat.Command {
		return nil
	}
	if _, known := g.commands.Lookup(e.Command.Name); known {
		return nil
	}
	s, err := g.library.Find(ctx, who, e.Command.Name)
	if err != nil || !s.Live() {
		return nil
	}
	e.Kind, e.Text = chat.Message, strings.TrimSpace("/"+e.Command.Name+" "+e.Command.Args)
	return &e
}
