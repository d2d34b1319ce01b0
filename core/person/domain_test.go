package person_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talaria/core/chat"
	"talaria/core/person"
)

func TestAnAdminsDomainIsWhereTheyWereMadeOne(t *testing.T) {
	w := newWorld(t)
	d := w.directory(person.Config{Admins: []chat.Identity{slack("U1")}})
	owner := w.at(d, slack("U1"), channel, false)
	give := func(i chat.Identity, wide bool) {
		if err := d.SetRole(t.Context(), owner, i, person.Admin, wide); err != nil {
			t.Fatal(err)
		}
	}
	give(slack("U2"), true)
	give(slack("U3"), false)
	team, place := owner.Team, channel.Place().String()
	for id, want := range map[string]person.Domain{"U1": {}, "U2": {Team: team}, "U3": {Team: team, Place: place}} {
		got, err := d.Domain(t.Context(), w.at(d, slack(id), channel, false))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("of %s (-want +got):\n%s", id, diff)
		}
	}
	if _, err := d.Domain(t.Context(), w.at(d, slack("U4"), channel, false)); !errors.Is(err, person.ErrForbidden) {
		t.Errorf("of somebody who is no admin: %v", err)
	}
}

func TestTheFirstAdminsDomainIsEverywhere(t *testing.T) {
	w := newWorld(t)
	d := w.directory(person.Config{})
	code := must(d.FirstAdminCode(t.Context()))(t)
	must(d.Pair(t.Context(), w.direct(d, telegram("1")), code))(t)
	if got := must(d.Domain(t.Context(), w.direct(d, telegram("1"))))(t); got != (person.Domain{}) {
		t.Errorf("%+v", got)
	}
}
