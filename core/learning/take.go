package learning

import (
	"context"
	"errors"
	"slices"

	"talaria/core/learning/observe"
	"talaria/core/trace"
	"talaria/storage"
)

// take takes one hand-over over, in one commit.
func (r *Recorder) take(ctx context.Context, p storage.Partition, h trace.Handover) error {
	b := storage.On(p)
	var err error
	switch raw := h.Value; {
	case raw.Turn != nil && raw.Midway:
		err = r.midway(ctx, p, b, raw)
	case raw.Turn != nil:
		err = r.turn(ctx, p, b, raw)
	case raw.Ended:
		err = r.ended(ctx, p, b, raw.Session, trace.ByNew, "")
	case raw.Reaction != nil:
		err = r.reaction(ctx, p, b, raw)
	}
	if err != nil {
		return err
	}
	trace.Taken(b, h)
	_, err = r.cfg.Store.Commit(ctx, b)
	return err
}

// current is a session's open task with the documents that it is in.
type current struct {
	open storage.Doc[open]
	task storage.Doc[trace.Task]
}

// there reports whether the session has a task that may go on.
func (c current) there() bool { return c.task.Value.ID != "" }

// current reads what is open in a session. Without a task both documents are
// new; so they are where the trace is gone.
func (r *Recorder) current(ctx context.Context, p storage.Partition, session string) (current, error) {
	var c current
	var err error
	if c.open, err = orNew[open](ctx, r.cfg.Store, p, openTasks, session); err != nil || c.open.Revision == storage.Absent {
		return c, err
	}
	c.task, err = trace.Get(ctx, r.cfg.Store, p, c.open.Value.Task)
	if errors.Is(err, storage.ErrNotFound) {
		return c, nil
	}
	return c, err
}

// turn adds a finished turn to its session's task, or begins a new one with it.
func (r *Recorder) turn(ctx context.Context, p storage.Partition, b *storage.Batch, raw trace.Raw) error {
	c, err := r.current(ctx, p, raw.Session)
	if err != nil {
		return err
	}
	words := observe.Read(raw.Turn.Asked, c.task.Value.Output())
	marks := trace.Words{Continues: words.Continues(), Builds: words.Builds}
	fresh := !c.there()
	if !fresh {
		var ended trace.Settling
		ended, fresh = c.task.Value.Boundary(raw, marks, r.cfg.Idle, r.cfg.Alike)
		if fresh {
			closing := ""
			if words.Thanks || words.Negative() {
				closing = raw.Turn.Asked
			}
			if err := r.settle(ctx, p, b, c.task, ended, closing); err != nil {
				return err
			}
		}
	}
	if !fresh {
		t := r.cfg.Redactor.Continue(c.task.Value, raw)
		return r.keep(ctx, p, b, c, t, c.task.Revision)
	}
	before, err := r.before(ctx, raw, c.task.Value, marks)
	if err != nil {
		return err
	}
	start := trace.Direct
	switch {
	case raw.Turn.Scheduled:
		start = trace.Scheduled
	case before != "":
		start = trace.Cascading
	}
	return r.keep(ctx, p, b, c, r.cfg.Redactor.Begin(raw, start, before), storage.Absent)
}

// before is the task whose result a new one builds on: the one that its message
// replies to, or the session's last where its words say so; empty for none.
func (r *Recorder) before(ctx context.Context, raw trace.Raw, last trace.Task, w trace.Words) (string, error) {
	if raw.Turn.ReplyTo != "" {
		a, err := trace.FindAnswer(ctx, r.cfg.Store, raw.Place, raw.Turn.ReplyTo)
		if err == nil || !errors.Is(err, storage.ErrNotFound) {
			return a.Task, err
		}
	}
	if w.Builds {
		return last.ID, nil
	}
	return "", nil
}

// keep writes a task that goes on, with its provisional observation.
func (r *Recorder) keep(ctx context.Context, p storage.Partition, b *storage.Batch, c current, t trace.Task, expect storage.Revision) error {
	at := open{Task: t.ID, Place: t.Place, Last: t.Last(), Asked: c.open.Value.Asked && c.open.Value.Task == t.ID}
	seen, err := r.observe(ctx, p, b, t)
	if err != nil {
		return err
	}
	if seen.Remember && !at.Asked {
		at.Asked = true
		r.notify(b, t, Remember)
	}
	if expect == storage.Absent && seen.Similar >= r.cfg.Repeats {
		r.notify(b, t, Third)
	}
	if err := r.count(ctx, p, b, t); err != nil {
		return err
	}
	b.Put(openTasks, t.Session, at, c.open.Revision)
	trace.Put(b, t, expect, r.cfg.Keep)
	return nil
}

