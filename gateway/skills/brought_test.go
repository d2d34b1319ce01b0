package skills_test

import (
	"encoding/json"
	"strings"
	"testing"

	"talaria/core/chat"
	"talaria/core/skill/brought"
	"talaria/core/skill/foreign"
)

func TestAChangeThatWasBroughtIsDecidedOnByItsCard(t *testing.T) {
	w := newWorld(t)
	for _, record := range []string{
		`{"id": "a", "summary": "add one", "payload": {"action": "add", "target": "user", "content": "Drinks no coffee."}}`,
		`{"id": "b", "summary": "odd", "payload": {"action": "explode", "target": "user"}}`,
	} {
		p, _ := foreign.ReadPending("memory", json.RawMessage(record))
		if err := brought.Of(w.desk.Store, w.dm(cy).Person).Keep(t.Context(), brought.Changes, p.ID, p); err != nil {
			t.Fatal(err)
		}
	}
	cards := map[string]chat.Post{}
	for _, c := range waiting(w) {
		card := w.post(w.dm(cy), "brought "+c.Key)
		cards[c.ID] = card
		if got := w.press(w.dm(ben), card, "Take over").Say.Markdown; !strings.Contains(got, "No change") {
			t.Errorf("somebody else pressed: %s", got)
		}
		if got := w.press(w.here(cy), card, "Take over").Say.Markdown; !strings.Contains(got, "yours alone") {
			t.Errorf("pressed in a shared place: %s", got)
		}
	}
	if !strings.Contains(cards["a"].Markdown, "“Drinks no coffee.” is added to what is remembered of you") {
		t.Errorf("the card says %s", cards["a"].Markdown)
	}
	if got := w.press(w.dm(cy), cards["b"], "Take over").Say.Markdown; !strings.Contains(got, "no step that I know") {
		t.Errorf("what can't be done: %s", got)
	}
	if got := w.press(w.dm(cy), cards["a"], "Take over").Card.Markdown; !strings.Contains(got, "Done") || !strings.Contains(got, "1 change waits") {
		t.Errorf("taken over: %s", got)
	}
	if got := w.press(w.dm(cy), cards["b"], "Drop").Card.Markdown; !strings.Contains(got, "Dropped") {
		t.Errorf("dropped: %s", got)
	}
	if left := waiting(w); len(left) != 0 {
		t.Errorf("still waiting: %+v", left)
	}
}

func waiting(w *world) []brought.Change {
	w.Helper()
	all, err := brought.Of(w.desk.Store, w.dm(cy).Person).Changes(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	return all
}
