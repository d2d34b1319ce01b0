package learning

import (
	"context"

	"talaria/core/learning/observe"
	"talaria/core/trace"
	"talaria/storage"
)

// midway tells of a long turn while it is under way. Nothing else is kept of
// it: the turn is handed over once more when it is finished.
func (r *Recorder) midway(ctx context.Context, p storage.Partition, b *storage.Batch, raw trace.Raw) error {
	if r.cfg.Listener == nil {
		return nil
	}
	c, err := r.current(ctx, p, raw.Session)
	if err != nil {
		return err
	}
	var t trace.Task
	marks := trace.Words{Continues: observe.Read(raw.Turn.Asked, c.task.Value.Output()).Continues()}
	fresh := !c.there()
	if !fresh {
		_, fresh = c.task.Value.Boundary(raw, marks, r.cfg.Idle, r.cfg.Alike)
	}
	if fresh {
		t = r.cfg.Redactor.Begin(raw, trace.Direct, "")
	} else {
		t = r.cfg.Redactor.Continue(c.task.Value, raw)
	}
	o := observe.Observe(t, observe.Past{Worths: r.cfg.Worths, Weights: r.cfg.Weights, Alike: r.cfg.Alike})
	o.Success = false // not yet, whatever comes of it
	seen := Observed{Observation: o, Scope: t.Scope(), Place: t.Place, At: t.Last(), Gate: Gate(o, Nearest{}, r.cfg.Gate), People: t.People()}
	n := Notice{
		Task: t.ID, Cause: Midway, Place: t.Place, Session: t.Session, Person: t.Person, At: t.Last(), So: &Midways{t, seen},
	}
	b.PutFor(notices, t.ID+" "+string(Midway), n, storage.Any, r.cfg.Keep)
	return nil
}

// count counts a turn of the person who spoke last in a task. The count lies
// beside their tasks, so a restart does not begin it anew.
func (r *Recorder) count(ctx context.Context, p storage.Partition, b *storage.Batch, t trace.Task) error {
	who := t.Turns[len(t.Turns)-1].Who
	if who == "" || t.Start == trace.Scheduled {
		return nil
	}
	d, err := orNew[int](ctx, r.cfg.Store, p, counts, string(who))
	if err != nil {
		return err
	}
	b.PutFor(counts, string(who), d.Value+1, d.Revision, r.cfg.KeepKind)
	if (d.Value+1)%r.cfg.Every == 0 {
		r.notify(b, t, Tenth)
	}
	return nil
}
