package skill

import (
	"slices"

	"talaria/core/skill/manifest"
)

// Anything in Hosts or Tools stands for every host or tool.
const Anything = "*"

// Permissions are what a skill, or a caller, may do. The zero value may do
// nothing beyond answering. Lists have no order.
type Permissions struct {
	Hosts     []string `json:"hosts,omitempty"` // lower case
	Tools     []string `json:"tools,omitempty"`
	Schedules bool     `json:"schedules,omitempty"` // make or change jobs
	Scripts   bool     `json:"scripts,omitempty"`   // run its own scripts
	Memory    Kind     `json:"memory,omitempty"`    // the widest scope it writes cards of; empty: none
}

// Declared are the permissions that a SKILL.md asks for. What it writes to
// memory belongs to the scope it lives in.
func Declared(m manifest.Manifest, s Scope) Permissions {
	p := Permissions{
		Hosts: sorted(m.Permissions.Hosts), Tools: sorted(m.Tools),
		Schedules: m.Permissions.Schedules, Scripts: m.Permissions.Scripts,
	}
	if m.Permissions.Memory {
		p.Memory = s.Kind
	}
	return p
}

// Added is what new may do that old may not.
func Added(old, new Permissions) Permissions {
	p := Permissions{
		Hosts: beyond(old.Hosts, new.Hosts), Tools: beyond(old.Tools, new.Tools),
		Schedules: new.Schedules && !old.Schedules, Scripts: new.Scripts && !old.Scripts,
	}
	if width(new.Memory) > width(old.Memory) {
		p.Memory = new.Memory
	}
	return p
}

// None reports whether nothing is permitted.
func (p Permissions) None() bool {
	return len(p.Hosts) == 0 && len(p.Tools) == 0 && !p.Schedules && !p.Scripts && p.Memory == ""
}

// Host reports whether a host may be talked to.
func (p Permissions) Host(name string) bool { return holds(p.Hosts, name) }

// Tool reports whether a tool may be called.
func (p Permissions) Tool(name string) bool { return holds(p.Tools, name) }

// Remembers reports whether cards of a kind of scope may be written.
func (p Permissions) Remembers(k Kind) bool { return width(k) > 0 && width(k) <= width(p.Memory) }

// Privileged reports whether the permissions reach beyond their owner. Tools do
// not: with a skill or without, nobody calls one that they may not call.
func (p Permissions) Privileged() bool {
	return p.outward() || p.Scripts || width(p.Memory) > width(Person)
}

// outward reports whether what the permissions allow is felt outside of the
// conversation: a skill made from outside content may not ask for it.
func (p Permissions) outward() bool { return len(p.Hosts) > 0 || p.Schedules }

// width orders what can be written to; an unknown kind is nothing.
func width(k Kind) int { return slices.Index([]Kind{Person, Space, Team}, k) + 1 }

func holds(list []string, name string) bool {
	return name != "" && (slices.Contains(list, name) || slices.Contains(list, Anything))
}

func beyond(old, new []string) []string {
	var out []string
	for _, x := range new {
		if !holds(old, x) {
			out = append(out, x)
		}
	}
	return sorted(out)
}

func sorted(list []string) []string {
	out := slices.Clone(list)
	slices.Sort(out)
	return slices.Compact(out)
}
