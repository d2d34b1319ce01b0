package memory_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/storage"
	"talaria/storage/teststore"
)

// on is evidence of some occasions.
func on(tasks ...string) []memory.Evidence {
	var out []memory.Evidence
	for _, t := range tasks {
		out = append(out, memory.Evidence{Message: t, Task: t, Spoken: true, At: time.Unix(0, 0).UTC()})
	}
	return out
}

// except is evidence of some occasions against something.
func except(tasks ...string) []memory.Evidence {
	var out []memory.Evidence
	for _, t := range tasks {
		out = append(out, memory.Evidence{Message: t, Against: t, Spoken: true, At: time.Unix(0, 0).UTC()})
	}
	return out
}

func never(string, string) bool { return false }

func ownShelf(t *testing.T) (*storage.Store, person.Principal, *memory.Handle) {
	t.Helper()
	s := teststore.Memory(t)
	who := person.Principal{Person: "pann", Role: person.Member, Direct: true, Place: chat.Address{Platform: "slack", Workspace: "T1", Chat: "D1"}}
	return s, who, memory.For(s, who)
}

func TestAConclusionEmergesHoldsAndFalls(t *testing.T) {
	_, _, h := ownShelf(t)
	for _, step := range []struct {
		c     memory.Conclusion
		state memory.State
		sure  float64
		new   bool
	}{
		{memory.Conclusion{Confidence: 0.6, For: on("1")}, memory.Emerging, 0.6, true},
		{memory.Conclusion{Confidence: 0.6, For: on("1")}, memory.Emerging, 0.6, false},
		{memory.Conclusion{Confidence: 0.8, For: on("2")}, memory.Emerging, 0.8, true},
		{memory.Conclusion{Confidence: 0.9, For: on("3")}, memory.Active, 0.9, true},
		{memory.Conclusion{Confidence: 0.8, Against: except("4")}, memory.Active, 0.8, true},
		{memory.Conclusion{Confidence: 0.3, Against: except("5", "6")}, memory.Archived, 0, true},
		{memory.Conclusion{Confidence: 0.6, For: on("7")}, memory.Emerging, 0.6, true},
	} {
		step.c.Text = "prefers tabs"
		card, change, err := h.Conclude(t.Context(), step.c, never)
		if err != nil || card.State != step.state || card.Confidence != step.sure || (change > 0) != step.new {
			t.Errorf("%+v: %+v, change %d, %v", step, card, change, err)
		}
	}
}

func TestEveryConclusionIsUndone(t *testing.T) {
	_, _, h := ownShelf(t)
	var past [][]memory.Card
	for _, c := range []memory.Conclusion{
		{Text: "prefers tabs", Confidence: 0.6, For: on("1")},
		{Text: "prefers tabs", Confidence: 0.8, For: on("2")},
		{Text: "prefers tabs", Against: except("3", "4")},
	} {
		cards, err := h.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		past = append(past, cards)
		if _, _, err := h.Conclude(t.Context(), c, never); err != nil {
			t.Fatal(err)
		}
	}
	for n := 3; n > 0; n-- {
		if err := h.Undo(t.Context(), n); err != nil {
			t.Fatal(err)
		}
		if cards, err := h.List(t.Context()); err != nil || cmp.Diff(past[n-1], cards) != "" {
			t.Errorf("change %d undone: %+v, %v; want %+v", n, cards, err, past[n-1])
		}
	}
}

func TestAConclusionIsTheirsAlone(t *testing.T) {
	s, who, _ := ownShelf(t)
	who.Direct = false
	if _, _, err := memory.For(s, who).Conclude(t.Context(), memory.Conclusion{Text: "prefers tabs", For: on("1")}, never); !errors.Is(err, memory.ErrForbidden) {
		t.Errorf("in a shared place: %v", err)
	}
}

func TestWhatWasStruckFollowsALinkedAccount(t *testing.T) {
	s, who, h := ownShelf(t)
	card, _, err := h.Conclude(t.Context(), memory.Conclusion{Text: "prefers tabs", Confidence: 0.6, For: on("1")}, never)
	if err == nil {
		_, err = h.Remove(t.Context(), card.ID, memory.Source{Origin: chat.Member})
	}
	if err == nil {
		err = memory.NewLinked(s).Move(t.Context(), "link", who.Person, "pbob")
	}
	if err != nil {
		t.Fatal(err)
	}
	who.Person = "pbob"
	if card, change, err := memory.For(s, who).Conclude(t.Context(), memory.Conclusion{Text: "prefers tabs", For: on("2")}, never); err != nil || change != 0 || card.ID != "" {
		t.Errorf("it came back: %+v, %v", card, err)
	}
}

func TestALessonDoesNotMakeAConclusionCertainTooEarly(t *testing.T) {
	_, _, h := ownShelf(t)
	if _, _, err := h.Conclude(t.Context(), memory.Conclusion{Text: "prefers tabs", Confidence: 0.6, For: on("1")}, never); err != nil {
		t.Fatal(err)
	}
	for n, want := range []memory.State{memory.Emerging, memory.Active} {
		got, err := h.Learn(t.Context(), memory.Lesson{Kind: memory.Profile, Text: "prefers tabs", Confidence: 0.75, Origin: chat.Member, Spoken: "I prefer tabs", Task: []string{"2", "3"}[n]})
		if err != nil || got.Card.State != want {
			t.Errorf("after lesson %d it is %s, %v", n+1, got.Card.State, err)
		}
	}
}
