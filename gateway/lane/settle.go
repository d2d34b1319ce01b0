package lane

import (
	"context"
	"errors"
	"time"
	"unicode/utf16"

	"talaria/core/chat"
	"talaria/core/sleep"
	"talaria/gateway/outbox"
	"talaria/gateway/wording"
	"talaria/storage"
)

// done takes an event out of the inbox with nothing to show for it.
func (l *Lanes) done(w *work, tasks ...*task) {
	l.doneWith(w, func(*storage.Batch) {}, tasks...)
}

// doneWith is done with what add has committed in the same step.
func (l *Lanes) doneWith(w *work, add func(*storage.Batch), tasks ...*task) {
	err := l.commit(w, func() *storage.Batch {
		b := w.shard.Batch()
		add(b)
		for _, t := range tasks {
			b.Done(t.sequence)
		}
		return b
	})
	if err != nil {
		return
	}
	for _, t := range tasks {
		w.shard.Done(t.sequence)
	}
}

// tell answers an event with fixed words.
func (l *Lanes) tell(w *work, t *task, post chat.Post) {
	l.answered(w, t, l.compose(t.env.Event, post, true), nil)
}

// compose makes the messages of an answer to a command or a press: for its author
// alone where the platform offered a way to do that. Where that is a notice, only
// what tells why a press came to nothing goes there, and only if there is room.
func (l *Lanes) compose(e chat.Event, post chat.Post, aside bool) []*outbox.Message {
	s := outbox.Say{Turn: e.Key(), Address: e.Address, ReplyTo: replyTo(e), Post: post, Interaction: e.Interaction}
	if e.Interaction == nil || e.Direct {
		return l.cfg.Outbox.Compose(s)
	}
	shared := s
	s.Private = &e.Author.Identity
	said := l.cfg.Outbox.Compose(s)
	if room := e.Interaction.Room; room > 0 && (!aside || len(post.Buttons) > 0 || len(said) != 1 || len(utf16.Encode([]rune(said[0].Text))) > room) {
		return l.cfg.Outbox.Compose(shared)
	}
	return said
}

// answered takes an event out of the inbox with what is said about it, and with
// what add has committed in the same step, if anything.
func (l *Lanes) answered(w *work, t *task, said []*outbox.Message, add func(*storage.Batch)) {
	err := l.commit(w, func() *storage.Batch {
		b := w.shard.Batch().Durable().Done(t.sequence)
		l.cfg.Outbox.Queue(b, said)
		if add != nil {
			add(b)
		}
		return b
	})
	if err != nil {
		return
	}
	l.cfg.Outbox.Send(w.shard, said)
	w.shard.Done(t.sequence)
}

// replyTo hangs an answer on its message where several people talk.
func replyTo(e chat.Event) string {
	if e.Direct {
		return ""
	}
	return e.Message
}

// What is said in place of an answer.
const (
	brokeOff   = "That did not work; the reason is in my log. Please try again."
	unreadable = "I can't read what I keep of our conversation, so I can't answer here: it is damaged where it is stored. " +
		"Whoever runs me finds in my log what is to be done; until then I may be of use in another place."
	busy = "I am still busy with your earlier messages, and as many as I can keep are waiting. " +
		"I did not take this one, and take none until I have answered one of them; please send it again later, or send `/stop`."
)

// speaking has an event answered in its author's language.
func (l *Lanes) speaking(ctx context.Context, t *task) context.Context {
	told, err := wording.For(ctx, l.cfg.Store, t.env.Who, t.env.Event)
	if err != nil && ctx.Err() == nil {
		l.cfg.Log.Warn("a person's language is not known", "err", err)
	}
	return told
}

// commit applies a batch under the shard's fence, waiting while the store is
// unavailable. An error means that the shard is another's now.
func (l *Lanes) commit(w *work, build func() *storage.Batch) error {
	ctx := w.shard.Context()
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		_, err := w.shard.Commit(ctx, build())
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil, errors.Is(err, storage.ErrFenced):
			return errLost
		case errors.Is(err, storage.ErrInvalid), errors.Is(err, storage.ErrConflict):
			l.cfg.Log.Error("step can't be committed", "shard", w.shard.N, "err", err)
			return err
		case errors.Is(err, storage.ErrCorrupt):
			l.cfg.Log.Error("the store is damaged: stop the bot, look with talaria store check, and restore a backup", "shard", w.shard.N, "err", err)
		default:
			l.cfg.Log.Warn("waiting for the store", "shard", w.shard.N, "err", err)
		}
		if !sleep.For(ctx, wait) {
			return errLost
		}
	}
}

// errLost: the shard is another's now, who will do the work again.
var errLost = errors.New("shard lost")
