package daily

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/command"
	"talaria/gateway/wording"
	"talaria/storage"
)

const (
	drafts   = "brief" // collection in the person's partition; draftKey is its only key
	draftKey = "draft"
	draftFor = 24 * time.Hour
)

// draft is a set-up that is under way. A person has one at a time, and nobody
// else's buttons lead to it: it is looked up by whoever presses.
type draft struct {
	Token    string           `json:"token"`          // what the buttons of its card begin with
	Place    string           `json:"place"`          // where it is set up
	Made     bool             `json:"made,omitempty"` // it is over: the briefing is made, or given up
	When     string           `json:"when,omitempty"`
	Where    string           `json:"where,omitempty"` // here or dm
	Sections []Section        `json:"sections"`
	Lang     wording.Language `json:"lang,omitempty"` // as package when names it
}

// tokenOf makes a draft's token of the event that began it, so that the same
// event makes the same.
func tokenOf(event string) string {
	sum := sha256.Sum256([]byte(event))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:8])[:12])
}

// newDraft is a set-up at its first step.
func newDraft(event string, at chat.Address, lang wording.Language) draft {
	d := draft{Lang: lang, Token: tokenOf(event), Place: at.Place().String()}
	for _, s := range sections {
		d.Sections = append(d.Sections, s.Section)
	}
	return d
}

// choose notes what a button stands for. Each says what is to be, not what is to
// change, so a press may be carried out again. A choice that no button offers
// changes nothing.
func (v *draft) choose(action, choice string) {
	switch {
	case action == actWhen && slices.Contains(hours, choice):
		v.When = choice[:2] + ":" + choice[2:]
	case action == actWhere && (choice == "here" || choice == "dm"):
		v.Where = choice
	case action == actWhat:
		name, on := strings.CutSuffix(choice, "-on")
		name = strings.TrimSuffix(name, "-off")
		for _, s := range sections {
			if string(s.Section) == name {
				v.Sections = set(v.Sections, s.Section, on)
			}
		}
	}
}

// hours are the times that are offered as buttons.
var hours = []string{"0800", "0900"}

// set has a section among others, or not.
func set(all []Section, s Section, on bool) []Section {
	all = slices.DeleteFunc(all, func(have Section) bool { return have == s })
	if on {
		all = append(all, s)
	}
	return all
}

// schedule is when the briefing comes, in words of the scheduler's grammar.
func (v *draft) schedule() string {
	if len(v.When) == len("08:00") && v.When[2] == ':' {
		return v.Lang.Text(everyDayAt, v.When)
	}
	return v.When
}

// errNoDraft: there is no such set-up of this person's.
var errNoDraft = errors.New("no such set-up")

// current returns the person's set-up, or errNoDraft.
func (d *Desk) current(ctx context.Context, who person.Principal) (draft, error) {
	doc, err := storage.Get[draft](ctx, d.Store, storage.Person(string(who.Person)), drafts, draftKey)
	if errors.Is(err, storage.ErrNotFound) {
		return draft{}, errNoDraft
	}
	if err != nil {
		return draft{}, fmt.Errorf("read the set-up of a briefing: %w", err)
	}
	return doc.Value, nil
}

// underWay returns the set-up that the person began where they are, and has yet
// to end. It is not ok where there is none.
func (d *Desk) underWay(ctx context.Context, who person.Principal) (v draft, ok bool, err error) {
	v, err = d.current(ctx, who)
	if errors.Is(err, errNoDraft) {
		return v, false, nil
	}
	return v, err == nil && !v.Made && v.Place == who.Place.Place().String(), err
}

func (d *Desk) save(ctx context.Context, who person.Principal, v draft) error {
	b := storage.On(storage.Person(string(who.Person))).PutFor(drafts, draftKey, v, storage.Any, draftFor)
	if _, err := d.Store.Commit(ctx, b); err != nil {
		return fmt.Errorf("keep the set-up of a briefing: %w", err)
	}
	return nil
}

// pressed is the set-up that a button belongs to, and the button's choice.
func (d *Desk) pressed(ctx context.Context, p command.Press) (draft, string, error) {
	token, choice, _ := strings.Cut(p.Token, "-")
	v, err := d.current(ctx, p.Who)
	if err == nil && v.Token != token {
		err = errNoDraft
	}
	return v, choice, err
}
