package review_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"talaria/core/chat"
	"talaria/core/learning/reflect"
	"talaria/core/person"
	"talaria/core/trace"
	"talaria/gateway/command"
	"talaria/gateway/review"
	"talaria/storage"
	"talaria/storage/teststore"
)

var (
	kitchen = chat.Address{Platform: "slack", Workspace: "T1", Chat: "C1"}
	thread  = chat.Address{Platform: "slack", Workspace: "T1", Chat: "C1", Thread: "7"}
	private = chat.Address{Platform: "slack", Workspace: "T1", Chat: "D1"}
)

func account(id string) chat.Identity {
	return chat.Identity{Platform: "slack", Workspace: "T1", ID: id}
}

// desk is a desk over a real store, with what it said and ran.
type desk struct {
	*testing.T
	*review.Desk
	store *storage.Store
	said  []string // where: what
	ran   []string // who, where: what
}

// directory knows that everybody is who their account says.
type directory struct{}

func (directory) DirectOf(_ context.Context, p person.Principal) (person.Principal, bool, error) {
	p.Place, p.Direct = private, true
	return p, p.Person != "nobody", nil
}

func (directory) Renew(_ context.Context, p person.Principal) (person.Principal, error) {
	p.Person, p.Role = person.ID(p.Identity.ID), person.Member
	return p, nil
}

func newDesk(t *testing.T) *desk {
	d := &desk{T: t, store: teststore.Memory(t)}
	d.Desk = review.New(review.Config{
		Store: d.store, Directory: directory{}, Depth: reflect.Standard, Log: slog.New(slog.DiscardHandler),
		Catch: func(context.Context, int) error { return nil },
		Review: func(_ context.Context, at chat.Address, task string, depth reflect.Depth) (reflect.Report, error) {
			return reflect.Report{ID: "x-new", Task: task, Depth: depth, Request: "make tea"}, nil
		},
		Tell: func(_ context.Context, key string, to chat.Address, post chat.Post) error {
			d.said = append(d.said, fmt.Sprint(to.String(), ": ", post.Markdown))
			return nil
		},
		Run: func(_ context.Context, who person.Principal, line string) (chat.Post, error) {
			d.ran = append(d.ran, fmt.Sprint(who.Person, " ", who.Place.String(), ": ", line))
			return chat.Post{Markdown: "taken back"}, nil
		},
	})
	return d
}

// keeps a report of a task of somebody's.
func (d *desk) keeps(id string, who string, at chat.Address) reflect.Report {
	d.Helper()
	r := reflect.Report{
		ID: id, Task: "t", Person: person.ID(who), Asker: account(who), Place: at.Place().String(), Address: at, Request: "make tea", At: time.Now(),
		Depth: reflect.Standard, Outcome: reflect.Acted, Learned: []string{"pots are warm"}, Undo: []string{"/memory undo 3"},
	}
	if _, err := d.store.Commit(d.Context(), storage.On(person.ShardOf(at)).Put("learning.report", id, r, storage.Any)); err != nil {
		d.Fatal(err)
	}
	return r
}

func at(who string, place chat.Address) person.Principal {
	return person.Principal{Person: person.ID(who), Identity: account(who), Place: place, Direct: place == private, Role: person.Member}
}

// reflect gives the command.
func (d *desk) reflect(who person.Principal, args string) string {
	d.Helper()
	post, err := d.Commands()[0].Run(d.Context(), command.Call{Who: who, Args: args})
	if err != nil {
		d.Fatal(err)
	}
	return post.Markdown
}

// press presses a button below what was learned.
func (d *desk) press(n int, who person.Principal, token string) command.Reaction {
	d.Helper()
	r, err := d.Actions()[n].Run(d.Context(), command.Press{Who: who, Token: token})
	if err != nil {
		d.Fatal(err)
	}
	return r
}

func TestWhatWasLearnedIsToldWhereNobodyIsDisturbed(t *testing.T) {
	for _, c := range []struct{ where, want chat.Address }{{private, private}, {thread, thread}, {kitchen, private}} {
		d := newDesk(t)
		r := d.keeps("20260101-000000-abc", "ada", c.where)
		if err := d.Learned(t.Context(), at("ada", c.where), r); err != nil {
			t.Fatal(err)
		}
		if len(d.said) != 1 || !strings.HasPrefix(d.said[0], c.want.String()+": I learned: pots are warm") {
			t.Errorf("of %s it said %q", c.where, d.said)
		}
	}
}

