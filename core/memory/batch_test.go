package memory_test

import (
	"errors"
	"slices"
	"testing"

	"talaria/core/chat"
	"talaria/core/memory"
)

func TestSeveralStepsAreOneChangeOrNone(t *testing.T) {
	_, _, h := ownShelf(t)
	said := memory.Source{Origin: chat.Member}
	statements := func() []string {
		t.Helper()
		all, err := h.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, c := range all {
			out = append(out, c.Text)
		}
		slices.Sort(out)
		return out
	}
	if _, err := h.Add(t.Context(), memory.Work, "The boiler is serviced in May", said); err != nil {
		t.Fatal(err)
	}
	before := statements()
	err := h.Apply(t.Context(), []memory.Edit{
		{Kind: memory.Work, Text: "The plumber is called Anna"},
		{Old: "serviced in May", Text: "The boiler is serviced in June"},
		{Old: "no such card"},
	}, said)
	if bad, ok := errors.AsType[*memory.EditError](err); !ok || bad.Step != 3 || !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("the third step can't be done, got %v", err)
	}
	if got := statements(); !slices.Equal(got, before) {
		t.Errorf("a part was done: %q", got)
	}

	err = h.Apply(t.Context(), []memory.Edit{
		{Kind: memory.Work, Text: "The plumber is called Anna"},
		{Old: "called Anna", Text: "The plumber is called Berta"},
		{Kind: memory.Work, Text: "The meter is in the cellar"},
		{Old: "meter is in"},
		{Old: "serviced in May"},
	}, said)
	if err != nil {
		t.Fatal(err)
	}
	if got := statements(); !slices.Equal(got, []string{"The plumber is called Berta"}) {
		t.Errorf("left is %q", got)
	}
	changes, err := h.Changes(t.Context())
	if err == nil {
		err = h.Undo(t.Context(), changes[len(changes)-1].Number)
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := statements(); !slices.Equal(got, before) {
		t.Errorf("one undo left %q", got)
	}
}
