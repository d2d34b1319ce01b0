package command

import (
	"context"
	"errors"
	"slices"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/wording"
)

// Press is a pressed button, or a form that was submitted, as it is carried
// out.
type Press struct {
	Who     person.Principal // resolved at the press: rights are those of now
	Event   chat.Event
	Session Session
	Token   string            // the button's, or the form's
	Value   string            // the choice, where it was a list
	Values  map[string]string // what was entered, where it was a form
}

// PressOf reads a press or a submitted form.
func PressOf(who person.Principal, e chat.Event, s Session) Press {
	p := Press{Who: who, Event: e, Session: s}
	switch {
	case e.Press != nil:
		p.Token, p.Value = e.Press.Token, e.Press.Value
	case e.Form != nil:
		p.Token, p.Values = e.Form.Token, e.Form.Values
	}
	return p
}

// Reaction is what a press comes to.
type Reaction struct {
	Say  chat.Post  // to whoever pressed; empty says nothing
	Card *chat.Post // what the pressed message becomes; nil leaves it as it is
	// Aside says that Say tells why the press came to nothing. Where a platform has
	// no private messages but a private notice, it is such.
	Aside bool
}

// Action answers the buttons and the forms of one name. It may run again for
// the same press after a crash, and must come to the same.
type Action struct {
	Name string      // Button.Action
	Role person.Role // the least role that may press; what it is about may ask for more
	// Form is the form that the press opens, where the platform has forms;
	// without one, and on other platforms, Run answers the press itself.
	Form func(ctx context.Context, p Press) (*chat.FormSpec, error)
	Run  func(ctx context.Context, p Press) (Reaction, error)
}

// Press carries a press out. Refusals are answers, not errors.
func (t *Table) Press(ctx context.Context, p Press) (Reaction, error) {
	a, ok := t.action(p.Event)
	switch {
	case !ok:
		return Reaction{Say: wording.Say(ctx, "That button is of no use any more."), Aside: true}, nil
	case !allowed(p.Who.Role, a.Role):
		return Reaction{Say: wording.Say(ctx, "This needs the role **%s**; yours is **%s**.", a.Role, p.Who.Role), Aside: true}, nil
	}
	done, err := a.Run(ctx, p)
	if r, ok := errors.AsType[*Refusal](err); ok {
		return Reaction{Say: r.Post, Aside: true}, nil
	}
	return done, err
}

// Form is the form that a press opens, nil where it opens none, also to those
// who may not press.
func (t *Table) Form(ctx context.Context, p Press) (*chat.FormSpec, error) {
	a, ok := t.action(p.Event)
	if !ok || a.Form == nil || p.Event.Press == nil || !allowed(p.Who.Role, a.Role) {
		return nil, nil
	}
	return a.Form(ctx, p)
}

func (t *Table) action(e chat.Event) (Action, bool) {
	var name string
	switch {
	case e.Press != nil:
		name = e.Press.Action
	case e.Form != nil:
		name = e.Form.Action
	}
	n := slices.IndexFunc(t.actions, func(a Action) bool { return a.Name == name })
	if n < 0 {
		return Action{}, false
	}
	return t.actions[n], true
}
