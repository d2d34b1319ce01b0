package curate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/trace"
	"talaria/storage"
)

// Switch is what a changed preference led to. It can be undone as a whole.
type Switch struct {
	Turn     string        `json:"turn"` // in which it was said
	New      string        `json:"new"`
	Old      string        `json:"old"`
	Card     string        `json:"card"`               // the new one's text
	Lowered  []string      `json:"lowered,omitempty"`  // texts of cards that are believed less now
	Change   int           `json:"change,omitempty"`   // of memory, for undoing
	Archived []string      `json:"archived,omitempty"` // names of the person's skills
	Left     []string      `json:"left,omitempty"`     // such as are pinned, or not the bot's own
	Shared   []skill.Ref   `json:"shared,omitempty"`   // such as others use too: only proposed
	At       time.Time     `json:"at"`
	Done     bool          `json:"done,omitempty"`
	Undone   bool          `json:"undone,omitempty"`
	Place    chat.Address  `json:"place"`
	Team     person.TeamID `json:"team,omitempty"`
}

const (
	switches   = "curate.switch" // documents of Switch, by turn
	switchKept = 90 * 24 * time.Hour
)

// ErrNoSwitch: no change of preferences can be taken back.
var ErrNoSwitch = errors.New("no change of preferences to take back")

// Switches carries changed preferences out.
type Switches struct {
	Store  *storage.Store
	Upkeep skill.Upkeep
	// Tell tells the person what was done.
	Tell func(ctx context.Context, who person.Principal, s Switch) error
}

// Said looks at what somebody said, and where it changes a preference of
// theirs puts their own skills for the old thing away, believes cards about it
// less, and keeps a card of the new one. In a shared place nothing of theirs is
// shown, so there only the place's skills are named, for its approvers. A turn
// is dealt with once; begun again after a failure, it goes on.
func (w Switches) Said(ctx context.Context, who person.Principal, task string, t trace.Turn) error {
	p, ok := ReadPreference(t.Asked)
	if !ok {
		return nil
	}
	home := storage.Person(string(who.Person))
	d, err := storage.Get[Switch](ctx, w.Store, home, switches, t.ID)
	if err != nil && !errors.Is(err, storage.ErrNotFound) {
		return err
	}
	if d.Value.Done {
		return nil
	}
	if d.Revision == storage.Absent {
		now, err := w.Store.Now(ctx)
		if err != nil {
			return err
		}
		d.Value = Switch{Turn: t.ID, New: p.New, Old: p.Old, Card: p.Said, At: now, Place: who.Place, Team: who.Team}
		if err := w.begin(ctx, who, &d.Value); err != nil {
			return err
		}
		if d.Revision, err = w.put(ctx, home, d.Value, d.Revision); err != nil {
			return err
		}
	}
	if err := w.carryOut(ctx, who, &d.Value, task, t); err != nil {
		return fmt.Errorf("change a preference: %w", err)
	}
	d.Value.Done = true
	if len(d.Value.Archived)+len(d.Value.Left)+len(d.Value.Shared)+d.Value.Change > 0 {
		if err := w.Tell(ctx, who, d.Value); err != nil {
			return err
		}
	}
	_, err = w.put(ctx, home, d.Value, d.Revision)
	return err
}

func (w Switches) put(ctx context.Context, at storage.Partition, s Switch, expect storage.Revision) (storage.Revision, error) {
	done, err := w.Store.Commit(ctx, storage.On(at).PutFor(switches, s.Turn, s, expect, switchKept))
	if err != nil {
		return 0, fmt.Errorf("note a changed preference: %w", err)
	}
	return done[0].Revision, nil
}

// begin finds the skills that are meant, so that they are the same when it is
// begun again.
func (w Switches) begin(ctx context.Context, who person.Principal, s *Switch) error {
	scopes := []skill.Scope{skill.Here(who)}
	if who.Team != "" {
		scopes = append(scopes, skill.OfTeam(who.Team))
	}
	for _, scope := range scopes {
		shelf, err := w.Upkeep.Shelf(ctx, scope)
		if err != nil {
			return err
		}
		for _, k := range shelf {
			switch {
			case !k.Live() || !isAbout(k, *s):
			case scope.Kind != skill.Person:
				s.Shared = append(s.Shared, k.Ref)
			case k.CreatedBy == skill.ByAgent && !k.Pinned:
				s.Archived = append(s.Archived, k.Name)
			default:
				s.Left = append(s.Left, k.Name)
			}
		}
	}
	return nil
}

