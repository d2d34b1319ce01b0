package rehearsal

import (
	"context"
	"iter"
	"strings"

	"talaria/core/agent"
)

// Name is the model's name for people and for the books.
const Name = "rehearsal"

// Model is the built-in agent.Model. The zero value is ready.
type Model struct{}

// Name implements agent.Model.
func (Model) Name() string { return Name }

// Stream implements agent.Model. It fails only if ctx has ended.
func (Model) Stream(ctx context.Context, r agent.Request) iter.Seq2[agent.Delta, error] {
	return func(yield func(agent.Delta, error) bool) {
		text, calls := respond(r)
		for piece := range pieces(text) {
			if ctx.Err() != nil {
				yield(agent.Delta{}, context.Cause(ctx))
				return
			}
			if !yield(agent.Delta{Text: piece}, nil) {
				return
			}
		}
		for _, c := range calls {
			if !yield(agent.Delta{Call: &c}, nil) {
				return
			}
		}
		stop := agent.StopEnd
		if len(calls) > 0 {
			stop = agent.StopCalls
		}
		yield(agent.Delta{Stop: stop}, nil)
	}
}

// respond is the whole model: what to say, or what to have done first.
func respond(r agent.Request) (string, []agent.Call) {
	if text, ok := sumUp(r); ok {
		return text, nil
	}
	if text, ok := tell(r); ok {
		return text, nil
	}
	if text, calls, ok := review(r); ok {
		return text, calls
	}
	if text, ok := improve(r); ok {
		return text, nil
	}
	if text, ok := pictureOf(r); ok {
		return text, nil
	}
	s := read(r)
	t := newTask(s)
	if calls := t.play(s.exchanges); len(calls) > 0 {
		return "", name(calls, len(r.Messages))
	}
	return t.report(), nil
}

// pieceLength is about how many characters one piece of streamed text has.
const pieceLength = 48

// pieces cuts a text at spaces and line ends, as a model's tokens would come.
func pieces(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		var b strings.Builder
		n := 0
		for _, r := range text {
			b.WriteRune(r)
			n++
			if n >= pieceLength && (r == ' ' || r == '\n') || n >= 2*pieceLength {
				if !yield(b.String()) {
					return
				}
				b.Reset()
				n = 0
			}
		}
		if b.Len() > 0 {
			yield(b.String())
		}
	}
}
