package app_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// tea is a skill that the rehearsal model can follow.
func tea(file string) string {
	return "---\nname: teatime\ndescription: Note down that it is time for tea\n---\n\n# Teatime\n\n## Steps\n\n" +
		"1. Save \"green tea\" to `" + file + "` with `files_write`.\n"
}

func TestASkillIsApprovedUsedAndTakenBack(t *testing.T) {
	for name, open := range stages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newTroupe(t, open(t))
			w.command(cy, "skills import\n"+tea("one.txt"))
			card := w.hears(0, "(?s)New skill.*teatime")
			if len(card.buttons) != 4 {
				t.Fatalf("the card's buttons: %v", card.buttons)
			}

			w.press(cy, card, "Approve")
			w.hears(0, "you may not do that here")
			w.both("skills history teatime", "draft")
			w.press(ben, card, "Approve")
			w.press(ben, card, "Approve") // twice
			w.press(ada, card, "Approve") // whoever is second learns that it is decided
			w.becomes(card, "Approved")
			w.both("skills list", "`teatime`")
			w.both("skills show teatime", "active, revision 1")
			w.hears(0, "decided already")

			said := len(w.posted())
			w.command(cy, "teatime")
			w.hears(said, `(?s)I followed the skill .{0,4}teatime.*one\.txt|(?s)one\.txt.*I followed the skill .{0,4}teatime`)

			w.changeIt(t, card)
			w.takeItBack(t)
			for _, b := range w.breaches() {
				t.Error(b)
			}
		})
	}
}

// changeIt has a card become stale, and its text changed by the card's own
// button.
func (w *troupe) changeIt(t *testing.T, first posted) {
	said := len(w.posted())
	w.command(cy, "skills edit teatime\n"+tea("two.txt"))
	stale := w.hears(said, `(?s)Change of a skill.*two\.txt`)
	said = len(w.posted())
	w.command(cy, "skills edit teatime\n"+tea("three.txt"))
	card := w.hears(said, `(?s)Change of a skill.*three\.txt`)
	w.press(ben, stale, "Approve")
	w.becomes(stale, "Out of date")
	w.both("skills show teatime", `Change of a skill`)

	said = len(w.posted())
	w.edit(t, ben, card, tea("four.txt"))
	card = w.hears(said, `(?s)Change of a skill.*four\.txt`)
	w.press(ben, card, "Approve")
	w.becomes(card, "Approved")
	w.both("skills show teatime", `active, revision 4`)
	w.becomes(first, "Approved")
}

func (w *troupe) takeItBack(t *testing.T) {
	said := len(w.posted())
	w.command(cy, "skills rollback teatime")
	w.hears(said, "you may not do that here")
	w.command(ben, "skills rollback teatime")
	w.hears(said, "back at revision 1")
	w.both("skills list", "`teatime`")
	said = len(w.posted())
	w.command(cy, "teatime")
	if got := w.hears(said, `I followed the skill`); strings.Contains(got.text, "four.txt") {
		t.Errorf("after going back: %q", got.text)
	}

	said = len(w.posted())
	w.command(ben, "skills disable teatime too much tea")
	w.hears(said, "disabled")
	w.both("skills list", `teatime.*disabled`)
	said = len(w.posted())
	w.command(cy, "teatime")
	if got := w.hears(said, "."); strings.Contains(got.text, "I followed") {
		t.Errorf("a disabled skill was used: %q", got.text)
	}

	log := w.tells(0, ben, "skills audit")
	for _, want := range []string{
		`propose .teatime. by .*` + regexp.QuoteMeta(w.identity(cy).String()), `approve .teatime. by .*` + regexp.QuoteMeta(w.identity(ben).String()),
		`approve .teatime. by .*refused`, `roll back .teatime.`, `roll back .teatime. by .*refused`, `disable .teatime.`,
	} {
		if !regexp.MustCompile(want).MatchString(log) {
			t.Errorf("the audit log does not tell %q:\n%s", want, fmt.Sprint(log))
		}
	}
}

func TestALongDraftComesAsAFileAndIsDecidedAllTheSame(t *testing.T) {
	for name, open := range stages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newTroupe(t, open(t))
			w.command(cy, "skills import\n"+tea("long.txt")+strings.Repeat("\nMind the *temperature* of the [water](https://example.org).\n", 90))
			w.hears(0, "the whole text is in the file")
			card := w.withButtons(4)
			w.press(ben, card, "Approve")
			w.both("skills show teatime", "active, revision 1")
			for _, b := range w.breaches() {
				t.Error(b)
			}
		})
	}
}

// withButtons waits for the message that has this many buttons.
func (w *troupe) withButtons(n int) (found posted) {
	w.Helper()
	err := w.await(w.Context(), func() bool {
		for _, p := range w.posted() {
			if len(p.buttons) == n {
				found = p
			}
		}
		return found.id != ""
	})
	if err != nil {
		w.Fatal(err)
	}
	return found
}
