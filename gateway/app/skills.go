package app

import (
	"context"
	"strings"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/gateway/config"
)

// skillConfig is what the operator says about skills.
func skillConfig(c config.Policy) skill.Config {
	return skill.Config{Policy: map[skill.Kind]skill.Policy{
		skill.Person: skill.Policy(c.Person), skill.Space: skill.Policy(c.Space), skill.Team: skill.Policy(c.Team),
	}}
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
