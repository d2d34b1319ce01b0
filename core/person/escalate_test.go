package person_test

import (
	"errors"
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