// isAbout reports whether a skill is for the old thing and not for both.
func isAbout(k skill.Skill, s Switch) bool {
	says := strings.Join(append(append([]string{k.Name, k.Description}, k.Triggers...), k.Tags...), "\n")
	return mentions(says, s.Old) && !mentions(says, s.New)
}

// carryOut does what was found. All of it bears being done again.
func (w Switches) carryOut(ctx context.Context, who person.Principal, s *Switch, task string, t trace.Turn) error {
	if !who.Direct {
		return nil
	}
	why := fmt.Sprintf("its person uses %s now, not %s", s.New, s.Old)
	for _, name := range s.Archived {
		ref := skill.Ref{Scope: skill.OfPerson(who.Person), Name: name}
		if _, err := w.Upkeep.Retire(ctx, ref, skill.Archived, why); err != nil && !isRefusal(err) {
			return err
		}
	}
	h := memory.For(w.Store, who)
	all, err := h.List(ctx)
	if err != nil {
		return err
	}
	var against []string
	for _, c := range all {
		if c.State.Used() && mentions(c.Text, s.Old) && !mentions(c.Text, s.New) {
			against = append(against, c.ID)
		}
	}
	const stated = 0.9 // a reasoned word of the person's own
	done, err := h.Learn(ctx, memory.Lesson{
		Kind: memory.Profile, Text: s.Card, Confidence: stated, Origin: chat.Member, Spoken: t.Asked, Task: task, Message: t.Message, Against: against,
	})
	if errors.Is(err, memory.ErrSecret) || errors.Is(err, memory.ErrHostile) || errors.Is(err, memory.ErrInvalid) || errors.Is(err, memory.ErrFull) {
		s.Card = ""
		return nil
	}
	if err != nil || done.Change == 0 {
		return err
	}
	s.Change = done.Change
	for _, c := range done.Lowered {
		s.Lowered = append(s.Lowered, c.Text)
	}
	return nil
}

// Restorer brings archived skills back on a person's word.
type Restorer interface {
	Restore(ctx context.Context, p person.Principal, r skill.Ref, reason string) (skill.Skill, error)
}

// Undo takes the latest change of who's preferences back: the skills that it
// put away, and what it did to memory. It returns what could not be brought
// back because it was changed since.
func (w Switches) Undo(ctx context.Context, who person.Principal, library Restorer) (Switch, []string, error) {
	home := storage.Person(string(who.Person))
	last, err := w.last(ctx, home)
	if err != nil {
		return Switch{}, nil, err
	}
	var kept []string
	for _, name := range last.Value.Archived {
		_, err := library.Restore(ctx, who, skill.Ref{Scope: skill.OfPerson(who.Person), Name: name}, "the change of preferences was taken back")
		if isRefusal(err) {
			kept = append(kept, name)
		} else if err != nil {
			return Switch{}, nil, err
		}
	}
	if last.Value.Change > 0 {
		err := memory.For(w.Store, who).Undo(ctx, last.Value.Change)
		if errors.Is(err, memory.ErrChanged) || errors.Is(err, storage.ErrNotFound) {
			kept = append(kept, "memory")
		} else if err != nil {
			return Switch{}, nil, err
		}
	}
	last.Value.Undone = true
	_, err = w.put(ctx, home, last.Value, last.Revision)
	return last.Value, kept, err
}

func (w Switches) last(ctx context.Context, at storage.Partition) (storage.Doc[Switch], error) {
	const most = 500
	docs, err := storage.List[Switch](ctx, w.Store, at, switches, "", most)
	if err != nil {
		return storage.Doc[Switch]{}, fmt.Errorf("look for a changed preference: %w", err)
	}
	var last storage.Doc[Switch]
	for _, d := range docs {
		if d.Value.Done && !d.Value.Undone && d.Value.At.After(last.Value.At) {
			last = d
		}
	}
	if last.Value.Turn == "" {
		return last, ErrNoSwitch
	}
	return last, nil
}
