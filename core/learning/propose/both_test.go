package propose_test

import (
	"strings"
	"testing"

	"talaria/core/learning/propose"
)

// TestARuleJoinsTheDraftOfItsTask: a review that wrote a skill and states a
// rule beside it must not have the rule take the place of the steps.
func TestARuleJoinsTheDraftOfItsTask(t *testing.T) {
	w := onSQLite(t)
	who := w.dm(ada)
	c := w.after(who, "brew a pot of green tea", passes, corrected("no, let it stand for two minutes, because it turns bitter"))
	w.skill(c, drafted("green-tea-brewing", "Brew a pot of green tea", "## Steps\n\n1. Boil water.\n2. Pour it.\n"))
	w.rule(c, propose.Rule{If: "green tea brewing", Then: "Let it stand for two minutes, because it turns bitter.", Confidence: 0.9})
	all, err := w.library.List(w.ctx, who)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d skills, %v", len(all), err)
	}
	text := w.text(who, all[0].Name, all[0].Pending, "SKILL.md")
	if !strings.Contains(text, "1. Boil water.") || !strings.Contains(text, "two minutes") {
		t.Errorf("the draft is\n%s", text)
	}
}
