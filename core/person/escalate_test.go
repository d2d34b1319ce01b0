package person_test

import (
	"errors"
	"slices"
	"testing"

	"talaria/core/chat"
	"talaria/core/person"
)

func TestAnAdminOfOnePlaceHasNoSayBeyondIt(t *testing.T) {
	w := newWorld(t)
	d := w.directory(person.Config{Admins: []chat.Identity{slack("U1")}})
	if err := d.SetRole(t.Context(), w.at(d, slack("U1"), channel, false), slack("U2"), person.Admin, false); err != nil {
		t.Fatal(err)
	}
	local := w.at(d, slack("U2"), channel, false)
	if err := d.SetRole(t.Context(), local, slack("U3"), person.Admin, true); !errors.Is(err, person.ErrForbidden) {
		t.Errorf("made somebody an admin of the team: %v", err)
	}
	if err := d.SetRole(t.Context(), local, slack("U3"), person.Member, false); err != nil {
		t.Errorf("has no say in the place: %v", err)
	}
	code := must(d.Offer(t.Context(), w.direct(d, slack("U4"))))(t)
	if _, err := d.Pair(t.Context(), local, code); !errors.Is(err, person.ErrForbidden) {
		t.Errorf("let a stranger in everywhere: %v", err)
	}
}

func TestAnAdminLetsNobodyIntoAnotherWorkspace(t *testing.T) {
	w := newWorld(t)
	d := w.directory(person.Config{Admins: []chat.Identity{slack("U1")}})
	stranger := chat.Identity{Platform: "slack", Workspace: "T2", ID: "U9"}
	code := must(d.Offer(t.Context(), w.direct(d, stranger)))(t)
	if _, err := d.Pair(t.Context(), w.direct(d, slack("U1")), code); err == nil {
		t.Errorf("let in: the stranger is %q", w.direct(d, stranger).Role)
	}
}

func TestLinkedAccountsHaveNoMoreRightsThanTheOneThatWasLetIn(t *testing.T) {
	w := newWorld(t)
	d := w.directory(person.Config{Admins: []chat.Identity{slack("U1")}}, &ledger{})
	if err := d.SetRole(t.Context(), w.direct(d, slack("U1")), slack("U2"), person.Guest, true); err != nil {
		t.Fatal(err)
	}
	code := must(d.LinkCode(t.Context(), w.direct(d, slack("U2"))))(t)
	must(d.Link(t.Context(), w.direct(d, telegram("2")), code))(t)
	if r := w.direct(d, telegram("2")).Role; r != person.Guest {
		t.Errorf("linked to a guest: %q", r)
	}
}

func TestAGuestStaysOneWhenRightsAreRenewed(t *testing.T) {
	w := newWorld(t)
	d := w.directory(person.Config{Admins: []chat.Identity{slack("U1")}})
	code := must(d.Offer(t.Context(), w.direct(d, slack("U2"))))(t)
	must(d.Pair(t.Context(), w.direct(d, slack("U1")), code))(t)
	dm := w.direct(d, slack("U2")).Place
	p := must(d.Resolve(t.Context(), chat.Author{Identity: slack("U2"), Guest: true}, dm, true))(t)
	if now := must(d.Renew(t.Context(), p))(t); p.Role != person.Guest || now.Role != person.Guest {
		t.Errorf("%q became %q", p.Role, now.Role)
	}
}

// guestOf is an account that its platform has as a guest, which an admin let in
// and which has written to the bot.
func (w *world) guestOf(d *person.Directory, i chat.Identity) person.Principal {
	w.t.Helper()
	code := must(d.Offer(w.t.Context(), w.direct(d, i)))(w.t)
	must(d.Pair(w.t.Context(), w.direct(d, slack("U1")), code))(w.t)
	return w.writes(d, chat.Author{Identity: i, Guest: true})
}

