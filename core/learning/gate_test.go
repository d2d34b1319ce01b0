package learning_test

import (
	"strings"
	"testing"

	"talaria/core/learning"
	"talaria/core/learning/observe"
)

func TestTheGateForNewSkills(t *testing.T) {
	good := observe.Observation{Success: true}
	with := func(change func(*observe.Observation)) observe.Observation {
		o := good
		change(&o)
		return o
	}
	for _, c := range []struct {
		name   string
		o      observe.Observation
		near   learning.Nearest
		pass   bool
		update string
		reason string
	}{
		{"nothing special", good, learning.Nearest{}, false, "", "nothing"},
		{"a failure, whatever else", observe.Observation{Why: "it was stopped", Remember: true, Steps: 9, Similar: 9}, learning.Nearest{}, false, "", "it was stopped"},
		{"asked for", with(func(o *observe.Observation) { o.Remember = true }), learning.Nearest{}, true, "", "asked"},
		{"four steps", with(func(o *observe.Observation) { o.Steps = 4 }), learning.Nearest{}, false, "", "nothing"},
		{"five steps", with(func(o *observe.Observation) { o.Steps = 5 }), learning.Nearest{}, true, "", "5 steps"},
		{"one alike", with(func(o *observe.Observation) { o.Similar = 1 }), learning.Nearest{}, false, "", "nothing"},
		{"two alike", with(func(o *observe.Observation) { o.Similar = 2 }), learning.Nearest{}, true, "", "2 tasks"},
		{"ten messages of little value", with(func(o *observe.Observation) { o.Messages, o.Value = 10, 0.4 }), learning.Nearest{}, false, "", "nothing"},
		{"ten messages of value", with(func(o *observe.Observation) { o.Messages, o.Value = 10, 0.6 }), learning.Nearest{}, true, "", "10 messages"},
		{"nine messages of value", with(func(o *observe.Observation) { o.Messages, o.Value = 9, 1 }), learning.Nearest{}, false, "", "nothing"},
		{"corrected and then right", with(func(o *observe.Observation) { o.ProvenRight = true }), learning.Nearest{}, true, "", "corrected"},
		{"a skill like it", with(func(o *observe.Observation) { o.Steps = 5 }), learning.Nearest{Skill: "tea", Similarity: 0.89}, true, "", "5 steps"},
		{"the same skill", with(func(o *observe.Observation) { o.Steps = 5 }), learning.Nearest{Skill: "tea", Similarity: 0.9}, true, "tea", "covers it"},
		{"the same skill and nothing special", good, learning.Nearest{Skill: "tea", Similarity: 1}, false, "", "nothing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := learning.Gate(c.o, c.near, learning.DefaultMeasures())
			if v.Pass != c.pass || v.Update != c.update || !strings.Contains(v.Reason, c.reason) {
				t.Errorf("verdict %+v", v)
			}
		})
	}
	strict := learning.DefaultMeasures()
	strict.Same = 0.95
	if v := learning.Gate(with(func(o *observe.Observation) { o.Steps = 5 }), learning.Nearest{Skill: "tea", Similarity: 0.9}, strict); v.Update != "" {
		t.Errorf("a skill that is not the same is to be changed: %+v", v)
	}
}
