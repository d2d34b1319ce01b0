package lane

import (
	"slices"

	"talaria/core/chat"
	"talaria/core/memory"
)

// edited replaces the text of a message that still waits. A running or
// finished turn keeps what it was asked, and is found by the new words: the
// gate has turned an edit that adds the mention into a message of its own.
func (l *Lanes) edited(w *work, key string, t *task) {
	e := t.env.Event
	if q := l.waiting(key, e.Message); q != nil {
		q.env.Event.Text = e.Text
		w.wg.Go(func() { l.done(w, t) })
		return
	}
	l.inside(w, key, func() { l.reword(w, t, e.Text) })
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
