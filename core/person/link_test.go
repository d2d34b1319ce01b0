package person_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
)

// ledger is a Mover that writes down what it is told, and fails when told to.
type ledger struct {
	mu    sync.Mutex
	fail  int
	calls []string
}

func (l *ledger) Move(_ context.Context, link string, from, to person.ID) error {
	return l.note(fmt.Sprintf("move %s %s", from, to))
}

func (l *ledger) Return(_ context.Context, link string, from, to person.ID, ids []chat.Identity, undo bool) error {
	return l.note(fmt.Sprintf("return %s %s %v %v", from, to, ids, undo))
}

func (l *ledger) note(s string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fail > 0 {
		l.fail--
		return errors.New("cut off")
	}
	l.calls = append(l.calls, s)
	return nil
}

var linkConfig = person.Config{
	Admins: []chat.Identity{slack("U0")},
	People: map[string][]chat.Identity{"slack": {slack("U1"), slack("U2"), slack("U3")}},
}

func TestLinkingMakesTwoAccountsOnePerson(t *testing.T) {
	w := newWorld(t)
	l := &ledger{}
	d := w.directory(linkConfig, l)
	first, second := w.direct(d, slack("U1")), w.direct(d, telegram("1"))
	if err := d.Been(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	code := must(d.LinkCode(t.Context(), first))(t)
	link := must(d.Link(t.Context(), second, code))(t)

	joined := w.direct(d, telegram("1"))
	if joined.Person != first.Person || joined.Role != person.Member {
		t.Errorf("the second account is %s with role %q, want %s as a member", joined.Person, joined.Role, first.Person)
	}
	if want := []string{fmt.Sprintf("move %s %s", second.Person, first.Person)}; !slices.Equal(l.calls, want) {
		t.Errorf("moved %v, want %v", l.calls, want)
	}
	if got := must(d.Readable(t.Context(), w.direct(d, slack("U1"))))(t); !slices.Contains(got, second.Place) {
		t.Errorf("the person reads %v, without the other account's conversation", got)
	}
	if got := must(d.Links(t.Context(), joined))(t); len(got) != 1 || got[0].ID != link.ID {
		t.Errorf("links %+v", got)
	}

	if err := d.Unlink(t.Context(), joined, telegram("1")); err != nil {
		t.Fatal(err)
	}
	alone := w.direct(d, telegram("1"))
	if alone.Person != second.Person || alone.Role != person.Nobody {
		t.Errorf("after unlinking: %s with role %q", alone.Person, alone.Role)
	}
	if want := fmt.Sprintf("return %s %s %v true", first.Person, second.Person, []chat.Identity{telegram("1")}); l.calls[1] != want {
		t.Errorf("returned %q, want %q", l.calls[1], want)
	}
	if got := must(d.Readable(t.Context(), w.direct(d, slack("U1"))))(t); slices.Contains(got, second.Place) {
		t.Errorf("after unlinking the person reads %v", got)
	}
}

func TestOldLinksAreNotUndoneButReturned(t *testing.T) {
	w := newWorld(t)
	d := w.directory(linkConfig, &ledger{})
	code := must(d.LinkCode(t.Context(), w.direct(d, slack("U1"))))(t)
	must(d.Link(t.Context(), w.direct(d, telegram("1")), code))(t)

	w.later(person.UndoFor + time.Minute)
	l := &ledger{}
	d = w.directory(linkConfig, l)
	p := w.direct(d, slack("U1"))
	if err := d.Unlink(t.Context(), p, telegram("1")); err != nil {
		t.Fatal(err)
	}
	if len(l.calls) != 1 || l.calls[0][len(l.calls[0])-5:] != "false" {
		t.Errorf("calls %v", l.calls)
	}
	if err := d.Unlink(t.Context(), p, telegram("1")); !errors.Is(err, person.ErrNotLinked) {
		t.Errorf("unlinked twice: %v", err)
	}
}

// A code that does not fit must give nobody anything of the person's.
func TestForeignAndUsedCodesGiveNothing(t *testing.T) {
	w := newWorld(t)
	d := w.directory(linkConfig, &ledger{})
	owner := w.direct(d, slack("U1"))
	code := must(d.LinkCode(t.Context(), owner))(t)
	pairing := must(d.Offer(t.Context(), w.direct(d, telegram("9"))))(t)

	for _, c := range []struct {
		name string
		who  person.Principal
		code string
		want error
	}{
		{"made up", w.direct(d, telegram("2")), "ABCDEFGH", person.ErrCode},
		{"a pairing code", w.direct(d, telegram("2")), pairing, person.ErrCode},
		{"one's own", owner, code, person.ErrCode},
		{"a colleague's, in the same workspace", w.direct(d, slack("U2")), code, person.ErrSameWorkspace},
		{"in a group", w.at(d, telegram("2"), chat.Address{Platform: "telegram", Chat: "-1"}, false), code, person.ErrForbidden},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := d.Link(t.Context(), c.who, c.code); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
			if p := w.direct(d, c.who.Identity).Person; p == owner.Person && c.who.Identity != owner.Identity {
				t.Error("became the owner")
			}
		})
	}

	must(d.Link(t.Context(), w.direct(d, telegram("1")), code))(t)
	if _, err := d.Link(t.Context(), w.direct(d, discord("6")), code); !errors.Is(err, person.ErrCode) {
		t.Errorf("a used code: %v", err)
	}
	if w.direct(d, discord("6")).Person == owner.Person {
		t.Error("a used code linked a third account")
	}
	// The same display name gives nothing either.
	if w.direct(d, slack("U3")).Person == owner.Person {
		t.Error("the name decides who somebody is")
	}
}

