package lane

import (
	"context"
	"errors"
	"slices"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/journal"
	"talaria/gateway/outbox"
	"talaria/storage"
)

// claim takes those waiting messages of the author's that an earlier run of
// this turn gave to the model: they came again after a crash, and are answered.
func (t *turn) claim() {
	t.l.mu.Lock()
	defer t.l.mu.Unlock()
	for _, entry := range t.resumed {
		if entry.Steered == nil {
			continue
		}
		given := func(s *task) bool { return input(s.env.Event, nil).Text == entry.Steered.Text }
		if n := slices.IndexFunc(t.run.steer, given); n >= 0 {
			t.drained = append(t.drained, t.run.steer[n])
			t.run.steer = slices.Delete(t.run.steer, n, n+1)
		}
	}
}

// stopped ends a turn whose context ended. Stopped by its author it is over;
// otherwise it stays in the inbox for whoever owns the shard next.
func (t *turn) stopped(ctx context.Context) {
	if !errors.Is(context.Cause(ctx), errStopped) {
		if t.live != nil {
			t.live.Abandon()
		}
		return
	}
	t.halted = true
	text := t.lang.Text("(I stopped here.)")
	if t.live != nil && t.live.Shown() != "" {
		text = t.live.Shown() + "\n\n" + text
	}
	t.finish(agent.Answer{Ending: agent.Broken, Text: text})
}

// finish commits the turn: transcript, index, answer, and the event's leaving
// the inbox, all or nothing.
func (t *turn) finish(a agent.Answer) {
	t.claim()
	e, who := t.task.env.Event, t.task.env.Who
	said, aloud := t.compose(&a)
	next := t.session.state
	next.Turns, next.At, next.Person = next.Turns+1, time.Now().UTC(), ownerOf(e, who)
	x := Exchange{
		Session: transcript(t.ln.key, next.Generation), Number: next.Turns, Turn: e.Key(), Who: who.Person, At: next.At,
		Message: e.Message, Asked: asked(e), Answered: a.Text, Messages: a.Messages,
	}
	err := t.say(said, func(b *storage.Batch) {
		t.settle(b)
		keepRan(b, e, who.Person, a, aloud)
		t.keep(b, a, x, next)
		t.l.cfg.Briefing.Keep(b, who, x)
		t.handOver(b, a, x)
	})
	if err != nil {
		if t.live != nil {
			t.live.Abandon()
		}
		return
	}
	t.keepHistory(a, next)
	t.l.cfg.Briefing.Spent(who, a.Usage)
	t.l.observe(t.shard.N)
	for _, d := range append(t.drained, t.task) {
		t.shard.Done(d.sequence)
	}
}

// compose makes the messages that say the answer, and tells whether it is said
// aloud. An answer of which nothing can be shown is replaced in a.
func (t *turn) compose(a *agent.Answer) (said []*outbox.Message, aloud bool) {
	e := t.task.env.Event
	text, aloud := noted(e, words(*a))
	if aloud {
		said = t.l.cfg.Outbox.Compose(outbox.Say{
			Turn: e.Key(), Address: e.Address, ReplyTo: replyTo(e), Interaction: e.Interaction, Told: e.Kind == chat.Tick,
			Post: chat.Post{Markdown: text, Files: a.Files, Buttons: buttons(t.lang, a.Ask), Free: a.Ending != agent.Broken},
		})
	}
	if aloud && len(said) == 0 {
		// Nothing of it can be shown, and silence would look like a fault.
		a.Text = t.lang.Text("I have nothing to say to that.")
		said = t.l.cfg.Outbox.Compose(outbox.Say{Turn: e.Key(), Address: e.Address, ReplyTo: replyTo(e), Post: chat.Post{Markdown: a.Text}})
	}
	return append(said, t.marked()...), aloud
}

// settle takes what the turn has answered out of the inbox, its journal with
// it, and books what it spent.
func (t *turn) settle(b *storage.Batch) {
	b.Durable().Done(t.task.sequence)
	for _, s := range t.drained {
		b.Done(s.sequence)
	}
	if t.kept || len(t.resumed) > 0 {
		journal.Delete(b, t.task.env.Event.Key())
	}
	t.spend(b)
}

// keep writes the exchange to its session's transcript, and the session's new
// state with it.
func (t *turn) keep(b *storage.Batch, a agent.Answer, x Exchange, next state) {
	if t.session.opening != nil {
		b.Append(x.Session, Exchange{At: x.At, Messages: t.session.opening})
	}
	if a.Compacted != nil {
		b.Trim(x.Session, 0)
		b.Append(x.Session, Exchange{At: x.At, Messages: a.Compacted})
		b.Delete(prefixes, t.ln.key, storage.Any) // rebuilt with the next turn
	}
	b.Append(x.Session, x)
	holdsWords(b, t.task.env.Event.Address, a.Messages)
	b.Put(sessions, t.ln.key, next, storage.Any)
	if t.prefixed && a.Compacted == nil {
		b.Put(prefixes, t.ln.key, t.session.prefix, storage.Any)
	}
}

// say commits the finished turn with its answer and starts the sending.
func (t *turn) say(said []*outbox.Message, add func(*storage.Batch)) error {
	commit := func(build func() *storage.Batch) error { return t.l.commit(t.ln.work, build) }
	if t.live != nil {
		return t.live.Finish(said, add, commit)
	}
	err := commit(func() *storage.Batch {
		b := t.shard.Batch()
		t.l.cfg.Outbox.Queue(b, said)
		add(b)
		return b
	})
	if err == nil {
		t.l.cfg.Outbox.Send(t.shard, said)
	}
	return err
}

// keepHistory carries the committed turn into the session that is held in memory.
func (t *turn) keepHistory(a agent.Answer, next state) {
	t.session.state, t.session.opening = next, nil
	if a.Compacted != nil {
		t.session.history, t.session.size, t.session.prefix = nil, 0, ""
		t.session.add(a.Compacted)
	}
	t.session.add(a.Messages)
	t.l.histories.put(t.session)
}
