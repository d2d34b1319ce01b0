package skills_test

import (
	"strings"
	"testing"

	"talaria/core/person"
)

func TestOnAPersonsPageStandsWhatTheyMayDecideOn(t *testing.T) {
	w := newWorld(t)
	w.run(w.here(cy), "import\n"+document("tea"))
	w.press(w.here(ben), w.said[0].post, "Approve")
	w.run(w.here(cy), "publish tea team")
	waiting := func(p person.Principal) string {
		t.Helper()
		posts, err := w.desk.Waiting(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, p := range posts {
			all = append(all, p.Markdown)
		}
		return strings.Join(all, "\n")
	}
	if got := waiting(w.dm(cy)); got != "" {
		t.Errorf("a member may decide on %q", got)
	}
	if got := waiting(w.dm(ben)); !strings.Contains(got, "**tea**") {
		t.Fatalf("an approver finds %q", got)
	}
	posts, _ := w.desk.Waiting(t.Context(), w.dm(ben))
	card := w.press(w.dm(ben), posts[0], "Look at it").Say
	if !strings.Contains(card.Markdown, "1. Begin.") || len(card.Buttons) == 0 {
		t.Errorf("the card %+v", card)
	}
	w.press(w.dm(ben), card, "Approve")
	if got := waiting(w.dm(ben)); got != "" {
		t.Errorf("after the decision: %q", got)
	}
	if r := w.press(w.dm(ben), posts[0], "Look at it"); strings.Contains(r.Say.Markdown, "1. Begin.") {
		t.Errorf("a draft that was decided on is shown as one: %+v", r.Say)
	}
}
