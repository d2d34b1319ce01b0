package curate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"talaria/core/learning/reflect"
	"talaria/core/memory"
	"talaria/core/skill"
	"talaria/core/skill/match"
)

// Kind is what is to be done, or to be asked.
type Kind string

// The kinds. Those above the line are done, each with a way back; those below
// are asked, or proposed as a draft that a person decides on.
const (
	Rollback Kind = "roll back" // the revision in force does worse than the one before
	Stale    Kind = "stale"
	Archive  Kind = "archive"
	Promote  Kind = "promote" // an emerging card has held again
	Drop     Kind = "drop"    // an emerging card was contradicted, or never held again

	Doubt   Kind = "doubt"   // as Rollback, of a skill that is its owner's to change
	Pin     Kind = "pin"     // it is much used, and worth being protected
	Improve Kind = "improve" // a revision is proposed, from its failed uses
	Collect Kind = "collect" // its uses met pitfalls that it does not tell of, and a revision with them is proposed
	Prune   Kind = "prune"   // it fails more often than not
	Rewrite Kind = "rewrite" // so it does, and a new text is proposed, from its successes
	Merge   Kind = "merge"   // skills overlap, and one for all of them is proposed
	Ask     Kind = "ask"     // two cards contradict each other
)

// Action is one thing to do or to ask. It holds only while the skill is in the
// revision that it was planned for.
type Action struct {
	Kind     Kind     `json:"kind"`
	Skill    string   `json:"skill,omitempty"`    // its name
	Revision int      `json:"revision,omitempty"` // of it, in force
	With     []string `json:"with,omitempty"`     // Merge: the other skills; Ask: the other card's id
	Card     string   `json:"card,omitempty"`     // id of the card that it is about
	Text     string   `json:"text,omitempty"`     // what the card says, or both of them do
	Why      string   `json:"why"`                // the evidence
	Once     string   `json:"once,omitempty"`     // key under which it is asked no second time
}

// Plan is what one look at a scope comes to. It is a value: what is shown is
// what is carried out.
type Plan struct {
	Scope   skill.Scope `json:"scope"`
	At      time.Time   `json:"at"`
	Actions []Action    `json:"actions,omitempty"`
}

// Look is all that a plan is made from.
type Look struct {
	Scope  skill.Scope
	Now    time.Time
	Last   time.Time // of the look before; zero: this is the first
	Skills []Subject // by name
	Cards  []memory.Card
	Asked  map[string]time.Time // what was asked before, by Action.Once
}

// Subject is a skill with how it has done.
type Subject struct {
	skill.Skill
	Stats  skill.Stats
	Before int         // number of the authorised revision before the one in force; zero: none
	Uses   []skill.Use // the last ones of the revision in force, the latest first
	// Pitfalls are what those that succeeded met and it does not tell of.
	Pitfalls []string
}

// own reports whether it is the bot's to look after.
func (s Subject) own() bool { return own(s.Skill) }

func own(s skill.Skill) bool { return s.CreatedBy == skill.ByAgent && !s.Pinned }

// Limits are the measures of upkeep.
type Limits struct {
	StaleAfter   time.Duration // without a use
	ArchiveAfter time.Duration
	Window       int           // uses that are looked at
	Enough       int           // uses that say something
	Rewritten    int           // uses of a failing revision from which on a new text is proposed
	Keep         float64       // success above it is well enough
	Prune        float64       // success below it is worse than none
	Compared     int           // uses from which on a revision is compared with the one before
	MuchUsed     int           // uses from which on a pin is proposed
	Overlap      float64       // similarity from which on two skills are for one class of work
	Written      int           // texts that are written anew in one look; the others wait until they are used again
	Shown        int           // uses of each kind that a model sees to write one
	WholeSteps   int           // of each use, the latest, which it sees whole
	Answer       int           // tokens of what it writes
	Pitfalls     int           // that one look adds to a skill
	AskedAgain   time.Duration // after which what nobody answered is asked once more
}

// Defaults are the limits of the product.
func Defaults() Limits {
	const day = 24 * time.Hour
	return Limits{
		StaleAfter: 14 * day, ArchiveAfter: 30 * day, Window: 20, Enough: 5, Rewritten: 10,
		Keep: 0.9, Prune: 0.5, Compared: 8, MuchUsed: 30, Overlap: match.Alike, Written: 5,
		Shown: 5, WholeSteps: reflect.WholeSteps, Answer: 8000, Pitfalls: 5, AskedAgain: 180 * day,
	}
}

