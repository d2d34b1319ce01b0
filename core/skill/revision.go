package skill

import (
	"time"

	"talaria/core/chat"
	"talaria/core/person"
)

// RevisionState is what has become of a revision.
type RevisionState string

// The states of a revision.
const (
	Draft      RevisionState = "draft"   // waits for a decision
	Blocked    RevisionState = "blocked" // a check refused it; it can be edited, not approved
	Approved   RevisionState = "approved"
	Rejected   RevisionState = "rejected"
	Expired    RevisionState = "expired"    // nobody decided in time
	Superseded RevisionState = "superseded" // another draft took its place, or what it changes has changed
	RolledBack RevisionState = "rolled back"
)

// How long a draft waits for a decision, and when its approvers are reminded,
// unless the configuration says otherwise.
const (
	DraftFor    = 72 * time.Hour
	RemindAfter = 48 * time.Hour
)

// Author is who wrote a revision.
type Author struct {
	Person person.ID `json:"person,omitempty"` // empty: Talaria itself
}

// Agent reports whether Talaria itself wrote it.
func (a Author) Agent() bool { return a.Person == "" }

// Provenance is one occasion that a revision was learned from.
type Provenance struct {
	Task       string      `json:"task,omitempty"`
	Place      string      `json:"place,omitempty"`    // address of the session
	Messages   []string    `json:"messages,omitempty"` // platform ids
	People     []person.ID `json:"people,omitempty"`   // authors of these messages
	Confidence float64     `json:"confidence,omitempty"`
	Model      string      `json:"model,omitempty"`
	At         time.Time   `json:"at"`
}

// Grant is an authorisation: by a named person, or by the operator's policy.
type Grant struct {
	Hash   string        `json:"hash"` // of exactly what was authorised
	By     person.ID     `json:"by,omitempty"`
	As     chat.Identity `json:"as,omitzero"`
	Role   person.Role   `json:"role,omitempty"`
	Policy string        `json:"policy,omitempty"` // "person: new-and-wider"; with it no person
	At     time.Time     `json:"at"`
}

// File is one file of a revision.
type File struct {
	Path string `json:"path"`
	Blob string `json:"blob"` // SHA-256 of its bytes
	Size int    `json:"size"` // bytes
}

// Revision is one whole version of a skill: kept for ever, decided on once.
type Revision struct {
	Ref
	Summary
	Hash        string        `json:"hash"` // of its bundle
	Files       []File        `json:"files"`
	State       RevisionState `json:"state"`
	Author      Author        `json:"author"`
	Reason      string        `json:"reason,omitempty"` // why it was proposed
	Team        person.TeamID `json:"team,omitempty"`   // where it was proposed: its admins decide on new rights of a person's skill
	Base        string        `json:"base,omitempty"`   // hash of what it changes; empty: a new skill
	Origin      chat.Origin   `json:"origin"`           // the worst of what it was made from
	Provenance  []Provenance  `json:"provenance,omitempty"`
	Findings    []Finding     `json:"findings,omitempty"`
	Permissions Permissions   `json:"permissions"`
	Adds        Permissions   `json:"adds"`              // what it may do that its base may not
	Scripts     bool          `json:"scripts,omitempty"` // it adds or changes a script
	Grant       *Grant        `json:"grant,omitempty"`
	Decided     string        `json:"decided,omitempty"` // reason of the decision
	Reminded    bool          `json:"reminded,omitempty"`
	Created     time.Time     `json:"created"`
	Expires     time.Time     `json:"expires"` // as a draft
}

// StateAt is the state at a time: a draft expires by itself.
func (r Revision) StateAt(now time.Time) RevisionState {
	if (r.State == Draft || r.State == Blocked) && !now.Before(r.Expires) {
		return Expired
	}
	return r.State
}

// Wider reports whether it asks for more than what it changes.
func (r Revision) Wider() bool { return !r.Adds.None() }

// privileged reports whether it asks for more of what reaches beyond its owner.
func (r Revision) privileged() bool { return r.Adds.Privileged() }

// sources are the people whose words or work the revision comes from.
func (r Revision) sources() []person.ID {
	var out []person.ID
	if !r.Author.Agent() {
		out = append(out, r.Author.Person)
	}
	for _, p := range r.Provenance {
		out = append(out, p.People...)
	}
	return out
}
