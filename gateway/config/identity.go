package config

import (
	"fmt"
	"regexp"

	"talaria/core/chat"
)

// forms are, for each platform, what people and places are written with: the
// workspace or server belongs to an id where the platform gives ids anew in each.
// Where ids are global, a person may be named in one server or group alone.
var forms = map[string]struct{ person, place form }{
	"telegram": {person: either, place: alone},
	"discord":  {person: either, place: within},
	"slack":    {person: within, place: within},
	"console":  {person: nameless},
}

type form int

const (
	unknown  form = iota
	nameless      // the platform's name says all
	alone         // PLATFORM:ID
	within        // PLATFORM:WORKSPACE:ID
	either        // one of these two
)

// formed reports whether an identity is written as its platform has it.
func formed(id chat.Identity, want form) bool {
	have := nameless
	switch {
	case id.Workspace != "":
		have = within
	case id.ID != "":
		have = alone
	}
	return have == want || want == either && have != nameless
}

// everyone is the entry of a people list that lets in all who can write to
// the bot.
const everyone = "*"

// Person is an entry of a people list: one identity, or everyone.
type Person struct {
	chat.Identity
	Everyone bool
}

// Persons is a list of people. An empty one is nobody.
type Persons []Person

// Everyone reports whether the list holds "*".
func (l Persons) Everyone() bool {
	for _, p := range l {
		if p.Everyone {
			return true
		}
	}
	return false
}

// Identities returns the identities of the list.
func (l Persons) Identities() []chat.Identity {
	var out []chat.Identity
	for _, p := range l {
		if !p.Everyone {
			out = append(out, p.Identity)
		}
	}
	return out
}

// UnmarshalText reads "*" or what chat.ParseIdentity reads.
func (p *Person) UnmarshalText(b []byte) error {
	if string(b) == everyone {
		*p = Person{Everyone: true}
		return nil
	}
	id, ok := chat.ParseIdentity(string(b))
	if !ok || !formed(id, forms[id.Platform].person) {
		return fmt.Errorf(`%q is no identity; write "telegram:3", "discord:2", "slack:T1:U1" or "console", with ids and not names`, b)
	}
	*p = Person{Identity: id}
	return numbered(string(b), id)
}

// number is how Telegram and Discord number people, groups and servers.
// Telegram's groups are below zero.
var number = regexp.MustCompile(`^-?[0-9]{1,20}$`)

// numbered refuses names where a platform has numbers: names can be given away.
func numbered(text string, id chat.Identity) error {
	if id.Platform != "telegram" && id.Platform != "discord" {
		return nil
	}
	if !number.MatchString(id.ID) || id.Workspace != "" && !number.MatchString(id.Workspace) {
		return fmt.Errorf("%q: ids of %s are numbers; /whoami tells people theirs", text, id.Platform)
	}
	return nil
}

// MarshalText writes the form that UnmarshalText reads.
func (p Person) MarshalText() ([]byte, error) {
	if p.Everyone {
		return []byte(everyone), nil
	}
	return []byte(p.String()), nil
}

// Place is a channel or group: "telegram:CHAT", "slack:WORKSPACE:CHANNEL" or
// "discord:SERVER:CHANNEL".
type Place struct{ chat.Address }

// Places is a list of places. An empty one is none.
type Places []Place

// Addresses returns the places as addresses without a thread.
func (l Places) Addresses() []chat.Address {
	out := make([]chat.Address, len(l))
	for n, p := range l {
		out[n] = p.Address
	}
	return out
}

// UnmarshalText reads the form above.
func (p *Place) UnmarshalText(b []byte) error {
	id, ok := chat.ParseIdentity(string(b))
	if !ok || !formed(id, forms[id.Platform].place) {
		return fmt.Errorf(`%q is no place; write "telegram:CHAT", "slack:WORKSPACE:CHANNEL" or "discord:SERVER:CHANNEL", with ids and not names`, b)
	}
	p.Address = chat.Address{Platform: id.Platform, Workspace: id.Workspace, Chat: id.ID}
	return numbered(string(b), id)
}

// String is the form above.
func (p Place) String() string {
	return chat.Identity{Platform: p.Platform, Workspace: p.Workspace, ID: p.Chat}.String()
}

// MarshalText writes the form that UnmarshalText reads.
func (p Place) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// Workspace is a tenant on a platform: "slack:WORKSPACE", "discord:SERVER" or
// "telegram:GROUP".
type Workspace struct{ Platform, ID string }

// Workspaces is a list of workspaces.
type Workspaces []Workspace

// UnmarshalText reads the form above.
func (w *Workspace) UnmarshalText(b []byte) error {
	id, ok := chat.ParseIdentity(string(b))
	if !ok || id.ID == "" || id.Workspace != "" {
		return fmt.Errorf(`%q is no workspace; write "slack:WORKSPACE", "discord:SERVER" or "telegram:GROUP", with ids and not names`, b)
	}
	*w = Workspace{Platform: id.Platform, ID: id.ID}
	return numbered(string(b), id)
}

// String is the form above.
func (w Workspace) String() string {
	return chat.Identity{Platform: w.Platform, ID: w.ID}.String()
}

// MarshalText writes the form that UnmarshalText reads.
func (w Workspace) MarshalText() ([]byte, error) { return []byte(w.String()), nil }
