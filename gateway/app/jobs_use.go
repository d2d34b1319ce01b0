package app

import (
	"context"
	"log/slog"
	"slices"
	"strings"

	"talaria/core/agent"
	"talaria/core/model"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/tool"
	"talaria/gateway/config"
	"talaria/gateway/wording"
	"talaria/scheduler"
)

// jobModels are the models that jobs may name, each with the least role that may
// have it named.
type jobModels map[string]struct {
	model agent.Model
	role  person.Role
}

// newJobModels makes the models that jobs may name: the one for background work,
// where another one is named for that, and those of the configuration.
func newJobModels(c config.Model, background agent.Model, log *slog.Logger) (jobModels, error) {
	out := jobModels{}
	if c.Background.Named() {
		out.add(config.BackgroundModel, background, person.Member)
	}
	for name, m := range c.Jobs {
		endpoint, err := newEndpoint("model.jobs."+name, m.Endpoint)
		if err != nil {
			return nil, err
		}
		role := person.Role(m.Role)
		if role == "" {
			role = person.Member
		}
		out.add(name, model.NewChain(log, model.Policy{}, endpoint), role)
	}
	return out, nil
}

func (m jobModels) add(name string, model agent.Model, role person.Role) {
	one := m[name]
	one.model, one.role = model, role
	m[name] = one
}

// Model is the model of a name, false where somebody may not have it.
func (m jobModels) Model(who person.Principal, name string) (agent.Model, bool) {
	one, ok := m[name]
	return one.model, ok && person.AtLeast(who.Role, one.role)
}

// of are the names of those that somebody may have.
func (m jobModels) of(who person.Principal) (names []string) {
	for name := range m {
		if _, ok := m.Model(who, name); ok {
			names = append(names, "`"+name+"`")
		}
	}
	slices.Sort(names)
	return names
}

// lacks says what of the things that a job works with somebody does not have. It
// has the form of scheduler.Config.Lacks.
func (a *App) lacks(ctx context.Context, who person.Principal, u scheduler.Use) (out []string, err error) {
	say := func(format, name string) { out = append(out, wording.Text(ctx, format, name)) }
	if len(u.Skills) > 0 {
		visible, err := a.library.Visible(ctx, who)
		if err != nil {
			return nil, err
		}
		for _, name := range u.Skills {
			if !slices.ContainsFunc(visible, func(s skill.Skill) bool { return s.Name == name }) {
				say("No skill `%s` is in force for you here; `/skills` lists those that are.", name)
			}
		}
	}
	if u.Model != "" {
		if _, ok := a.models.Model(who, u.Model); !ok {
			say("There is no model `%s` that your jobs may use.", u.Model)
			if others := a.models.of(who); len(others) > 0 {
				say("They may use: %s.", strings.Join(others, ", "))
			}
		}
	}
	rules := policy(a.o.Config.Tools)
	for _, name := range u.Tools {
		if spec, ok := a.toolSpec(name); !ok || rules.Decide(who, spec) == tool.Deny {
			say("There is no tool `%s` that you may use here.", name)
		}
	}
	return out, nil
}
