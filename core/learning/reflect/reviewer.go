package reflect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/learning/observe"
	"talaria/core/learning/outline"
	"talaria/core/learning/propose"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/text"
	"talaria/core/trace"
	"talaria/storage"
)

// Reviewer reviews tasks. It is a learning.Listener, and safe for concurrent
// use: somebody's wish may overlap what it was told of.
type Reviewer struct {
	cfg Config

	mu      sync.Mutex
	running map[*running]bool
}

// running is a review under way that gives way.
type running struct {
	place chat.Address // of the task
	yield context.CancelCauseFunc
}

var _ learning.Listener = (*Reviewer)(nil)

// New returns a reviewer.
func New(c Config) *Reviewer {
	c.MaxDuration = cmp.Or(c.MaxDuration, 5*time.Minute)
	c.LookBack, c.WholeSteps = cmp.Or(c.LookBack, 10), cmp.Or(c.WholeSteps, WholeSteps)
	c.SkillSteps = cmp.Or(c.SkillSteps, outline.MaxSteps)
	return &Reviewer{cfg: c, running: map[*running]bool{}}
}

// ErrGaveWay: somebody wrote where the task was that was reviewed. It is a
// learning.ErrLater.
var ErrGaveWay = fmt.Errorf("the review gave way to a message: %w", learning.ErrLater)

// Arrived says that somebody wrote in a place or thread. A review of a task
// from there gives way. It returns at once.
func (r *Reviewer) Arrived(at chat.Address) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for review := range r.running {
		if review.place == at {
			// One that is almost done may end; the other half is for stopping.
			time.AfterFunc(r.cfg.Yield/2, func() { review.yield(ErrGaveWay) })
		}
	}
}

// Task implements learning.Listener.
func (r *Reviewer) Task(ctx context.Context, n learning.Notice) error {
	if n.So != nil {
		return r.midway(ctx, n)
	}
	t, o, err := r.read(ctx, n.Place, n.Task)
	if errors.Is(err, storage.ErrNotFound) {
		return nil // forgotten meanwhile
	}
	if err != nil {
		return err
	}
	d := r.cfg.depth(n, o)
	if d == None {
		return nil
	}
	_, err = r.look(ctx, t, o, d, n.Cause)
	return unlessStopped(err)
}

// unlessStopped is an error that is one: of whom nothing is to be learned,
// nobody need be told again.
func unlessStopped(err error) error {
	if errors.Is(err, learning.ErrStopped) {
		return nil
	}
	return err
}

// Review reviews a task on somebody's wish, however it was looked at before. It
// returns learning.ErrStopped where nothing is to be learned.
func (r *Reviewer) Review(ctx context.Context, place chat.Address, task string, d Depth) (Report, error) {
	t, o, err := r.read(ctx, place, task)
	if err != nil {
		return Report{}, err
	}
	return r.review(ctx, t, o, d, "")
}

func (r *Reviewer) read(ctx context.Context, place chat.Address, task string) (trace.Task, learning.Observed, error) {
	p := person.ShardOf(place)
	t, err := trace.Get(ctx, r.cfg.Store, p, task)
	if err != nil {
		return trace.Task{}, learning.Observed{}, err
	}
	o, err := learning.ObservationOf(ctx, r.cfg.Store, p, task)
	return t.Value, o, err
}

// look reviews a task unless it was looked at as closely before.
func (r *Reviewer) look(ctx context.Context, t trace.Task, o learning.Observed, d Depth, c learning.Cause) (Report, error) {
	turns := len(t.Turns)
	before, err := r.seen(ctx, person.ShardOf(t.Place), t.ID)
	if err != nil || before.covers(turns, d) {
		return Report{}, err
	}
	room, err := r.budget().Left(ctx, t.Place, t.Scope())
	if err != nil {
		return Report{}, err
	}
	if !room {
		d = Quick
		if before.covers(turns, d) {
			return Report{}, nil
		}
	}
	return r.review(ctx, t, o, d, c)
}

