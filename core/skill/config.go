package skill

import (
	"cmp"
	"context"
	"time"

	"talaria/core/person"
)

// Policy is what needs a person's yes.
type Policy string

// The policies.
const (
	All         Policy = "all"           // everything
	NewAndWider Policy = "new-and-wider" // new skills, and revisions that widen permissions or touch scripts
	None        Policy = "none"          // nothing; each grant is recorded
)

// Config is what the operator says about skills.
type Config struct {
	// Policy by scope; a kind that is missing is NewAndWider for Person, else All.
	Policy map[Kind]Policy
	// External are folders of skills that somebody else keeps.
	External []External
	// DraftFor is how long a draft waits for a decision, RemindAfter when its
	// approvers are reminded. Zero: the constants of these names.
	DraftFor, RemindAfter time.Duration
	// LatestUse is the weight of the latest use in the trend of success that is shown.
	// Zero: the constant of this name.
	LatestUse float64
	// Offers reports whether there is a tool that a skill needs, for p. Nil: all are.
	Offers func(p person.Principal, tool string) bool
}

func (c Config) policy(k Kind) Policy {
	switch p := c.Policy[k]; {
	case p == All, p == NewAndWider, p == None:
		return p
	case k == Person:
		return NewAndWider
	}
	return All
}

func (c Config) draftFor() time.Duration { return cmp.Or(c.DraftFor, DraftFor) }

func (c Config) remindAfter() time.Duration { return cmp.Or(c.RemindAfter, RemindAfter) }

func (c Config) latestUse() float64 { return cmp.Or(c.LatestUse, LatestUse) }

// Authority says what somebody may do now. person.Directory is one.
type Authority interface {
	// Renew is p with the rights it has now at p.Place.
	Renew(ctx context.Context, p person.Principal) (person.Principal, error)
	// TeamRole is the role that p has in all of its team.
	TeamRole(ctx context.Context, p person.Principal) (person.Role, error)
	// Teams are the teams whose skills p may see.
	Teams(ctx context.Context, p person.Principal) ([]person.TeamID, error)
	// Another reports whether somebody else has at least the role where p
	// acts; with wide, in all of its team.
	Another(ctx context.Context, p person.Principal, role person.Role, wide bool) (bool, error)
}
