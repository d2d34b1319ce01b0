package app

import (
	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/config"
)

// peopleConfig is what the operator says about people and places.
func peopleConfig(c config.Config) person.Config {
	t, s, d := c.Adapters.Telegram, c.Adapters.Slack, c.Adapters.Discord
	_, embedded := c.Storage.SQLite()
	p := person.Config{
		Admins:    c.People.Admins.Identities(),
		Approvers: c.People.Approvers.Identities(),
		People: map[string][]chat.Identity{
			"telegram": t.People.Identities(), "slack": s.People.Identities(), "discord": d.People.Identities(),
		},
		Everyone: map[string]bool{
			"telegram": t.People.Everyone(), "slack": s.People.Everyone(), "discord": d.People.Everyone(),
		},
		Teams:        map[string]person.TeamConfig{},
		ConsoleAdmin: embedded,
	}
	for _, spaces := range []config.Places{t.Spaces, s.Spaces, d.Spaces} {
		p.Spaces = append(p.Spaces, spaces.Addresses()...)
	}
	for name, team := range c.Teams {
		tc := person.TeamConfig{People: team.People.Identities()}
		for _, w := range team.Workspaces {
			tc.Workspaces = append(tc.Workspaces, person.Workspace{Platform: w.Platform, ID: w.ID})
		}
		p.Teams[name] = tc
	}
	return p
}