// Decide makes the plan. It is pure: the same look always comes to the same.
func Decide(l Look, lim Limits) Plan {
	p := Plan{Scope: l.Scope, At: l.Now}
	written := 0
	add := func(a Action, ok bool) bool {
		writes := a.Kind == Improve || a.Kind == Rewrite || a.Kind == Merge
		if !ok || !l.Asked[a.Once].IsZero() || writes && written == lim.Written {
			return ok
		}
		if writes {
			written++
		}
		p.Actions = append(p.Actions, a)
		return true
	}
	var kept []Subject
	for _, s := range l.Skills {
		switch {
		case !s.Live(), add(worse(s, l, lim)), add(idle(s, l.Now, lim)):
		case add(quality(s, l, lim)):
		default:
			add(pitfalls(s, l))
			add(muchUsed(s, l, lim))
			kept = append(kept, s)
		}
	}
	for _, a := range overlaps(kept, l, lim) {
		add(a, true)
	}
	for _, a := range cards(l, lim) {
		add(a, true)
	}
	return p
}

// about is an action about a skill, asked once for each of its revisions.
func (s Subject) about(k Kind, format string, args ...any) Action {
	return Action{
		Kind: k, Skill: s.Name, Revision: s.InForce, Why: fmt.Sprintf(format, args...),
		Once: fmt.Sprintf("%s %s@%d", k, s.Name, s.InForce),
	}
}

// looked reports whether a skill was used or changed since the last look. A use
// in the very millisecond of the look may have come after it.
func (l Look) looked(s Subject) bool {
	return !s.Stats.LastUsed.Before(l.Last) || s.Updated.After(l.Last)
}

// worse: the revision in force does worse than the one before.
func worse(s Subject, l Look, lim Limits) (Action, bool) {
	now, before := s.Stats.Revisions[s.InForce], s.Stats.Revisions[s.Before]
	if s.Before == 0 || now.Uses() < lim.Compared || !l.looked(s) {
		return Action{}, false
	}
	p := Worse(now, before)
	if p <= certain(now.Uses()) {
		return Action{}, false
	}
	kind := Rollback
	if !s.own() {
		kind = Doubt
	}
	a := s.about(kind, "revision %d succeeded in %d of %d uses, revision %d in %d of %d: worse with a probability of %.1f %%",
		s.InForce, now.Successes, now.Uses(), s.Before, before.Successes, before.Uses(), 100*p)
	return a, true
}

// idle: it was not used for long. A decision about it counts like a use, and so
// does its birth: who brought a skill back wants it.
func idle(s Subject, now time.Time, lim Limits) (Action, bool) {
	if !s.own() {
		return Action{}, false
	}
	last := s.Created
	if s.Stats.LastUsed.After(last) {
		last = s.Stats.LastUsed
	}
	if s.State == skill.Active && s.Updated.After(last) {
		last = s.Updated
	}
	unused := now.Sub(last)
	const why = "not used for %d days"
	days := int(unused.Hours() / 24)
	switch {
	case unused >= lim.ArchiveAfter:
		return s.about(Archive, why, days), true
	case unused >= lim.StaleAfter && s.State == skill.Active:
		return s.about(Stale, why, days), true
	}
	return Action{}, false
}

// success is the share of uses that succeeded.
func success(uses []skill.Use) float64 {
	n := 0
	for _, u := range uses {
		if u.Success {
			n++
		}
	}
	return float64(n) / float64(max(len(uses), 1))
}

// quality: how the revision in force did of late.
func quality(s Subject, l Look, lim Limits) (Action, bool) {
	if len(s.Uses) < lim.Enough || s.Pending > 0 || !l.looked(s) {
		return Action{}, false
	}
	rate := success(s.Uses)
	kind := Improve
	switch uses := s.Stats.Revisions[s.InForce].Uses(); {
	case rate > lim.Keep:
		return Action{}, false
	case rate < lim.Prune && uses >= lim.Rewritten:
		kind = Rewrite
	case rate < lim.Prune:
		kind = Prune
	}
	return s.about(kind, "%.0f %% of the last %d uses succeeded", 100*rate, len(s.Uses)), true
}

// muchUsed: it would be a loss.
func muchUsed(s Subject, l Look, lim Limits) (Action, bool) {
	often := s.Stats.Uses() >= lim.MuchUsed && len(s.Uses) >= lim.Enough && success(s.Uses) > lim.Keep
	if !s.own() || !often || !l.looked(s) {
		return Action{}, false
	}
	a := s.about(Pin, "used %d times, and well", s.Stats.Uses())
	a.Once = string(Pin) + " " + s.Name // whatever becomes of its text
	return a, true
}

// Names are the names of the skills that a plan does something with.
func (p Plan) Names() []string {
	var out []string
	for _, a := range p.Actions {
		out = append(append(out, a.Skill), a.With...)
	}
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(s string) bool { return s == "" })
}

// String is a plan as a person reads it, one action a line.
func (p Plan) String() string {
	var b strings.Builder
	for _, a := range p.Actions {
		fmt.Fprintf(&b, "%s %s", a.Kind, cmp.Or(a.Skill, "card "+a.Card))
		if len(a.With) > 0 {
			b.WriteString(" with " + strings.Join(a.With, ", "))
		}
		if a.Text != "" {
			fmt.Fprintf(&b, " %q", a.Text)
		}
		b.WriteString(": " + a.Why + "\n")
	}
	return b.String()
}