func TestReportsAreShownToThosePresent(t *testing.T) {
	d := newDesk(t)
	d.keeps("20260101-000000-adaown", "ada", private)
	d.keeps("20260101-000001-shared", "ada", kitchen)
	for _, c := range []struct {
		who  person.Principal
		args string
		sees bool
	}{
		{at("ada", private), "show adaown", true}, {at("bob", private), "show adaown", false}, {at("bob", kitchen), "show adaown", false},
		{at("ada", kitchen), "show shared", true}, {at("bob", kitchen), "show shared", true},
		{at("ada", private), "show shared", true}, {at("bob", private), "show shared", false},
		{at("ada", private), "list", true}, {at("bob", private), "list", false}, {at("bob", kitchen), "list", true},
		{at("bob", kitchen), "show", true}, {at("bob", private), "show", false}, {at("bob", kitchen), "thoroughly", false},
	} {
		if got := d.reflect(c.who, c.args); strings.Contains(got, "pots are warm") != c.sees {
			t.Errorf("%s in %s with %q saw %q", c.who.Person, c.who.Place, c.args, got)
		}
	}
}

func TestUndoIsDoneWhereItWasLearned(t *testing.T) {
	d := newDesk(t)
	d.keeps("20260101-000001-shared", "ada", kitchen)
	d.keeps("20260101-000000-adaown", "ada", private)
	d.press(1, at("ada", private), "shared")
	d.press(1, at("ada", private), "adaown")
	d.press(1, at("bob", kitchen), "shared") // the command refuses what is not theirs
	if gone := d.press(1, at("bob", private), "shared"); !strings.Contains(gone.Say.Markdown, "gone") {
		t.Errorf("another person's press was answered with %+v", gone)
	}
	want := []string{
		"ada " + kitchen.String() + ": /memory undo 3", "ada " + private.String() + ": /memory undo 3", "bob " + kitchen.String() + ": /memory undo 3",
	}
	if !slices.Equal(d.ran, want) {
		t.Errorf("ran %q, want %q", d.ran, want)
	}
	if seen := d.press(0, at("ada", private), "shared"); !strings.Contains(seen.Say.Markdown, "pots are warm") {
		t.Errorf("See showed %+v", seen)
	}
}

func TestTheLastTaskIsLookedAtAsCloselyAsAsked(t *testing.T) {
	d := newDesk(t)
	if got := d.reflect(at("ada", private), ""); !strings.Contains(got, "nothing to look at") {
		t.Errorf("without a task it said %q", got)
	}
	b := storage.On(person.ShardOf(private))
	trace.Put(b, trace.Task{ID: "1", Person: "ada", Place: private, Direct: true, Request: "make tea", Turns: []trace.Turn{{Ended: time.Now()}}}, storage.Any, time.Hour)
	if _, err := d.store.Commit(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{"": "A look on", "quick": "A quick look on", "deep": "A close look on"} {
		if got := d.reflect(at("ada", private), args); !strings.Contains(got, want) {
			t.Errorf("/reflect %s: %s", args, got)
		}
	}
}

func TestNothingInAReportIsMarkUp(t *testing.T) {
	d := newDesk(t)
	r := d.keeps("20260101-000000-evil", "ada", private)
	const evil = "[free tea](https://evil.example) `x` **now**\n# head"
	r.Request, r.WentWell, r.Learned, r.Rules = evil, evil, []string{evil}, []reflect.Rule{{If: evil, Then: evil}}
	if _, err := d.store.Commit(t.Context(), storage.On(person.ShardOf(private)).Put("learning.report", r.ID, r, storage.Any)); err != nil {
		t.Fatal(err)
	}
	if err := d.Learned(t.Context(), at("ada", private), r); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{d.reflect(at("ada", private), "show evil"), d.reflect(at("ada", private), "list"), d.said[0]} {
		if strings.Contains(text, "](") || strings.Contains(text, "`x`") || strings.Contains(text, "**now**") || strings.Contains(text, "\n# head") {
			t.Errorf("said %q", text)
		}
	}
}
