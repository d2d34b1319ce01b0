package export

import (
	"encoding/json"
	"strings"

	"talaria/core/learning/observe"
	"talaria/core/trace"
)

// Role is who speaks in a message.
type Role string

// The roles, in the words of ShareGPT.
const (
	Human        Role = "human"
	GPT          Role = "gpt"
	FunctionCall Role = "function_call"
	Result       Role = "observation"
)

// Message is one message of a conversation.
type Message struct {
	From    Role   `json:"from"`
	Value   string `json:"value"`
	Thought string `json:"thought,omitempty"` // of FunctionCall: what was said beside the calls
}

// Reward is how well a conversation went.
type Reward struct {
	Value    float64      `json:"value"` // -1 to 1
	Success  bool         `json:"success"`
	Feedback observe.Sign `json:"feedback"` // on the last answer, by who asked
}

// Conversation is one task in the ShareGPT form.
type Conversation struct {
	ID       string    `json:"id"`
	Messages []Message `json:"conversations"`
	Reward   Reward    `json:"reward"`
}

func conversation(s seen) Conversation {
	c := Conversation{ID: pseudonym(s.task.ID), Reward: reward(s)}
	for n := range s.task.Turns {
		c.Messages = append(c.Messages, turn(s.task, n)...)
	}
	return c
}

func reward(s seen) Reward {
	r := Reward{Success: s.is.Success, Feedback: observe.Verdict(s.is.Feedback, len(s.task.Turns)-1)}
	r.Value = -0.5
	if r.Success {
		r.Value = 0.5
	}
	switch {
	case r.Feedback == observe.Thanks || r.Feedback == observe.Liked:
		r.Value += 0.5
	case r.Feedback.Negative():
		r.Value -= 0.5
	}
	return r
}

// turn is one turn of a task: the question, calls with their results, and the
// answer. One without an answer or without a question is left out.
func turn(t trace.Task, n int) []Message {
	asked, answered := asked(t.Turns[n]), general(t.Turns[n].Answered)
	if asked == "" || answered == "" {
		return nil
	}
	out := []Message{{From: Human, Value: asked}}
	var open *step
	for _, s := range t.Steps {
		if s.Turn != n {
			continue
		}
		if s.Kind != trace.Observation && (open == nil || len(open.results) > 0) {
			out = append(out, open.messages()...)
			open = &step{}
		}
		open.add(s)
	}
	out = append(out, open.messages()...)
	return append(out, Message{From: GPT, Value: answered})
}

// asked is what was asked in a turn, with what was said while it ran.
func asked(t trace.Turn) string {
	return strings.TrimSpace(general(strings.Join(append([]string{t.Asked}, t.Steered...), "\n")))
}

// step is what the model did at once: calls side by side, and their results.
type step struct {
	thought        string
	calls, results []any
}

func (s *step) add(of trace.Step) {
	switch {
	case s == nil: // a result whose call was left out
	case of.Kind == trace.Thought:
		s.thought = general(of.Text)
	case of.Kind == trace.ToolCall:
		s.calls = append(s.calls, map[string]any{"name": of.Tool, "arguments": arguments(general(of.Text))})
	default:
		s.results = append(s.results, general(of.Text))
	}
}

// messages are a call and its result; none where one of them is missing.
func (s *step) messages() []Message {
	if s == nil || len(s.calls) == 0 || len(s.results) == 0 {
		return nil
	}
	return []Message{{From: FunctionCall, Value: one(s.calls), Thought: s.thought}, {From: Result, Value: one(s.results)}}
}

// one writes a list, or its only element.
func one(list []any) string {
	var v any = list
	if len(list) == 1 {
		v = list[0]
	}
	if text, ok := v.(string); ok {
		return text
	}
	data, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(data)
}

// arguments are what a call was made with; redaction may have left no JSON.
func arguments(text string) any {
	if json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	return text
}
