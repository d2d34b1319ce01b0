package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/gateway/command"
	"talaria/gateway/inbox"
	"talaria/gateway/wording"
	"talaria/storage"
)

// gate lets events in: it looks up what is known, has core/person decide, and
// puts what follows from it into words.
type gate struct {
	store     *storage.Store
	directory *person.Directory
	library   *skill.Library
	commands  *command.Table
	maxAge    time.Duration
	inviters  map[string]chat.Inviter
}

var _ inbox.Gate = (*gate)(nil)

// Admit implements inbox.Gate.
func (g *gate) Admit(ctx context.Context, came chat.Event) (inbox.Verdict, error) {
	e := command.Typed(came)
	known, who, err := g.known(ctx, e)
	if err != nil {
		return inbox.Verdict{}, err
	}
	if e.Kind == chat.Edit {
		return g.edit(e, known, who), nil
	}
	known.Waiting = e.Kind == chat.Delete // the lane knows, and does nothing where it does not
	d := person.Decide(e, known)
	switch {
	case e.Kind != came.Kind && person.Decide(came, known).Reason == person.NotAddressed:
		d = person.Decision{Reason: person.NotAddressed} // a command as talk among people
	case d.Do != person.Drop && g.another(ctx, e, who):
		d = person.Decision{Reason: person.NotAddressed}
	}
	v, err := g.follow(ctx, e, who, d)
	if v.Event == nil && e.Command != came.Command {
		v.Event = &e
	}
	return v, err
}

// known is what an event is decided on, with its author's principal.
func (g *gate) known(ctx context.Context, e chat.Event) (person.Known, person.Principal, error) {
	known, who, err := g.directory.Known(ctx, e)
	if err != nil {
		return known, who, err
	}
	known.Now, known.MaxAge = time.Now(), g.maxAge
	return known, who, g.vouch(ctx, e, &known)
}

// vouch asks the platform about a person whom nothing else lets in.
func (g *gate) vouch(ctx context.Context, e chat.Event, known *person.Known) error {
	inviter := g.inviters[e.Address.Platform]
	if e.Direct || inviter == nil || known.Space != person.SpaceOn || person.AtLeast(known.Role, person.Member) || e.Author.Bot || e.Author.Anonymous {
		return nil
	}
	member, err := inviter.Member(ctx, e.Address, e.Author.Identity)
	if err != nil {
		return fmt.Errorf("ask whether the author is a member: %w", err)
	}
	known.FullMember = member
	return nil
}

func (g *gate) follow(ctx context.Context, e chat.Event, who person.Principal, d person.Decision) (inbox.Verdict, error) {
	switch d.Do {
	case person.Serve:
		who.Role = d.Role
		if err := g.directory.Been(ctx, who); err != nil {
			return inbox.Verdict{}, err
		}
		return inbox.Verdict{Take: true, Who: who, Event: g.callsSkill(ctx, e, who)}, nil
	case person.Upkeep, person.Withdraw:
		return inbox.Verdict{Take: true, Who: who}, nil
	case person.Tell:
		who.Role = d.Role
		ctx, err := wording.For(ctx, g.store, who, e)
		late := wording.Say(ctx, "This reached me late (I was away), so I did not act on it. Please send it again if it still matters.")
		return inbox.Verdict{Take: true, Who: who, Say: &late}, err
	case person.Pair:
		return g.pair(wording.ForStranger(ctx, e), who)
	case person.TurnAway:
		return g.turnAway(wording.ForStranger(ctx, e), who, d.Reason)
	}
	return inbox.Verdict{Reason: string(d.Reason)}, nil
}

// pair offers a stranger a code, as far as the limits allow; beyond them there
// is silence.
func (g *gate) pair(ctx context.Context, who person.Principal) (inbox.Verdict, error) {
	code, err := g.directory.Offer(ctx, who)
	if errors.Is(err, person.ErrTooMany) {
		return inbox.Verdict{Reason: string(person.Stranger)}, nil
	}
	if err != nil {
		return inbox.Verdict{}, err
	}
	hello := wording.Say(ctx, "Hello! I don't know you yet. Please give this code to an admin of mine: `%s`\n\n"+
		"They let you in with `/pair %s`. It is good for an hour.", code, code)
	return inbox.Verdict{Take: true, Who: who, Say: &hello}, nil
}

// another reports whether a command is some other bot's: nobody was named, and
// neither a command of ours nor a skill, in use or not, is called so.
func (g *gate) another(ctx context.Context, e chat.Event, who person.Principal) bool {
	if e.Kind != chat.Command || !e.Command.Shared {
		return false
	}
	if _, known := g.commands.Lookup(e.Command.Name); known {
		return false
	}
	_, err := g.library.Find(ctx, who, skillCalled(e.Command.Name))
	return errors.Is(err, skill.ErrNotFound)
}

// turnAway says why somebody is not served, as far as the limits allow.
func (g *gate) turnAway(ctx context.Context, who person.Principal, why person.Reason) (inbox.Verdict, error) {
	err := g.directory.Hint(ctx, who)
	switch {
	case errors.Is(err, person.ErrTooMany), errors.Is(err, person.ErrForbidden):
		return inbox.Verdict{Reason: string(why)}, nil
	case err != nil:
		return inbox.Verdict{}, err
	}
	words := wording.Say(ctx, "I don't know you yet, so I did nothing. Write to me in a direct message: there I say how you are let in.")
	switch why {
	case person.GuestInSpace:
		words = wording.Say(ctx, "Guests can't use me here, so I did nothing. An admin can change that.")
	case person.SpaceClosed:
		words = wording.Say(ctx, "I am switched off in this place, so I did nothing. An admin can change that with `/settings here on`.")
	}
	return inbox.Verdict{Take: true, Who: who, Say: &words}, nil
}

// edit lets an edit through to a message that may still wait, and makes it a
// message of its own where it adds the mention. Which of the two it is shows
// where the message is kept: under the same key it comes only once.
func (g *gate) edit(e chat.Event, known person.Known, who person.Principal) inbox.Verdict {
	own := person.Decide(e, known)
	known.Waiting = true
	d := person.Decide(e, known)
	if d.Do != person.Replace {
		return inbox.Verdict{Reason: string(d.Reason)}
	}
	v := inbox.Verdict{Take: true, Who: who}
	message, _, ok := strings.Cut(e.Key(), ":edit:")
	if own.Do == person.Serve && ok {
		m := e
		m.Kind, m.Keys, m.Edited = chat.Message, []string{message}, true
		who.Role = own.Role
		v.Also = &inbox.Envelope{Event: m, Who: who}
	}
	return v
}