// review looks at a task, proposes what it found, and keeps the report. A
// model that can't be reached makes a report that says so: the next turn of
// the task, or a person, has it looked at again.
func (r *Reviewer) review(ctx context.Context, t trace.Task, o learning.Observed, d Depth, c learning.Cause) (Report, error) {
	who, err := r.cfg.People.Renew(ctx, person.Principal{Identity: t.Asker, Place: t.Place, Direct: t.Direct})
	if err != nil {
		return Report{}, fmt.Errorf("find out whose task it is: %w", err)
	}
	if !person.AtLeast(who.Role, person.Guest) {
		return Report{}, nil // nobody's any more
	}
	if off, err := learning.Stopped(ctx, r.cfg.Store, t.Place, t.People()...); err != nil || off {
		return Report{}, cmp.Or(err, learning.ErrStopped)
	}
	now, err := r.cfg.Store.Now(ctx)
	if err != nil {
		return Report{}, err
	}
	rep := Report{
		ID: idOf(t, len(t.Turns), d, now), Task: t.ID, Person: t.Person, Asker: t.Asker, People: t.People(), Place: t.Place.Place().String(), Address: t.Place, Request: t.Request,
		At: now, Cause: c, Depth: d, Seen: len(t.Turns), Outcome: Nothing,
	}
	w := &wishes{who: who, library: r.cfg.Library}
	if d == Quick {
		w.rules = corrections(t, o)
	} else if err := r.yielding(ctx, t.Place, func(ctx context.Context) error { return r.think(ctx, t, o, &rep, w) }); err != nil {
		return Report{}, err
	}
	if gone, err := r.forgotten(ctx, t, now); err != nil || gone {
		return Report{}, err
	}
	if err := r.propose(ctx, propose.Case{Who: who, Task: t, Observed: o, Model: r.cfg.Model.Name(), Unattended: true}, &rep, w); err != nil {
		return Report{}, err
	}
	if err := r.keep(ctx, t, rep); err != nil {
		return Report{}, err
	}
	if len(w.news) > 0 && r.cfg.Learned != nil {
		news := rep
		news.Learned = w.news
		if err := r.cfg.Learned(ctx, who, news); err != nil {
			r.cfg.Log.Warn("nobody was told what was learned", "report", rep.ID, "err", err)
		}
	}
	return rep, nil
}

// forgotten reports whether somebody who spoke in a task has been forgotten
// since, so that nothing of it is kept any more.
func (r *Reviewer) forgotten(ctx context.Context, t trace.Task, since time.Time) (bool, error) {
	who, err := person.Buried(ctx, r.cfg.Store, storage.Report{At: since})
	return slices.ContainsFunc(t.People(), who.Is), err
}

// think has the model write the report. An error is returned only where the
// review is to begin anew.
func (r *Reviewer) think(ctx context.Context, t trace.Task, o learning.Observed, rep *Report, w *wishes) error {
	d, err := r.digest(ctx, w.who, t, o, rep.Depth)
	if err != nil {
		return err
	}
	midway := rep.Cause == learning.Midway
	if midway {
		d.Skills = nil // it is about cards alone
	} else if d.Noted, err = r.noted(ctx, t); err != nil {
		return err
	}
	w.cards = d.Cards
	f, err := r.fork(ctx, t, d, w, midway)
	r.settle(context.WithoutCancel(ctx), t, w.who, f.used)
	rep.Tokens, rep.Refused = f.used.Input+f.used.Output, f.refused
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		rep.Outcome, rep.Error = Failed, err.Error()
		if !errors.Is(err, errNoReport) {
			w.rules, w.drafts = nil, nil // who knows what else it would have said
		}
		return nil
	}
	s := f.said
	if midway {
		rep.Candidates = candidates(s.Candidates, w.drafts)
	}
	rep.WentWell, rep.WentWrong, rep.Why, rep.Differently, rep.Rules = s.WentWell, s.WentWrong, s.Why, s.Differently, s.Rules
	for _, rule := range s.Rules {
		w.rules = append(w.rules, propose.Rule{If: rule.If, Then: rule.Then, Kind: rule.Kind, Confidence: rule.Confidence, Contradicts: rule.Conflicts})
	}
	return nil
}

// yielding does what gives way to a message from a place. Its error is then
// ErrGaveWay.
func (r *Reviewer) yielding(ctx context.Context, at chat.Address, do func(context.Context) error) error {
	work, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	review := &running{at, cancel}
	r.mu.Lock()
	r.running[review] = true
	r.mu.Unlock()
	err := do(work)
	r.mu.Lock()
	delete(r.running, review)
	r.mu.Unlock()
	if work.Err() != nil {
		return context.Cause(work)
	}
	return err
}

// settle books what a review used.
func (r *Reviewer) settle(ctx context.Context, t trace.Task, who person.Principal, used agent.Usage) {
	if r.cfg.Spent != nil {
		r.cfg.Spent(who, used)
	}
	if err := r.budget().Book(ctx, t.Place, t.Scope(), used); err != nil {
		r.cfg.Log.Warn("review not booked", "task", t.ID, "err", err)
	}
}