func TestLinkingCodesExpire(t *testing.T) {
	w := newWorld(t)
	d := w.directory(linkConfig)
	code := must(d.LinkCode(t.Context(), w.direct(d, slack("U1"))))(t)
	w.later(person.LinkFor + time.Second)
	d = w.directory(linkConfig)
	if _, err := d.Link(t.Context(), w.direct(d, telegram("1")), code); !errors.Is(err, person.ErrCode) {
		t.Errorf("an expired code: %v", err)
	}
}

func TestOfManyWhoTypeACodeOneIsLinked(t *testing.T) {
	w := newWorld(t)
	d := w.directory(linkConfig, &ledger{})
	owner := w.direct(d, slack("U1"))
	code := must(d.LinkCode(t.Context(), owner))(t)
	var wg sync.WaitGroup
	for n := range 8 {
		p := w.direct(d, telegram(fmt.Sprint(n)))
		wg.Go(func() { _, _ = d.Link(t.Context(), p, code) })
	}
	wg.Wait()
	linked := 0
	for n := range 8 {
		if w.direct(d, telegram(fmt.Sprint(n))).Person == owner.Person {
			linked++
		}
	}
	if linked != 1 {
		t.Errorf("%d accounts were linked by one code", linked)
	}
}

// Wherever linking is cut off, the next look at either account finishes it.
func TestCutLinkIsFinished(t *testing.T) {
	w := newWorld(t)
	l := &ledger{fail: 1}
	d := w.directory(linkConfig, l)
	owner := w.direct(d, slack("U1"))
	code := must(d.LinkCode(t.Context(), owner))(t)
	if _, err := d.Link(t.Context(), w.direct(d, telegram("1")), code); err == nil {
		t.Fatal("the mover's error is lost")
	}
	l.fail = 1
	d = w.directory(linkConfig, l) // as after a restart
	if p := w.direct(d, slack("U1")); p.Person != owner.Person || p.Role != person.Member {
		t.Errorf("while the mover fails the owner resolves to %+v", p)
	}
	if p := w.direct(d, telegram("1")); p.Person != owner.Person || p.Role != person.Member {
		t.Errorf("resolved to %+v", p)
	}
	if len(l.calls) != 1 {
		t.Errorf("calls %v", l.calls)
	}
	l.fail = 1
	if err := d.Unlink(t.Context(), w.direct(d, slack("U1")), telegram("1")); err == nil {
		t.Fatal("the mover's error is lost")
	}
	d = w.directory(linkConfig, l)
	w.direct(d, slack("U1"))
	if p := w.direct(d, telegram("1")); p.Person == owner.Person {
		t.Error("a cut unlinking was not finished")
	}
}

func TestForgottenPeopleAreStrangers(t *testing.T) {
	w := newWorld(t)
	d := w.directory(person.Config{Admins: linkConfig.Admins}, &ledger{})
	admin := w.direct(d, slack("U0"))
	must(d.Pair(t.Context(), admin, must(d.Offer(t.Context(), w.direct(d, slack("U1"))))(t)))(t)
	code := must(d.LinkCode(t.Context(), w.direct(d, slack("U1"))))(t)
	must(d.Link(t.Context(), w.direct(d, telegram("1")), code))(t)

	p := w.direct(d, telegram("1"))
	if err := d.Been(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := d.Forget(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	for _, i := range []chat.Identity{slack("U1"), telegram("1")} {
		if p := w.direct(d, i); p.Role != person.Nobody || p.Person != person.Home(i) {
			t.Errorf("%v is still %+v", i, p)
		}
	}
	if got := must(d.Readable(t.Context(), w.direct(d, slack("U1"))))(t); len(got) != 1 {
		t.Errorf("still reads %v", got)
	}
}

func TestLinkingGivesNoRights(t *testing.T) {
	w := newWorld(t)
	d := w.directory(linkConfig, &ledger{})
	code := must(d.LinkCode(t.Context(), w.direct(d, slack("U0"))))(t)
	must(d.Link(t.Context(), w.direct(d, telegram("1")), code))(t)
	if r := w.direct(d, telegram("1")).Role; r != person.Member {
		t.Errorf("linked to an admin's account: %q", r)
	}

	code = must(d.LinkCode(t.Context(), w.direct(d, slack("U1"))))(t)
	must(d.Link(t.Context(), w.direct(d, telegram("2")), code))(t)
	fired := person.Config{Admins: linkConfig.Admins} // U1 is not on the list any more
	d = w.directory(fired, &ledger{})
	if r := w.direct(d, telegram("2")).Role; r != person.Nobody {
		t.Errorf("linked to an account that is not let in any more: %q", r)
	}
	if _, err := d.LinkCode(t.Context(), w.direct(d, slack("U1"))); !errors.Is(err, person.ErrForbidden) {
		t.Errorf("a stranger makes linking codes: %v", err)
	}
}
