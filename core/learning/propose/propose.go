package propose

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"talaria/core/agent"
	"talaria/core/learning"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/edit"
	"talaria/core/trace"
	"talaria/storage"
)

// Case is the work that something was learned from, and for whom.
type Case struct {
	Who      person.Principal
	Task     trace.Task
	Observed learning.Observed
	Model    string // that wrote what is proposed
	// Unattended: nobody is there to see it happen. Cards may be added and their
	// confidence changed, with undo; a change of text is a draft for a person.
	Unattended bool
}

// Rule is IF a trigger THEN what to do.
type Rule struct {
	If, Then    string
	Kind        memory.Kind // of the card that it may become; empty: memory.Work
	Confidence  float64     // as the model states it, 0 to 1
	Contradicts []string    // ids of the cards that it speaks against
}

// Draft is a change of one skill, or a new skill.
type Draft struct {
	Name       string
	Reason     string
	Changes    []edit.Change // the first of them edit.Create: a new skill
	Confidence float64       // as the model states it, 0 to 1
}

// The tiers: what became of a proposal.
const (
	TierSkill  = "skill"  // a revision of a skill, or a new one: a draft, or live where the policy says so
	TierCard   = "card"   // a card in memory
	TierReport = "report" // only the report tells of it
)

// Result is what came of a proposal.
type Result struct {
	Line    string // for people: what was learned; empty: nothing to tell
	Undo    string // the command that takes it back; empty where nothing is in force
	See     string // the command that shows it
	Tier    string // TierSkill, TierCard or TierReport
	Skipped string // why nothing came of it; empty where something did
	Carded  bool   // a card of its own told of it: no notice is needed
}

// Config is what a Proposer works with.
type Config struct {
	Store   *storage.Store
	Library *skill.Library
	Memory  func(person.Principal) *memory.Handle
	// Announce shows a draft to those who decide about it.
	Announce func(ctx context.Context, p person.Principal, o skill.Outcome) error
	// Tool tells about one of the bot's tools, false for none of that name.
	Tool func(name string) (agent.Spec, bool)
	// In is how somebody is told what was learned, in their language; nil: in English.
	In     func(ctx context.Context, who person.ID) Tongue
	Limits Limits
	Zone   *time.Location // whose days count where nobody told theirs; nil: UTC
	Log    *slog.Logger
}

// Tongue puts what people are told into a language. It takes the format in
// English, and what goes into it, as fmt.Sprintf does.
type Tongue func(english string, args ...any) string

// Proposer takes in what reflection wants to be learned.
type Proposer struct {
	config Config
}

// New returns a Proposer. Without limits it keeps to the Defaults.
func New(c Config) *Proposer {
	if c.Limits == (Limits{}) {
		c.Limits = Defaults()
	}
	if c.In == nil {
		c.In = func(context.Context, person.ID) Tongue { return fmt.Sprintf }
	}
	return &Proposer{config: c}
}
