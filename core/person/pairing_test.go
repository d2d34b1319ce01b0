package person_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
)

func TestPairing(t *testing.T) {
	w := newWorld(t)
	d := w.directory(person.Config{Admins: []chat.Identity{slack("U1")}})
	admin, stranger := w.direct(d, slack("U1")), w.direct(d, telegram("7"))
	code := must(d.Offer(t.Context(), stranger))(t)
	if len(code) != 8 || strings.ContainsAny(code, "0O1I") {
		t.Errorf("code %q", code)
	}

	for _, wrong := range []string{"", "AAAAAAAA", code[1:], code + "A"} {
		if _, err := d.Pair(t.Context(), admin, wrong); !errors.Is(err, person.ErrCode) {
			t.Errorf("code %q: %v", wrong, err)
		}
	}
	if _, err := d.Pair(t.Context(), stranger, code); !errors.Is(err, person.ErrCode) {
		t.Errorf("a stranger approved himself: %v", err)
	}
	got := must(d.Pair(t.Context(), admin, strings.ToLower(code[:4]+"-"+code[4:])))(t)
	if got.Who != telegram("7") || got.Place != stranger.Place || got.Admin {
		t.Errorf("paired %+v", got)
	}
	if r := w.direct(d, telegram("7")).Role; r != person.Member {
		t.Errorf("role %q after pairing", r)
	}
	if _, err := d.Pair(t.Context(), admin, code); !errors.Is(err, person.ErrCode) {
		t.Errorf("a code counts twice: %v", err)
	}
	if _, err := d.Offer(t.Context(), w.direct(d, telegram("7"))); !errors.Is(err, person.ErrForbidden) {
		t.Errorf("somebody let in is offered a code: %v", err)
	}
}

func TestPairingCodesExpire(t *testing.T) {
	w := newWorld(t)
	config := person.Config{Admins: []chat.Identity{slack("U1")}}
	d := w.directory(config)
	code := must(d.Offer(t.Context(), w.direct(d, telegram("7"))))(t)
	w.later(person.PairFor + time.Second)
	d = w.directory(config)
	if _, err := d.Pair(t.Context(), w.direct(d, slack("U1")), code); !errors.Is(err, person.ErrCode) {
		t.Errorf("an expired code counts: %v", err)
	}
}

func TestPairingIsRateLimited(t *testing.T) {
	w := newWorld(t)
	d := w.directory(person.Config{})
	offered := 0
	for n := range 30 {
		for range 4 {
			_, err := d.Offer(t.Context(), w.direct(d, telegram(fmt.Sprint(n))))
			switch {
			case err == nil:
				offered++
			case !errors.Is(err, person.ErrTooMany):
				t.Fatal(err)
			}
		}
		if n == 0 && offered != 2 {
			t.Errorf("one stranger got %d codes", offered)
		}
	}
	if offered != 20 {
		t.Errorf("strangers got %d codes in an hour, want 20", offered)
	}
	if _, err := d.Offer(t.Context(), w.at(d, slack("U5"), channel, false)); !errors.Is(err, person.ErrForbidden) {
		t.Errorf("a code is offered in a group: %v", err)
	}
}

func TestFirstAdmin(t *testing.T) {
	w := newWorld(t)
	d := w.directory(person.Config{})
	code := must(d.FirstAdminCode(t.Context()))(t)
	for range 5 {
		if _, err := d.Pair(t.Context(), w.direct(d, slack("U6")), "AAAAAAAA"); !errors.Is(err, person.ErrCode) {
			t.Fatal(err)
		}
	}
	if _, err := d.Pair(t.Context(), w.direct(d, slack("U6")), code); !errors.Is(err, person.ErrTooMany) {
		t.Errorf("guessing goes on and on: %v", err)
	}
	if _, err := d.Pair(t.Context(), w.at(d, slack("U1"), channel, false), code); !errors.Is(err, person.ErrForbidden) {
		t.Errorf("the code counts in a group: %v", err)
	}

	var wg sync.WaitGroup
	won := make(chan chat.Identity, 8)
	for n := range 8 {
		i := slack(fmt.Sprint("U1", n))
		p := w.direct(d, i)
		wg.Go(func() {
			if got, err := d.Pair(t.Context(), p, code); err == nil && got.Admin {
				won <- i
			}
		})
	}
	wg.Wait()
	close(won)
	var winners []chat.Identity
	for i := range won {
		winners = append(winners, i)
	}
	if len(winners) != 1 {
		t.Fatalf("%d first admins", len(winners))
	}
	if r := w.at(d, winners[0], channel, false).Role; r != person.Admin {
		t.Errorf("the first admin is %q", r)
	}
	if _, err := d.FirstAdminCode(t.Context()); !errors.Is(err, person.ErrForbidden) {
		t.Errorf("there is a second first admin: %v", err)
	}
}
