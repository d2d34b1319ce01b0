package tool

import (
	"slices"

	"talaria/core/agent"
	"talaria/core/person"
)

// Decision is what is to happen with a call.
type Decision string

// The decisions, from the loosest to the strictest.
const (
	Allow Decision = "allow" // it runs
	Ask   Decision = "ask"   // a person's yes to these very arguments is needed
	Deny  Decision = "deny"  // it does not run
)

// Where a rule holds.
const (
	Everywhere = ""
	InDirect   = "person" // in a conversation of one person and the bot
	InSpace    = "space"  // in a place that several share
)

// Rule decides on one tool.
type Rule struct {
	Scope    string   // Everywhere, InDirect or InSpace
	Tool     string   // a tool's name; empty: every tool that changes something
	Decision Decision //
}

// Policy is the operator's rules. Where several fit, the strictest holds; where
// none does, a call is allowed.
type Policy []Rule

// Decide is the policy's word on a tool for a caller, whose role comes first:
// bots and strangers may use nothing, guests only what needs no permission.
func (p Policy) Decide(who person.Principal, s agent.Spec) Decision {
	need := person.Guest
	if s.Permission != "" || s.Effect == agent.Effectful {
		need = person.Member
	}
	if !person.AtLeast(who.Role, need) {
		return Deny
	}
	d := Allow
	for _, r := range p {
		if r.fits(who, s) {
			d = stricter(d, r.Decision)
		}
	}
	return d
}

func (r Rule) fits(who person.Principal, s agent.Spec) bool {
	here := InSpace
	if who.Direct {
		here = InDirect
	}
	if r.Scope != Everywhere && r.Scope != here {
		return false
	}
	return r.Tool == s.Name || r.Tool == "" && s.Effect != agent.Read
}

// stricter returns the stricter of two decisions; an unknown one counts as Deny.
func stricter(a, b Decision) Decision {
	order := []Decision{Allow, Ask, Deny}
	n, m := slices.Index(order, a), slices.Index(order, b)
	if n < 0 || m < 0 {
		return Deny
	}
	return order[max(n, m)]
}
