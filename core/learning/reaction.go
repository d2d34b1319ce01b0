package learning

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"talaria/core/chat"
	"talaria/core/learning/observe"
	"talaria/core/person"
	"talaria/core/trace"
	"talaria/storage"
)

// answers looks up which messages of the bot's answer the task, so that a
// reaction to one finds it.
func (r *Recorder) answers(ctx context.Context, b *storage.Batch, t *trace.Task) error {
	if r.cfg.Answers == nil {
		return nil
	}
	for n := range t.Turns {
		turn := &t.Turns[n]
		if len(turn.Answers) > 0 {
			continue
		}
		ids, err := r.cfg.Answers(ctx, t.Place, turn.ID)
		if err != nil {
			return fmt.Errorf("look up the answers of turn %s: %w", turn.ID, err)
		}
		turn.Answers = ids
		for _, id := range ids {
			trace.PutAnswer(b, t.Place, id, trace.Answer{Task: t.ID, Turn: turn.ID}, r.cfg.Keep)
		}
	}
	return nil
}

// reaction takes note of an emoji on an answer; on anything else it is nothing.
func (r *Recorder) reaction(ctx context.Context, p storage.Partition, b *storage.Batch, raw trace.Raw) error {
	if _, clear := observe.Emoji(raw.Reaction.Name); !clear && raw.Reaction.Added {
		return nil
	}
	d, turn, err := r.answered(ctx, p, b, raw)
	if err != nil || turn < 0 {
		return err
	}
	t := d.Value
	if off, err := Stopped(ctx, r.cfg.Store, t.Place, t.People()...); err != nil || off {
		return err
	}
	t.Turns = slices.Clone(t.Turns)
	t.Turns[turn].Reactions = reactions(t.Turns[turn].Reactions, raw, t)
	if _, err := r.observe(ctx, p, b, t); err != nil {
		return err
	}
	if t.Settled != "" {
		r.notify(b, t, Late)
	}
	trace.Put(b, t, d.Revision, r.cfg.Keep)
	return nil
}

// answered finds the task and the turn that a message answers; -1 for none.
func (r *Recorder) answered(ctx context.Context, p storage.Partition, b *storage.Batch, raw trace.Raw) (storage.Doc[trace.Task], int, error) {
	a, err := trace.FindAnswer(ctx, r.cfg.Store, raw.Place, raw.Reaction.Message)
	if err == nil {
		d, err := trace.Get(ctx, r.cfg.Store, p, a.Task)
		if errors.Is(err, storage.ErrNotFound) {
			return d, -1, nil
		}
		return d, slices.IndexFunc(d.Value.Turns, func(t trace.Turn) bool { return t.ID == a.Turn }), err
	}
	if !errors.Is(err, storage.ErrNotFound) {
		return storage.Doc[trace.Task]{}, -1, err
	}
	return r.answeredNow(ctx, p, b, raw)
}

// answeredNow looks among the tasks of the place that are still open, whose
// answers are not noted yet.
func (r *Recorder) answeredNow(ctx context.Context, p storage.Partition, b *storage.Batch, raw trace.Raw) (storage.Doc[trace.Task], int, error) {
	none := storage.Doc[trace.Task]{}
	docs, err := storage.List[open](ctx, r.cfg.Store, p, openTasks, "", maxOpen)
	if err != nil {
		return none, -1, err
	}
	for _, o := range docs {
		if o.Value.Place.Place() != raw.Place.Place() {
			continue
		}
		d, err := trace.Get(ctx, r.cfg.Store, p, o.Value.Task)
		if err != nil {
			continue // gone, or read again with the next reaction
		}
		if err := r.answers(ctx, b, &d.Value); err != nil {
			return none, -1, err
		}
		n := slices.IndexFunc(d.Value.Turns, func(t trace.Turn) bool { return slices.Contains(t.Answers, raw.Reaction.Message) })
		if n >= 0 {
			return d, n, nil
		}
	}
	return none, -1, nil
}

// reactions are those of an answer once another one came or was taken back.
func reactions(have []trace.Reaction, raw trace.Raw, t trace.Task) []trace.Reaction {
	e := raw.Reaction
	out := slices.DeleteFunc(slices.Clone(have), func(r trace.Reaction) bool {
		return r.Who == e.Who && strings.EqualFold(r.Name, e.Name)
	})
	const most = 50
	if e.Added && len(out) < most {
		out = append(out, trace.Reaction{Who: e.Who, Name: e.Name, Asker: e.Who == t.Asker, At: raw.At})
	}
	return out
}

// Reacted hands a reaction over to be observed. It may be called again with the
// same event.
func (r *Recorder) Reacted(ctx context.Context, e chat.Event) error {
	if !r.cfg.Enabled || e.Reaction == nil || e.Message == "" || e.Author.Bot || e.Author.Self || e.Author.Anonymous {
		return nil
	}
	raw := trace.Raw{Place: e.Address, At: e.At.UTC(), Reaction: &trace.RawReaction{
		Message: e.Message, Who: e.Author.Identity, Name: e.Reaction.Name, Added: e.Reaction.Added,
	}}
	b := storage.On(person.ShardOf(e.Address))
	trace.HandOver(b, raw)
	if _, err := r.cfg.Store.Commit(ctx, b); err != nil {
		return fmt.Errorf("hand a reaction over: %w", err)
	}
	r.Wake(storage.ShardOf(e.Address.Platform, e.Address.Workspace, e.Address.Chat))
	return nil
}
