package lane

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"talaria/core/chat"
	"talaria/core/text"
	"talaria/storage"
)

// The answers to a question that are typed, alone. What is longer goes to the
// model: "yes, but call it otherwise" is no yes.
var (
	yesses = strings.Fields("yes y yep yeah 好 好的 是 是的 对 可以 行")
	noes   = strings.Fields("no n nope 不 不是 不要 不行 不用 否")
)

// answerTo is the button that a message stands for where a question is open;
// empty for one that is no answer, or not the author's own words alone, as they were sent.
func answerTo(e chat.Event) string {
	if e.Kind != chat.Message || e.Origin != chat.Member || e.Forwarded || e.Edited || len(e.Attachments) > 0 {
		return ""
	}
	said := strings.Trim(text.Fold(e.Text), " .!。！")
	switch {
	case slices.Contains(yesses, said):
		return askYes
	case slices.Contains(noes, said):
		return askNo
	}
	return ""
}

// typed reports whether a press was typed: it has words, and its message is the
// person's and no card.
func typed(e chat.Event) bool { return e.Kind == chat.Press && e.Text != "" }

// asPress makes a typed yes or no the press that it stands for, where one question
// of its author's is open in this conversation. It is decided in the lane, once
// what came before is over: whoever runs the lane again after a crash decides the
// same, since a question goes with the event that answered it.
func (l *Lanes) asPress(ctx context.Context, ln *lane, t *task) error {
	action := answerTo(t.env.Event)
	if action == "" {
		return nil
	}
	tokens, err := l.openQuestions(ctx, ln, t)
	if err != nil || len(tokens) != 1 {
		return err
	}
	t.env.Event.Kind = chat.Press
	t.env.Event.Press = &chat.PressData{Action: action, Token: tokens[0]}
	return nil
}

// openQuestions are those that wait in a conversation for a task's author.
func (l *Lanes) openQuestions(ctx context.Context, ln *lane, t *task) (tokens []string, err error) {
	const page = 200
	for after := ""; ; {
		docs, err := storage.List[question](ctx, l.cfg.Store, ln.work.shard.Partition(), questions, after, page)
		if err != nil {
			return nil, fmt.Errorf("list open questions: %w", err)
		}
		for _, d := range docs {
			after = d.Key
			if d.Value.Who == t.env.Who.Person && d.Value.Lane == ln.key {
				tokens = append(tokens, d.Key)
			}
		}
		if len(docs) < page {
			return tokens, nil
		}
	}
}
