package learning

import (
	"fmt"

	"talaria/core/learning/observe"
	"talaria/core/skill/match"
)

// Verdict is what the gate for new skills says of a task.
type Verdict struct {
	Pass   bool   `json:"pass"`
	Update string `json:"update,omitempty"` // the skill that is to be updated instead of a new one
	Reason string `json:"reason"`
}

// Measures are what calls for a new skill: any one of the first three, beside
// somebody's wish and a correction that was right.
type Measures struct {
	Steps    int     // calls of tools
	Similar  int     // tasks before it that were alike
	Messages int     // of a task that is worth something,
	Value    float64 // by this learning value
	Same     float64 // likelihood from which an existing skill is the one that is meant
}

// DefaultMeasures are those that are used where the operator says nothing.
func DefaultMeasures() Measures {
	return Measures{Steps: 5, Similar: 2, Messages: 10, Value: 0.6, Same: match.Same}
}

// Nearest is the existing skill that is most similar to a task.
type Nearest struct {
	Skill      string
	Similarity float64
}

// Gate decides whether a new skill may come of a task. It is pure. It guards
// new skills, not reflection.
func Gate(o observe.Observation, near Nearest, m Measures) Verdict {
	if !o.Success {
		return Verdict{Reason: "a task without success makes no skill: " + o.Why}
	}
	why := m.worthy(o)
	switch {
	case why == "":
		return Verdict{Reason: "nothing about it calls for a skill"}
	case near.Skill != "" && near.Similarity >= m.Same:
		return Verdict{Pass: true, Update: near.Skill, Reason: why + "; " + near.Skill + " covers it already"}
	}
	return Verdict{Pass: true, Reason: why}
}

// worthy is the first reason for a skill, or "".
func (m Measures) worthy(o observe.Observation) string {
	switch {
	case o.Remember:
		return "somebody asked to keep it"
	case o.ProvenRight:
		return "it was corrected and then right"
	case o.Steps >= m.Steps:
		return fmt.Sprintf("it took %d steps", o.Steps)
	case o.Similar >= m.Similar:
		return fmt.Sprintf("%d tasks before it were alike", o.Similar)
	case o.Messages >= m.Messages && o.Value >= m.Value:
		return fmt.Sprintf("%d messages with a learning value of %.1f", o.Messages, o.Value)
	}
	return ""
}
