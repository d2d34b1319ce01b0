package lane

import (
	"context"
	"fmt"
	"time"

	"talaria/core/chat"
	"talaria/gateway/command"
	"talaria/gateway/wording"
	"talaria/storage"
)

// command runs a command and answers it.
func (l *Lanes) command(w *work, key string, t *task) {
	ctx := l.speaking(w.shard.Context(), t)
	call := command.Call{Who: t.env.Who, Event: t.env.Event, Session: control{l, w, key}, Keep: func(ctx context.Context, chosen string) error {
		_, err := w.shard.Commit(ctx, w.shard.Batch().PutFor(choices, t.env.Event.Key(), chosen, storage.Any, keptChoice))
		return err
	}}
	post, err := l.call(ctx, w, t, call)
	if err != nil {
		if ctx.Err() != nil {
			return // the shard's next owner runs it
		}
		l.cfg.Log.Error("command broke off", "command", t.env.Event.Command.Name, "err", err)
		post = wording.Say(ctx, brokeOff)
	}
	l.tell(w, t, post)
}

// What a command has chosen to do something to lies in its shard, by the event's
// key, until the command is certainly over.
const (
	choices    = "chosen"
	keptChoice = 7 * 24 * time.Hour
)

// call runs a command, with what it had chosen where it was cut off before.
func (l *Lanes) call(ctx context.Context, w *work, t *task, c command.Call) (chat.Post, error) {
	if !t.env.Fresh {
		chosen, err := storage.GetAll[string](ctx, l.cfg.Store, w.shard.Partition(), storage.Ref{Collection: choices, Key: t.env.Event.Key()})
		if err != nil {
			return chat.Post{}, fmt.Errorf("read what a command had chosen: %w", err)
		}
		if len(chosen) > 0 {
			c.Chosen = chosen[0].Value
		}
	}
	return l.cfg.Commands.Run(ctx, c)
}

// control is what a command can do to its session.
type control struct {
	l   *Lanes
	w   *work
	key string
}

var _ command.Session = control{}

func wait(ctx context.Context, ended <-chan struct{}) {
	select {
	case <-ctx.Done():
	case <-ended:
	}
}

// Reset begins a new generation. It runs inside the lane, so no turn is under
// way that could still write into the old one.
func (c control) Reset(ctx context.Context) error {
	done := make(chan error, 1)
	c.l.mu.Lock()
	c.l.inside(c.w, c.key, func() { done <- c.reset(ctx) })
	c.l.mu.Unlock()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// inside runs f in a lane, before what waits there.
func (l *Lanes) inside(w *work, key string, f func()) {
	t := &task{do: f}
	ln := l.lanes[key]
	if ln != nil {
		ln.queue = append([]*task{t}, ln.queue...)
		return
	}
	ln = &lane{key: key, work: w, queue: []*task{t}}
	l.lanes[key] = ln
	w.wg.Go(func() { l.run(ln) })
}

func (c control) reset(ctx context.Context) error {
	ses, err := c.l.load(ctx, c.w.shard, c.key)
	if err != nil {
		return err
	}
	next := state{Generation: ses.state.Generation + 1, At: ses.state.At, Person: ses.state.Person}
	err = c.l.commit(c.w, func() *storage.Batch {
		b := c.w.shard.Batch().
			Put(sessions, c.key, next, storage.Any).
			Delete(prefixes, c.key, storage.Any).
			Trim(transcript(c.key, ses.state.Generation), 0)
		c.l.ended(b, transcript(c.key, ses.state.Generation))
		return b
	})
	if err == nil {
		c.l.observe(c.w.shard.N)
	}
	return err
}

// Status describes the session.
func (c control) Status(ctx context.Context) (command.Status, error) {
	var s command.Status
	c.l.mu.Lock()
	if ln := c.l.lanes[c.key]; ln != nil {
		s.Queued = len(ln.queue)
		if ln.running != nil {
			s.Running, s.Doing = true, ln.running.doing
			s.Queued += len(ln.running.steer)
		}
	}
	c.l.mu.Unlock()
	doc, err := storage.GetAll[state](ctx, c.l.cfg.Store, c.w.shard.Partition(), storage.Ref{Collection: sessions, Key: c.key})
	if err == nil && len(doc) > 0 {
		s.Turns = doc[0].Value.Turns
	}
	return s, err
}
