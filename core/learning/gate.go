package learning

import (
	"fmt"

	"talaria/core/learning/observe"
)

// Verdict is what the gate for new skills says of a task.
type Verdict struct {
	Pass   bool   `json:"pass"`
	Update string `json:"update,omitempty"` // the skill that is to be updated instead of a new one
	Reason string `json:"reason"`
}

// The measures of the gate.
const (
	gateSteps    = 5
	gateSimilar  = 2
	gateMessages = 10
	gateValue    = 0.6
	sameSkill    = 0.9 // similarity from which an existing skill is the same one
)

// Nearest is the existing skill that is most similar to a task.
type Nearest struct {
	Skill      string
	Similarity float64
}

// Gate decides whether a new skill may come of a task. It is pure. It guards
// new skills, not reflection.
func Gate(o observe.Observation, near Nearest) Verdict {
	if !o.Success {
		return Verdict{Reason: "a task without success makes no skill: " + o.Why}
	}
	why := worthy(o)
	switch {
	case why == "":
		return Verdict{Reason: "nothing about it calls for a skill"}
	case near.Skill != "" && near.Similarity >= sameSkill:
		return Verdict{Pass: true, Update: near.Skill, Reason: why + "; " + near.Skill + " covers it already"}
	}
	return Verdict{Pass: true, Reason: why}
}

// worthy is the first reason for a skill, or "".
func worthy(o observe.Observation) string {
	switch {
	case o.Remember:
		return "somebody asked to keep it"
	case o.ProvenRight:
		return "it was corrected and then right"
	case o.Steps >= gateSteps:
		return fmt.Sprintf("it took %d steps", o.Steps)
	case o.Similar >= gateSimilar:
		return fmt.Sprintf("%d tasks before it were alike", o.Similar)
	case o.Messages >= gateMessages && o.Value >= gateValue:
		return fmt.Sprintf("%d messages with a learning value of %.1f", o.Messages, o.Value)
	}
	return ""
}
