package lane

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/tool"
	"talaria/gateway/command"
	"talaria/gateway/outbox"
	"talaria/gateway/wording"
	"talaria/storage"
)

// The buttons under a question.
const (
	askYes = "ask.yes"
	askNo  = "ask.no"
)

const (
	questions = "question" // documents of a shard, by token
	// askFor is how long a question waits for its answer; after that it is no.
	askFor = 24 * time.Hour
)

// question is a call that waits for its author's yes.
type question struct {
	Tool     string          `json:"tool"`
	Args     json.RawMessage `json:"args"`
	Digest   string          `json:"digest"`
	Question string          `json:"question"`
	Context  chat.Origin     `json:"context"`
	Who      person.ID       `json:"who"`
	Turn     string          `json:"turn,omitempty"` // that asked
	Lane     string          `json:"lane,omitempty"` // the conversation it was asked in
}

// asker keeps the questions of one turn in its shard.
type asker struct{ t *turn }

var _ tool.Asker = asker{}

// Ask implements tool.Asker.
func (a asker) Ask(ctx context.Context, r tool.Request) (string, error) {
	turn := a.t.task.env.Event.Key()
	sum := sha256.Sum256([]byte(turn + "\x00" + r.Key))
	token := strings.ToLower(base32.StdEncoding.EncodeToString(sum[:16])[:26])
	q := question{r.Tool, r.Args, r.Digest, r.Question, r.Context, a.t.task.env.Who.Person, turn, a.t.ln.key}
	b := a.t.shard.Batch().PutFor(questions, token, q, storage.Any, askFor)
	if _, err := a.t.shard.Commit(ctx, b); err != nil {
		return "", fmt.Errorf("keep question: %w", err)
	}
	return token, nil
}

// buttons are the answers to a question that the agent needs a yes for.
func buttons(l wording.Language, a *agent.Ask) []chat.Button {
	if a == nil {
		return nil
	}
	return []chat.Button{
		{Label: l.Text("Yes, do it"), Action: askYes, Token: a.Token, Style: "primary"},
		{Label: l.Text("No"), Action: askNo, Token: a.Token, Style: "danger"},
	}
}

// words are what an answer says: its text, and the question it ends with.
func words(a agent.Answer) string {
	if a.Ask == nil {
		return a.Text
	}
	return strings.TrimSpace(a.Text + "\n\n" + a.Ask.Question)
}

func consents(e chat.Event) bool { return e.Kind == chat.Press && e.Press.Action == askYes }

// agreed takes a yes into the lane, where it becomes a turn of its own.
func (l *Lanes) agreed(w *work, key string, t *task) {
	ctx := l.speaking(w.shard.Context(), t)
	_, refusal, err := l.question(ctx, w, t)
	switch {
	case w.shard.Context().Err() != nil:
		return
	case err != nil:
		l.cfg.Log.Error("question not read", "err", err)
		refusal = wording.Text(ctx, "That did not work; the reason is in my log. Please press again.")
	}
	if refusal != "" {
		l.tell(w, t, chat.Post{Markdown: refusal})
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.push(w, key, t)
}

// The answers to a press that decides nothing.
const (
	notWaiting = "This question waits for no answer any more. If you still want it, please ask me again."
	notYours   = "Only the person who asked for this can decide on it."
)

// question reads the question that a press answers. A refusal says why the
// press counts for nothing.
func (l *Lanes) question(ctx context.Context, w *work, t *task) (q question, refusal string, err error) {
	doc, err := storage.Get[question](ctx, l.cfg.Store, w.shard.Partition(), questions, t.env.Event.Press.Token)
	switch {
	case errors.Is(err, storage.ErrNotFound):
		return q, wording.Text(ctx, notWaiting), nil
	case err != nil:
		return q, "", fmt.Errorf("read question: %w", err)
	case doc.Value.Who != t.env.Who.Person:
		return q, wording.Text(ctx, notYours), nil
	}
	return doc.Value, "", nil
}

// consented reads what this turn's press said yes to.
func (t *turn) consented(ctx context.Context) (refusal string, err error) {
	if !consents(t.task.env.Event) {
		return "", nil
	}
	t.consent, refusal, err = t.l.question(ctx, t.ln.work, t.task)
	return refusal, err
}

// carryOut begins the turn of a yes: the very call that was asked about is its
// first step, and the model goes on from what came of it.
func (t *turn) carryOut(ctx context.Context, prefix string) ([]agent.Entry, error) {
	q := t.consent
	entries := []agent.Entry{
		{Begun: &agent.Begun{Prefix: prefix, Input: agent.Message{Role: agent.User, Text: "Yes, do it.", Origin: max(chat.Member, q.Context)}}},
		{Model: &agent.Message{Role: agent.Assistant, Calls: []agent.Call{{ID: "yes_" + t.task.env.Event.Press.Token, Name: q.Tool, Args: q.Args}}, Origin: q.Context}},
	}
	return entries, t.record(ctx, entries...)
}

// spend takes the question away with the turn that it led to.
func (t *turn) spend(b *storage.Batch) {
	if t.consent.Tool != "" {
		b.Delete(questions, t.task.env.Event.Press.Token, storage.Any)
	}
}

// marked is the question's card with the answer on it and without its buttons.
func (t *turn) marked() []*outbox.Message {
	if t.consent.Tool == "" {
		return nil
	}
	answer := decided(t.lang, t.consent, t.lang.Text("Yes"), t.task.env.Who.Name)
	return t.l.cfg.Outbox.Compose(card(t.task.env.Event, t.consent.Turn, answer))
}

// declined answers a no, and tells the turn that asked. Who typed it also gets
// an answer below the card. The question is to go with the answer, by drop, so
// that a crash loses neither alone.
func (l *Lanes) declined(ctx context.Context, w *work, t *task) (r command.Reaction, asked string, drop func(*storage.Batch), err error) {
	q, refusal, err := l.question(ctx, w, t)
	if err != nil || refusal != "" {
		return command.Reaction{Say: chat.Post{Markdown: refusal}, Aside: true}, "", nil, err
	}
	drop = func(b *storage.Batch) { b.Delete(questions, t.env.Event.Press.Token, storage.Any) }
	post := decided(wording.In(ctx), q, wording.Text(ctx, "No"), t.env.Who.Name)
	r.Card = &post
	if typed(t.env.Event) {
		r.Say = post
	}
	return r, q.Turn, drop, nil
}

func decided(l wording.Language, q question, answer, by string) chat.Post {
	if by != "" {
		answer = l.Text("%s, said %s", answer, quote(by, 64))
	}
	return chat.Post{Markdown: q.Question + "\n\n**" + answer + "**"}
}
