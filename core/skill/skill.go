package skill

import (
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill/manifest"
)

// State is what has become of a skill.
type State string

// The states of a skill. Only active and stale ones are in force.
const (
	Proposed   State = ""           // nothing of it was authorised yet
	Active     State = "active"     //
	Stale      State = "stale"      // unused for long: listed last, and active again once used
	Archived   State = "archived"   // put away; can be restored
	Disabled   State = "disabled"   // a person's veto, at once and everywhere
	Deprecated State = "deprecated" // failed its health check; a new revision is needed
)

// Creator is how a skill came into being. What is not made by the agent is
// protected: the agent may propose a change to its owner and never writes.
type Creator string

// The creators.
const (
	ByAgent    Creator = "agent"
	ByPerson   Creator = "person"
	ByImport   Creator = "import"
	ByExternal Creator = "external" // of a folder outside, read only
	Bundled    Creator = "bundled"  // came with the program
)

// Summary is what a SKILL.md says about itself, for lists and for matching.
type Summary struct {
	Description string   `json:"description,omitempty"`
	Triggers    []string `json:"triggers,omitempty"`
	Category    string   `json:"category,omitempty"`
	Tags        []string `json:"tags,omitempty"`
	Related     []string `json:"related,omitempty"`
	Platforms   []string `json:"platforms,omitempty"`
	Needs       []string `json:"needs,omitempty"` // tools without which it can't work
}

func summary(m manifest.Manifest) Summary {
	return Summary{
		Description: m.Description, Triggers: m.Triggers, Category: m.Category,
		Tags: m.Tags, Related: m.RelatedSkills, Platforms: m.Platforms, Needs: m.Requires.Tools,
	}
}

// Skill is what is known of a skill without its files.
type Skill struct {
	Ref                       // Number is zero
	Summary                   // of the revision in force, or of the first draft
	State       State         `json:"state"`
	Pinned      bool          `json:"pinned,omitempty"`
	CreatedBy   Creator       `json:"created_by"`
	Owner       person.ID     `json:"owner,omitempty"`     // on whose behalf it was first proposed
	From        chat.Identity `json:"from,omitzero"`       // as which account
	Link        string        `json:"link,omitempty"`      // with which linked account it came here
	Permissions Permissions   `json:"permissions"`         // of the revision in force
	InForce     int           `json:"in_force,omitempty"`  // number of the authorised revision; zero: none
	Hash        string        `json:"hash,omitempty"`      // of that revision, as it was authorised
	Pending     int           `json:"pending,omitempty"`   // number of the draft that waits; it may have expired
	Last        int           `json:"last"`                // highest number so far
	Generation  int           `json:"generation"`          // patch_generation: how often it was patched
	SharedAt    []string      `json:"shared_at,omitempty"` // of a person: places where its owner's turns see it; of a space: those that it is offered to
	Follows     *Ref          `json:"follows,omitempty"`   // whose revisions are proposed here
	Taken       string        `json:"taken,omitempty"`     // hash of Follows that was taken last
	Why         string        `json:"why,omitempty"`       // reason of the present state
	Created     time.Time     `json:"created"`
	Updated     time.Time     `json:"updated"`

	// Subscribed is how the skill of another space came to be seen where it was
	// asked for; nil for one of that place itself.
	Subscribed *Link `json:"-"`
}

// Live reports whether the skill may be used: it is in force in a revision
// that was authorised.
func (s Skill) Live() bool {
	return (s.State == Active || s.State == Stale) && s.Hash != ""
}
