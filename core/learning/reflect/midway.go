package reflect

import (
	"context"

	"talaria/core/learning"
	"talaria/core/learning/propose"
	"talaria/core/person"
	"talaria/core/text"
	"talaria/core/trace"
)

// midway looks at a task in the middle of a long turn, for cards alone. It does
// not count as a look at the task, which is told of again when the turn is over.
func (r *Reviewer) midway(ctx context.Context, n learning.Notice) error {
	t, o := n.So.Task, n.So.Observed
	d := r.cfg.depth(n, o)
	if d == None || d == Quick {
		return nil
	}
	before, err := r.seen(ctx, person.ShardOf(t.Place), midwayKey(t))
	if err != nil || before.covers(t.Calls, d) {
		return err
	}
	room, err := r.budget().Left(ctx, t.Place, t.Scope())
	if err != nil || !room {
		return err
	}
	_, err = r.review(ctx, t, o, d, n.Cause)
	return unlessStopped(err)
}

// midwayKey is where it lies how far a task was looked at in the middle of a
// turn: by its calls.
func midwayKey(t trace.Task) string { return t.ID + midwayMark }

const midwayMark = " midway"

// candidates are the notes of what a skill may come of once the turn is over: those
// that the model made, and the skills that it would have written already.
func candidates(said []string, drafts []propose.Draft) []string {
	for _, d := range drafts {
		said = append(said, text.Clip(d.Name+": "+d.Reason, maxCandidate))
	}
	return said[:min(len(said), maxCandidates)]
}

// The bounds of candidates: how many, and characters of one.
const (
	maxCandidates = 5
	maxCandidate  = 200
)

// noted are the candidates that looks at a task in the middle of its turns noted.
func (r *Reviewer) noted(ctx context.Context, t trace.Task) ([]string, error) {
	before, err := r.seen(ctx, person.ShardOf(t.Place), midwayKey(t))
	if err != nil || before.Turns == 0 {
		return nil, err
	}
	all, err := Reports(ctx, r.cfg.Store, t.Place, r.cfg.LookBack)
	var out []string
	for _, rep := range all {
		if rep.Task == t.ID && rep.Cause == learning.Midway {
			out = append(out, rep.Candidates...)
		}
	}
	return out[:min(len(out), maxCandidates)], err
}
