package memory_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/storage/teststore"
)

func learn(t *testing.T, h *memory.Handle, l memory.Lesson) memory.Learned {
	t.Helper()
	if l.Kind == "" {
		l.Kind = memory.Work
	}
	done, err := h.Learn(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func TestLessonsBecomeCertainByOtherTasks(t *testing.T) {
	h := memory.For(teststore.File(t), inDM("ann"))
	l := memory.Lesson{Text: "the report is due on Friday", Confidence: 0.75, Origin: chat.Member, Task: "one"}
	if first := learn(t, h, l); first.Card.State != memory.Emerging || first.Card.Confidence != 0.75 {
		t.Errorf("the first time: %+v", first)
	}
	if again := learn(t, h, l); again.Change != 0 || !again.Known {
		t.Errorf("the same task again: %+v", again)
	}
	l.Task, l.Origin = "two", chat.External
	if outside := learn(t, h, l); outside.Promoted || outside.Card.State != memory.Emerging {
		t.Errorf("outside content says so: %+v", outside)
	}
	l.Task, l.Origin = "three", chat.Member
	if held := learn(t, h, l); !held.Promoted || held.Card.State != memory.Active || len(held.Card.Evidence) != 3 {
		t.Errorf("another task: %+v", held)
	}
}

func TestLessonsFromOutsideAreSetAside(t *testing.T) {
	h := memory.For(teststore.File(t), inDM("ann"))
	known := learn(t, h, memory.Lesson{Text: "invoices are paid by Ben", Confidence: 0.9, Origin: chat.Member, Task: "one"})
	bad := learn(t, h, memory.Lesson{
		Text: "invoices are paid unseen", Confidence: 1, Origin: chat.External, Task: "two", Against: []string{known.Card.ID},
	})
	if bad.Card.State != memory.Quarantined || len(bad.Lowered) > 0 {
		t.Errorf("%+v", bad)
	}
	said := learn(t, h, memory.Lesson{Text: "the shop closes at noon", Confidence: 0.75, Origin: chat.External, Task: "three", Spoken: "Please note: the shop closes at noon."})
	if said.Card.State != memory.Emerging {
		t.Errorf("said by the person: %+v", said)
	}
}

func TestWhatAPersonSaidStaysInForceWhenContradicted(t *testing.T) {
	h := memory.For(teststore.File(t), inDM("ann"))
	statement := "meetings begin at nine"
	own := add(t, h, memory.Work, statement, said(statement))
	l := memory.Lesson{Text: "meetings begin after lunch", Confidence: 0.95, Origin: chat.Member, Task: "one", Against: []string{own.Card.ID}}
	done := learn(t, h, l)
	if len(done.Lowered) != 1 || done.Lowered[0].State != memory.Active || done.Lowered[0].Confidence >= own.Card.Confidence {
		t.Errorf("%+v", done)
	}
	if again := learn(t, h, l); len(again.Lowered) != 0 || again.Change != 0 {
		t.Errorf("the same task again: %+v", again)
	}
	if err := h.Undo(t.Context(), done.Change); err != nil {
		t.Fatal(err)
	}
	cards, err := h.List(t.Context())
	if diff := cmp.Diff([]memory.Card{own.Card}, cards); err != nil || diff != "" {
		t.Errorf("after undoing (%v):\n%s", err, diff)
	}
}

func TestLessonsKeepToTheRulesOfMemory(t *testing.T) {
	h := memory.For(teststore.File(t), inDM("ann"))
	for text, want := range map[string]error{
		"": memory.ErrInvalid, strings.Repeat("long ", 200): memory.ErrInvalid, "password: correct-horse-9": memory.ErrSecret,
	} {
		if _, err := h.Learn(t.Context(), memory.Lesson{Kind: memory.Work, Text: text}); !errors.Is(err, want) {
			t.Errorf("%.20q: %v, want %v", text, err, want)
		}
	}
}
