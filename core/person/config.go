package person

import (
	"talaria/core/chat"
)

// Config is what the operator says about people and places. Empty lists are
// nobody and nowhere.
type Config struct {
	Admins    []chat.Identity
	Approvers []chat.Identity
	People    map[string][]chat.Identity // by platform: let in without pairing
	Everyone  map[string]bool            // by platform: whoever can write to the bot is let in
	Spaces    []chat.Address             // places the bot is let into
	Teams     map[string]TeamConfig      // by name
	// ConsoleAdmin makes the person at the console an admin. It is for the
	// embedded store, whose console is the machine's own terminal.
	ConsoleAdmin bool
	// Inviters tell, by platform, who is a full member of a place. Without one
	// the recorded facts alone say what somebody may read.
	Inviters map[string]chat.Inviter
}

// TeamConfig is one team of the configuration.
type TeamConfig struct {
	Workspaces []Workspace
	People     []chat.Identity
}

// Workspace is a tenant on a platform: a Slack workspace, a Discord server, or
// where the platform knows none, a single group.
type Workspace struct{ Platform, ID string }

func workspaceOf(a chat.Address) Workspace {
	if a.Workspace != "" {
		return Workspace{a.Platform, a.Workspace}
	}
	return Workspace{a.Platform, a.Chat}
}

// console is the platform of the person at the terminal.
const console = "console"

// configured is the role that the configuration gives an identity. An entry
// for one workspace, on a platform whose ids are global, counts where within
// says that the workspace is the one acted in.
func (c *Config) configured(i chat.Identity, within func(Workspace) bool) Role {
	switch {
	case c.ConsoleAdmin && i.Platform == console, names(c.Admins, i, within):
		return Admin
	case names(c.Approvers, i, within):
		return Approver
	case names(c.People[i.Platform], i, within):
		return Member
	}
	for _, t := range c.Teams {
		if names(t.People, i, within) {
			return Member
		}
	}
	return Nobody
}

func names(list []chat.Identity, i chat.Identity, within func(Workspace) bool) bool {
	for _, l := range list {
		if l == i || global(l, i) && within(Workspace{l.Platform, l.Workspace}) {
			return true
		}
	}
	return false
}

// global reports whether l names i together with a workspace, on a platform
// whose ids need none.
func global(l, i chat.Identity) bool {
	return i.Workspace == "" && l.Workspace != "" && l.Platform == i.Platform && l.ID == i.ID
}

// space says what the configuration says about a place.
func (c *Config) space(a chat.Address) Space {
	for _, s := range c.Spaces {
		if s.Place() == a.Place() {
			return SpaceOn
		}
	}
	return SpaceUnknown
}
