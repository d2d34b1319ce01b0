package reflect

import (
	"encoding/json"
	"fmt"

	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/learning/observe"
	"talaria/core/text"
	"talaria/core/trace"
)

// Digest is a task as a review reads it: redacted, bounded, in one piece.
type Digest struct {
	Request    string             `json:"request"`
	Outcome    string             `json:"outcome"` // "success" or "failure"
	Why        string             `json:"why,omitempty"`
	Gate       learning.Verdict   `json:"gate"` // whether a new skill may come of it
	Similar    int                `json:"alike_before"`
	Turns      []DigestTurn       `json:"turns"`
	Left       int                `json:"steps_left_out,omitempty"`
	Feedback   []observe.Feedback `json:"feedback,omitempty"`
	Recoveries []observe.Recovery `json:"recoveries,omitempty"`
	Skills     []DigestSkill      `json:"skills,omitempty"`
	Cards      []DigestCard       `json:"memories,omitempty"`
	Noted      []string           `json:"noted_midway,omitempty"` // while it was under way: what a skill may come of
	Best       *observe.Best      `json:"best_so_far,omitempty"`  // another task of the kind
	Earlier    []Report           `json:"earlier_reports,omitempty"`
}

// DigestTurn is one message with what was done about it.
type DigestTurn struct {
	Asked    string       `json:"asked"`
	Steered  []string     `json:"then_said,omitempty"`
	Steps    []DigestStep `json:"steps,omitempty"`
	Answered string       `json:"answered"`
}

// DigestStep is a call with what came of it, or a thought.
type DigestStep struct {
	Thought string `json:"thought,omitempty"`
	Tool    string `json:"tool,omitempty"`
	Args    string `json:"args,omitempty"`
	Result  string `json:"result,omitempty"`
	Failed  string `json:"failed,omitempty"` // the kind of error
	Outside bool   `json:"from_outside,omitempty"`
}

// DigestSkill is a skill that was in use or is the nearest.
type DigestSkill struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	InUse       bool   `json:"in_use,omitempty"`
	Text        string `json:"text,omitempty"` // its SKILL.md
}

// DigestCard is a remembered statement that the task touches.
type DigestCard struct {
	ID        string `json:"id"`
	Statement string `json:"statement"`
	Certain   bool   `json:"certain"`
}

// The bounds of a digest, in characters of one text.
const (
	mostText   = 2000
	mostResult = 600
)

// WholeSteps is how many of the latest steps are given whole unless the operator
// says otherwise.
const WholeSteps = 24

// DigestOf folds a trace. Steps before the latest whole ones are given with less
// of their results.
func DigestOf(t trace.Task, o learning.Observed, whole int) Digest {
	d := Digest{
		Request: text.Clip(t.Request, mostText), Outcome: "failure", Why: o.Why, Gate: o.Gate, Similar: o.Similar,
		Left: t.Left, Feedback: o.Feedback, Recoveries: o.Recoveries,
	}
	if o.Success {
		d.Outcome = "success"
	}
	for n, turn := range t.Turns {
		d.Turns = append(d.Turns, DigestTurn{
			Asked: text.Clip(turn.Asked, mostText), Steered: turn.Steered, Answered: text.Clip(turn.Answered, mostText),
			Steps: stepsOf(t.Steps, n, whole),
		})
	}
	return d
}

// stepsOf are the steps of one turn, each call with its result.
func stepsOf(steps []trace.Step, turn, whole int) []DigestStep {
	var out []DigestStep
	calls := map[string]int{}
	for n, s := range steps {
		if s.Turn != turn {
			continue
		}
		most := mostResult
		if n < len(steps)-2*whole { // a call and what came of it are two
			most /= 4
		}
		switch s.Kind {
		case trace.Thought:
			out = append(out, DigestStep{Thought: text.Clip(s.Text, most)})
		case trace.ToolCall:
			calls[s.Call] = len(out)
			out = append(out, DigestStep{Tool: s.Tool, Args: text.Clip(s.Text, 2*most)})
		case trace.Observation:
			i, ok := calls[s.Call]
			if !ok {
				continue
			}
			out[i].Result, out[i].Outside = text.Clip(s.Text, most), s.Origin >= chat.External
			if !s.Success {
				out[i].Failed = string(s.Error)
			}
		}
	}
	return out
}

// document is the digest as it stands in the prompt. JSON escapes angle
// brackets, so nothing in it can end the block.
func (d Digest) document() (string, error) {
	data, err := json.MarshalIndent(d, "", " ")
	if err != nil {
		return "", fmt.Errorf("write digest: %w", err)
	}
	return "<task>\n" + string(data) + "\n</task>", nil
}
