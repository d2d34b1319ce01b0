package lane

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/gateway/inbox"
)

// edited replaces the text of a message that still waits. A running or
// finished turn keeps what it was asked, and is found by the new words: the
// gate has turned an edit that adds the mention into a message of its own. An
// edit leaves the inbox after its message, which a crash would have answered in
// its old words otherwise.
func (l *Lanes) edited(w *work, key string, t *task) {
	e := t.env.Event
	q := l.waiting(key, e.Message)
	if q == nil {
		l.inside(w, key, func() { l.reword(w, t, e.Text) })
		return
	}
	q.env.Event.Text, q.env.Event.Edited = e.Text, true
	ln := l.lanes[key]
	after := &task{do: func() {
		if !l.leaving(w) { // or both stay in the inbox
			l.reword(w, t, e.Text)
		}
	}}
	ln.queue = slices.Insert(ln.queue, slices.Index(ln.queue, q)+1, after)
}

// leaving reports whether what waits is left to the shard's next owner.
func (l *Lanes) leaving(w *work) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return w.closing || w.shard.Context().Err() != nil
}

// amend gives a message that was taken up again the words that its author has
// put in since: the edit is behind it in the inbox.
func (l *Lanes) amend(ctx context.Context, s *inbox.Shard, t *task) error {
	e := &t.env.Event
	if e.Kind != chat.Message || e.Message == "" {
		return nil
	}
	for after := t.sequence; ; {
		const page = 200
		pending, err := l.cfg.Store.Pending(ctx, s.Partition(), after, page)
		if err != nil {
			return fmt.Errorf("look for an edit: %w", err)
		}
		for _, p := range pending {
			after = p.Sequence
			var env inbox.Envelope
			if json.Unmarshal(p.Value, &env) != nil {
				continue // damage is for the shard's owner to tell
			}
			if later := env.Event; later.Kind == chat.Edit && later.Message == e.Message && later.Address.Place() == e.Address.Place() {
				e.Text, e.Edited = later.Text, true
			}
		}
		if len(pending) < page {
			return nil
		}
	}
}

// deleted drops a message that still waits; one that was dealt with is found
// no more.
func (l *Lanes) deleted(w *work, key string, t *task) {
	q := l.waiting(key, t.env.Event.Message)
	if q == nil {
		l.inside(w, key, func() {
			if err := l.cfg.Upkeep(w.shard.Context(), t.env.Event); err != nil {
				l.cfg.Log.Warn("a deleted message was not told to upkeep", "err", err)
			}
			l.reword(w, t, "")
		})
		return
	}
	ln := l.lanes[key]
	ln.queue = slices.DeleteFunc(ln.queue, func(t *task) bool { return t == q })
	w.wg.Go(func() { l.done(w, q, t) })
}

// reword changes what a message is found by. It runs inside the lane: a turn
// that was under way has put its message into the index by then.
func (l *Lanes) reword(w *work, t *task, words string) {
	e := t.env.Event
	if e.Origin > chat.Member || e.Forwarded {
		words = "" // somebody else's words are not the author's
	}
	b := w.shard.Batch().Done(t.sequence)
	if err := memory.Reword(w.shard.Context(), l.cfg.Store, b, e.Address, e.Message, words); err != nil {
		l.cfg.Log.Warn("edit not followed in the search index", "err", err)
		l.done(w, t)
		return
	}
	if _, err := w.shard.Commit(w.shard.Context(), b); err != nil {
		l.done(w, t)
		return
	}
	w.shard.Done(t.sequence)
}