// ended settles a session's task, where it has one.
func (r *Recorder) ended(ctx context.Context, p storage.Partition, b *storage.Batch, session string, by trace.Settling, closing string) error {
	c, err := r.current(ctx, p, session)
	if err != nil || c.open.Revision == storage.Absent {
		return err
	}
	b.Delete(openTasks, session, c.open.Revision)
	if !c.there() {
		return nil
	}
	return r.settle(ctx, p, b, c.task, by, closing)
}

// settle closes a task: its observation is final, but for late feedback, and
// its kind learns of it.
func (r *Recorder) settle(ctx context.Context, p storage.Partition, b *storage.Batch, d storage.Doc[trace.Task], by trace.Settling, closing string) error {
	t := d.Value
	t.Settled = by
	t.Closing = r.cfg.Redactor.Redact(short(closing))
	if err := r.answers(ctx, b, &t); err != nil {
		return err
	}
	if _, err := r.observe(ctx, p, b, t); err != nil {
		return err
	}
	r.notify(b, t, Over)
	trace.Put(b, t, d.Revision, r.cfg.Keep)
	return nil
}

// short is the beginning of some words, which is all that is needed of them.
func short(s string) string {
	const most = 200
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most])
	}
	return s
}

// observe computes a task's observation and adds it to b, and the kind and the
// corrections of a settled one.
func (r *Recorder) observe(ctx context.Context, p storage.Partition, b *storage.Batch, t trace.Task) (observe.Observation, error) {
	kind, err := r.kind(ctx, p, t)
	if err != nil {
		return observe.Observation{}, err
	}
	heard, err := orNew[corrections](ctx, r.cfg.Store, p, said, t.Scope())
	if err != nil {
		return observe.Observation{}, err
	}
	o := observe.Observe(t, observe.Past{Kind: kind.Value, Corrections: heard.Value.earlier(t.ID, t.People()), Worths: r.cfg.Worths, Weights: r.cfg.Weights, Alike: r.cfg.Alike})
	seen := Observed{Observation: o, Scope: t.Scope(), Place: t.Place, At: t.Last(), Gate: Gate(o, r.nearest(ctx, t, o), r.cfg.Gate), People: t.People()}
	if len(o.Skills)+len(t.Cited) > 0 {
		b.Put(observations, t.ID, seen, storage.Any) // it stays with the skill
	} else {
		b.PutFor(observations, t.ID, seen, storage.Any, r.cfg.Keep)
	}
	if t.Settled == "" {
		return o, nil
	}
	b.PutFor(kinds, kind.Key, kind.Value.With(t, o), kind.Revision, r.cfg.KeepKind)
	if next := heard.Value.with(t, o); len(next.Said)+len(heard.Value.Said) > 0 {
		b.Put(said, t.Scope(), next, heard.Revision)
	}
	return o, nil
}

// nearest is looked for only where it matters.
func (r *Recorder) nearest(ctx context.Context, t trace.Task, o observe.Observation) Nearest {
	if r.cfg.Nearest == nil || !o.Success || r.cfg.Gate.worthy(o) == "" {
		return Nearest{}
	}
	return r.cfg.Nearest(ctx, t)
}

// kind is the kind of a task: the one that it was observed to be of before, or
// the one that fits. A new kind is stored once its first task is settled.
func (r *Recorder) kind(ctx context.Context, p storage.Partition, t trace.Task) (storage.Doc[observe.Kind], error) {
	seen, err := orNew[Observed](ctx, r.cfg.Store, p, observations, t.ID)
	if err != nil {
		return storage.Doc[observe.Kind]{}, err
	}
	if id := seen.Value.Kind; id != "" && (id != t.ID || t.Settled == "") {
		d, err := orNew[observe.Kind](ctx, r.cfg.Store, p, kinds, kindKey(t.Scope(), id))
		if err == nil && d.Revision == storage.Absent {
			return newKind(observe.Sort(nil, t, r.cfg.Alike)), nil
		}
		return d, err
	}
	docs, err := kindDocs(ctx, r.cfg.Store, p, t.Scope())
	if err != nil {
		return storage.Doc[observe.Kind]{}, err
	}
	values := make([]observe.Kind, len(docs))
	for n, d := range docs {
		values[n] = d.Value
	}
	k := observe.Sort(values, t, r.cfg.Alike)
	if n := slices.IndexFunc(docs, func(d storage.Doc[observe.Kind]) bool { return d.Value.ID == k.ID }); n >= 0 {
		return docs[n], nil
	}
	return newKind(k), nil
}

func newKind(k observe.Kind) storage.Doc[observe.Kind] {
	return storage.Doc[observe.Kind]{Key: kindKey(k.Scope, k.ID), Value: k, Revision: storage.Absent}
}