// writes is what somebody is served as who writes to the bot alone.
func (w *world) writes(d *person.Directory, a chat.Author) person.Principal {
	w.t.Helper()
	e := chat.Event{Kind: chat.Message, Author: a, Direct: true, Address: chat.Address{Platform: a.Identity.Platform, Workspace: a.Identity.Workspace, Chat: "dm-" + a.Identity.ID}}
	_, p, err := d.Known(w.t.Context(), e)
	if err == nil && p.Role != person.Nobody {
		err = d.Been(w.t.Context(), p)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

func TestAGuestIsNoMoreByLinkingAnotherAccount(t *testing.T) {
	w := newWorld(t)
	d := w.directory(person.Config{Admins: []chat.Identity{slack("U1")}}, &ledger{})
	guest := w.guestOf(d, slack("U2"))
	code := must(d.LinkCode(t.Context(), guest))(t)
	must(d.Link(t.Context(), w.direct(d, telegram("2")), code))(t)
	if r := w.writes(d, chat.Author{Identity: telegram("2")}).Role; r != person.Guest {
		t.Errorf("on the other platform the guest is %q", r)
	}
	w.writes(d, chat.Author{Identity: slack("U2")}) // became a full member meanwhile
	if r := w.writes(d, chat.Author{Identity: telegram("2")}).Role; r != person.Member {
		t.Errorf("on the other platform the full member is %q", r)
	}
}

func TestAMembersLinkedAccountStaysAGuestWhereItIsOne(t *testing.T) {
	w := newWorld(t)
	d := w.directory(person.Config{
		Admins: []chat.Identity{slack("U1")}, People: map[string][]chat.Identity{"telegram": {telegram("2")}},
	}, &ledger{})
	member := w.writes(d, chat.Author{Identity: telegram("2")})
	code := must(d.LinkCode(t.Context(), member))(t)
	stranger := w.writes(d, chat.Author{Identity: slack("U2"), Guest: true})
	must(d.Link(t.Context(), stranger, code))(t)

	if p := w.direct(d, slack("U2")); p.Person != member.Person || p.Role != person.Guest {
		t.Errorf("what is done in the guest account's name is a %q's", p.Role)
	}
	if p := w.writes(d, chat.Author{Identity: slack("U2"), Guest: true}); p.Role != person.Guest {
		t.Errorf("the guest account is %q", p.Role)
	}
	member = w.writes(d, chat.Author{Identity: telegram("2")})
	if member.Role != person.Member {
		t.Errorf("the member is %q", member.Role)
	}
	its := w.direct(d, slack("U1")).Team
	if teams := must(d.Teams(t.Context(), member))(t); slices.Contains(teams, its) {
		t.Error("the member sees the team of the workspace in which the other account is a guest")
	}
	reached, _, err := d.Reach(t.Context(), member.Person)
	if err != nil || reached.Identity == slack("U2") && reached.Role != person.Guest {
		t.Errorf("reached as %+v: %v", reached, err)
	}

	if err := d.Unlink(t.Context(), member, slack("U2")); err != nil {
		t.Fatal(err)
	}
	if p := w.direct(d, slack("U2")); p.Role != person.Nobody {
		t.Errorf("on its own again the account is %q", p.Role)
	}
}

func TestAnAdminsWordInTheConfigurationMakesMoreOfAGuest(t *testing.T) {
	w := newWorld(t)
	d := w.directory(person.Config{
		Admins: []chat.Identity{slack("U1")}, People: map[string][]chat.Identity{"slack": {slack("U2")}},
	}, &ledger{})
	named := w.writes(d, chat.Author{Identity: slack("U2"), Guest: true})
	code := must(d.LinkCode(t.Context(), named))(t)
	must(d.Link(t.Context(), w.direct(d, telegram("2")), code))(t)
	if r := w.writes(d, chat.Author{Identity: telegram("2")}).Role; named.Role != person.Member || r != person.Member {
		t.Errorf("the named guest is %q, and %q on the other platform", named.Role, r)
	}
}
