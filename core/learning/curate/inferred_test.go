package curate_test

import (
	"testing"
	"time"

	"talaria/core/learning/curate"
	"talaria/core/memory"
)

// TestWhatWasConcludedNeedsThreeOccasions: it is neither promoted by two nor by
// its age, but put away when it does not hold again.
func TestWhatWasConcludedNeedsThreeOccasions(t *testing.T) {
	now := time.Date(2026, 5, 1, 3, 30, 0, 0, time.UTC)
	for _, c := range []struct {
		occasions int
		days      int
		want      curate.Kind
	}{{2, 1, ""}, {3, 1, curate.Promote}, {2, 40, curate.Drop}} {
		card := memory.Card{ID: "a", Kind: memory.Profile, Text: "prefers tabs", State: memory.Emerging, Inferred: true, Updated: now.Add(-time.Duration(c.days) * day)}
		for n := range c.occasions {
			card.Evidence = append(card.Evidence, memory.Evidence{Task: string(rune('a' + n)), Spoken: true})
		}
		p := curate.Decide(curate.Look{Now: now, Cards: []memory.Card{card}}, curate.Defaults())
		var got curate.Kind
		if len(p.Actions) > 0 {
			got = p.Actions[0].Kind
		}
		if got != c.want {
			t.Errorf("%d occasions, %d days ago: %q, want %q", c.occasions, c.days, got, c.want)
		}
	}
}
