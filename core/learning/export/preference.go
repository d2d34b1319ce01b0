package export

import (
	"talaria/core/agent"
	"talaria/core/learning/observe"
)

// Preference is a pair of answers to the same request.
type Preference struct {
	ID       string    `json:"id"`
	Messages []Message `json:"conversations"` // up to the request
	Chosen   Message   `json:"chosen"`
	Rejected Message   `json:"rejected"`
	Why      string    `json:"why"`             // "corrected", or "succeeded" where another try of the same failed
	Words    string    `json:"words,omitempty"` // of the correction
}

// corrected are the answers of a task that its asker did not take, beside the
// answers that they took afterwards.
func corrected(s seen) []Preference {
	var out []Preference
	for _, f := range s.is.Feedback {
		next := f.Turn + 1
		if !f.Sign.Negative() || f.Sign == observe.Disliked || f.Other || next >= len(s.task.Turns) {
			continue
		}
		if s.task.Turns[next].Ending != agent.Answered || observe.Verdict(s.is.Feedback, next).Negative() {
			continue
		}
		p := pair(s, f.Turn, s.task.Turns[f.Turn].Answered, s.task.Turns[next].Answered)
		p.Why, p.Words = "corrected", general(f.Text)
		if p.whole() {
			out = append(out, p)
		}
	}
	return out
}

// sameRequest is the similarity from which two requests want the same.
const sameRequest = 0.9

// contrasted are failed tasks of one kind beside a successful one that was
// asked the same.
func contrasted(tasks []seen, alike func(a, b string) float64) []Preference {
	var out []Preference
	for _, bad := range tasks {
		if bad.is.Success {
			continue
		}
		for _, good := range tasks {
			if !good.is.Success || alike(bad.task.Request, good.task.Request) < sameRequest {
				continue
			}
			p := pair(bad, 0, bad.task.Output(), good.task.Output())
			p.Why = "succeeded"
			if p.whole() {
				out = append(out, p)
			}
			break
		}
	}
	return out
}

// pair is a request of a task with two answers to it.
func pair(s seen, at int, rejected, chosen string) Preference {
	p := Preference{
		ID:       pseudonym(s.task.ID),
		Chosen:   Message{From: GPT, Value: general(chosen)},
		Rejected: Message{From: GPT, Value: general(rejected)},
	}
	for n := range at {
		p.Messages = append(p.Messages, turn(s.task, n)...)
	}
	p.Messages = append(p.Messages, Message{From: Human, Value: asked(s.task.Turns[at])})
	return p
}

// whole reports whether there is something to prefer.
func (p Preference) whole() bool {
	last := p.Messages[len(p.Messages)-1].Value
	return last != "" && p.Chosen.Value != "" && p.Rejected.Value != "" && p.Chosen.Value != p.Rejected.Value
}