// propose hands on what a review wants, one after the other, and notes what
// came of each.
func (r *Reviewer) propose(ctx context.Context, c propose.Case, rep *Report, w *wishes) error {
	note := func(res propose.Result, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("propose what a review found: %w", err)
		case res.Skipped != "":
			rep.Declined = append(rep.Declined, res.Skipped)
		case slices.Contains(rep.Learned, res.Line): // of a rule and of a draft that say the same
		case res.Line != "":
			rep.Learned, rep.Outcome = append(rep.Learned, res.Line), Acted
			if !res.Carded {
				w.news = append(w.news, res.Line)
			}
			if res.Undo != "" {
				rep.Undo = append(rep.Undo, res.Undo)
			}
		}
		return nil
	}
	if rep.Cause == learning.Midway {
		w.drafts = nil // a way that is not yet at its end is no skill
	}
	for _, d := range w.drafts {
		if err := note(r.cfg.Proposer.Skill(ctx, c, d)); err != nil {
			return err
		}
	}
	for _, rule := range w.rules {
		if err := note(r.cfg.Proposer.Rule(ctx, c, rule)); err != nil {
			return err
		}
	}
	return nil
}

// corrections are the rules that a quick look finds: what the person said
// themselves.
func corrections(t trace.Task, o learning.Observed) []propose.Rule {
	var out []propose.Rule
	for _, f := range o.Feedback {
		switch {
		case f.Other || f.Text == "":
		case f.Sign == observe.ReasonedCorrection:
			out = append(out, propose.Rule{If: text.Clip(t.Request, 200), Then: f.Text, Kind: memory.Work, Confidence: o.Worth})
		case f.Sign == observe.Form:
			out = append(out, propose.Rule{Then: f.Text, Kind: memory.Profile, Confidence: o.Worth})
		}
	}
	return out
}

// digest is what the model reads about a task.
func (r *Reviewer) digest(ctx context.Context, who person.Principal, t trace.Task, o learning.Observed, depth Depth) (Digest, error) {
	d := DigestOf(t, o, r.cfg.WholeSteps)
	var err error
	if d.Skills, err = r.skills(ctx, who, t, o); err != nil {
		return d, err
	}
	const most = 8
	cards, err := r.cfg.Memory(who).Search(ctx, t.Request+" "+t.Output())
	if err != nil {
		return d, fmt.Errorf("read what is remembered: %w", err)
	}
	for _, c := range cards[:min(len(cards), most)] {
		if c.State.Used() {
			d.Cards = append(d.Cards, DigestCard{c.ID, c.Text, c.State == memory.Active})
		}
	}
	kind, err := learning.KindOf(ctx, r.cfg.Store, t.Place, t.Scope(), o.Kind)
	if err != nil {
		return d, err
	}
	if kind.Best != nil && kind.Best.Task != t.ID {
		d.Best = kind.Best
	}
	if depth == Deep {
		if d.Earlier, err = Reports(ctx, r.cfg.Store, t.Place, r.cfg.LookBack); err != nil {
			return d, err
		}
	}
	return d, nil
}

// skills are those that were in use, with their text, and those that come
// near.
func (r *Reviewer) skills(ctx context.Context, who person.Principal, t trace.Task, o learning.Observed) ([]DigestSkill, error) {
	shelf := r.cfg.Skills(who)
	const near = 3
	hits, err := shelf.Search(ctx, t.Request, near)
	if err != nil {
		return nil, fmt.Errorf("read skills: %w", err)
	}
	used := map[string]bool{o.Gate.Update: true}
	for _, u := range t.Skills {
		used[u.Skill] = true
	}
	delete(used, "")
	var out []DigestSkill
	for _, h := range hits {
		out = append(out, DigestSkill{Name: h.Name, Description: h.Description, InUse: used[h.Name]})
		delete(used, h.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(used)) {
		out = append(out, DigestSkill{Name: name, InUse: true})
	}
	for i := range out {
		if !out[i].InUse {
			continue
		}
		f, err := shelf.View(ctx, out[i].Name, "")
		if err != nil {
			r.cfg.Log.Debug("skill not shown to a review", "skill", out[i].Name, "err", err)
			continue
		}
		out[i].Text = f.Text
	}
	return out, nil
}
