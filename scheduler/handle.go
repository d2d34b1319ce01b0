package scheduler

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/scheduler/when"
	"talaria/storage"
)

// The refusals; each reads as an answer to the person.
var (
	ErrNoJob    = errors.New("there is no such job of yours; `/jobs` lists them")
	ErrTooMany  = errors.New("you have as many jobs as one person may; delete one first")
	ErrTooOften = errors.New("that would be more often than is allowed here")
	ErrNever    = errors.New("that is never due")
	ErrBriefing = errors.New("a briefing of what is new is no job of its own words: `/brief at every day at 8:00` sets it up")
	ErrNoWords  = errors.New("that says when, and not what: add what is to be said or done, as in `every day at 9 remind me to drink`")
	ErrCommand  = errors.New("jobs give me no commands: say in words what is to be done")
	ErrTooLong  = errors.New("that is too long for a job")
	ErrNoRight  = errors.New("only members may have jobs there, and you are none")
	ErrExternal = errors.New("what asks for this schedule came from outside; only a person's own words may make one")
	ErrIsOver   = errors.New("that job is over")
	ErrRunning  = errors.New("that job's last run is still under way")
)

// maxText is the longest prompt of a job, in bytes.
const maxText = 8000

// Order is what a new job is to be.
type Order struct {
	Key      string // of the request: the same one again makes no second job
	Prompt   string
	Say      string // in place of Prompt
	Origin   chat.Origin
	Data     json.RawMessage // see Job.Data
	About    *chat.Quote     // see Job.About
	Schedule when.Schedule
	Targets  []Target // empty: where it was asked for
	Rules    Rules    // zero: Defaults
}

// Handle is what one principal may do with their own jobs.
type Handle struct {
	s   *Scheduler
	who person.Principal
}

// For binds the scheduler to a principal.
func (s *Scheduler) For(who person.Principal) Handle { return Handle{s, who} }

// Add makes a job. Asked for in a place, it is for that place, unless the
// order names others. The owner has to be a member wherever it goes.
func (h Handle) Add(ctx context.Context, o Order) (Job, error) {
	now, err := h.s.cfg.Store.Now(ctx)
	if err != nil {
		return Job{}, fmt.Errorf("add a job: %w", err)
	}
	j, err := h.job(o, now)
	if err != nil {
		return Job{}, err
	}
	if err := h.mayHave(ctx, j.Targets); err != nil {
		return Job{}, err
	}
	if err := h.mayUse(ctx, &j); err != nil {
		return Job{}, err
	}
	return h.enter(ctx, j)
}

// mayUse refuses what the principal does not have for a job to work with.
func (h Handle) mayUse(ctx context.Context, j *Job) error {
	u := j.Rules.Use
	if j.Say != "" && (u.Tools != nil || u.Skills != nil || u.Model != "" || u.Tokens > 0) {
		return refused("A reminder is said as it stands: it takes no skills, tools, model or tokens.")
	}
	lacks, err := h.s.lacks(ctx, j, h.who)
	if err == nil && lacks != "" {
		err = refused("%s", lacks)
	}
	return err
}

// enter gives a job an id and creates it, once for its key.
func (h Handle) enter(ctx context.Context, j Job) (Job, error) {
	for n := 0; ; n++ {
		j.ID = idOf(string(h.who.Person)+" "+j.Key, n)
		have, err := h.s.load(ctx, j.ID)
		switch {
		case err == nil && have.Key == j.Key && have.Owner.Person == h.who.Person:
			return have.Job, nil
		case err == nil:
			continue // another job's id
		case !errors.Is(err, ErrNoJob):
			return Job{}, err
		}
		err = h.s.create(ctx, j)
		if errors.Is(err, storage.ErrConflict) {
			n-- // somebody made a job of this id a moment ago: look again
			continue
		}
		return j, err
	}
}

// mayHave refuses targets at which the principal is no member.
func (h Handle) mayHave(ctx context.Context, targets []Target) error {
	if !person.AtLeast(h.who.Role, person.Member) {
		return ErrNoRight
	}
	for _, t := range targets {
		if t.Place == (chat.Address{}) {
			continue
		}
		_, why, err := h.s.mayAct(ctx, &Job{Owner: h.who}, t)
		if err != nil {
			return err
		}
		if why != "" {
			return ErrNoRight
		}
	}
	return nil
}

// job checks an order and makes the job of it.
func (h Handle) job(o Order, now time.Time) (Job, error) {
	if o.Rules.CatchUp == "" {
		o.Rules = Defaults(o.Schedule.Kind == when.Once)
	}
	j := Job{
		Key: o.Key, Owner: h.who, Origin: o.Origin, Prompt: strings.TrimSpace(o.Prompt), Say: strings.TrimSpace(o.Say),
		Schedule: o.Schedule, Targets: o.Targets, Rules: o.Rules, Created: now, Data: o.Data, About: o.About,
	}
	if len(j.Targets) == 0 {
		j.Targets = []Target{{Place: h.who.Place, Direct: h.who.Direct}}
	}
	j.Next = j.after(now)
	switch {
	case j.Text() == "" || j.Text() == Silent || j.Prompt != "" && j.Say != "":
		return j, ErrNoWords
	case h.s.commands(j.Prompt):
		return j, ErrCommand
	case len(j.Text()) > maxText:
		return j, ErrTooLong
	case o.Origin >= chat.External:
		return j, ErrExternal
	case j.Next.IsZero():
		return j, ErrNever
	}
	return j, h.s.seldom(&j)
}

// commands reports whether a prompt is a chat command. A job that gave one
// would do what takes a person's word at that moment.
func (s *Scheduler) commands(prompt string) bool {
	name, ok := strings.CutPrefix(prompt, "/")
	if !ok || s.cfg.Command == nil {
		return false
	}
	name, _, _ = strings.Cut(name, " ")
	return s.cfg.Command(name)
}

// seldom refuses a schedule two of whose next slots are too close.
func (s *Scheduler) seldom(j *Job) error {
	slots := j.Schedule.Upcoming(j.Created, 50)
	for n := 1; n < len(slots); n++ {
		if gap := slots[n].Sub(slots[n-1]); gap < s.cfg.Limits.Every {
			return &AnswerError{"That would be more often than is allowed here: the least time between two runs is %s.", []any{lasting(s.cfg.Limits.Every)}, ErrTooOften}
		}
	}
	return nil
}

// lasting is a length of time without the units that are zero: 5m.
func lasting(d time.Duration) string {
	text := strings.TrimSuffix(d.String(), "0s")
	return cmp.Or(strings.TrimSuffix(text, "0m"), text)
}

// create enters a job into its owner's index and then into its bucket.
func (s *Scheduler) create(ctx context.Context, j Job) error {
	err := s.reindex(ctx, j.Owner.Person, func(ids []string) ([]string, error) {
		if slices.Contains(ids, j.ID) {
			return ids, nil
		}
		if len(ids) >= s.cfg.Limits.Jobs {
			live, err := s.live(ctx, ids)
			if err != nil {
				return nil, err
			}
			if ids = live; len(ids) >= s.cfg.Limits.Jobs {
				return nil, &AnswerError{"You have as many jobs as one person may; delete one first: the limit is %d.", []any{s.cfg.Limits.Jobs}, ErrTooMany}
			}
		}
		return append(ids, j.ID), nil
	})
	if err != nil {
		return err
	}
	b := storage.On(bucketOf(j.ID)).Durable()
	s.put(b, stored{j, storage.Absent})
	j.arm(b)
	if _, err := s.cfg.Store.Commit(ctx, b); err != nil {
		return fmt.Errorf("add a job: %w", err)
	}
	s.alarm(ctx)
	return nil
}

// live are those of the ids whose jobs may still fire.
func (s *Scheduler) live(ctx context.Context, ids []string) ([]string, error) {
	var out []string
	for _, id := range ids {
		j, err := s.load(ctx, id)
		if err != nil && !errors.Is(err, ErrNoJob) {
			return nil, err
		}
		if err == nil && !j.Over {
			out = append(out, id)
		}
	}
	return out, nil
}

// List returns the principal's jobs by their next slot, those that will not
// fire last. Only what was said where it is asked is shown: elsewhere than in
// a direct conversation, the jobs for that very place.
func (h Handle) List(ctx context.Context) ([]Job, error) {
	ids, err := h.s.indexed(ctx, h.who.Person)
	if err != nil {
		return nil, err
	}
	var out []Job
	for _, id := range ids {
		j, err := h.s.load(ctx, id)
		if err != nil && !errors.Is(err, ErrNoJob) {
			return nil, err
		}
		if err == nil && h.sees(&j.Job) {
			out = append(out, j.Job)
		}
	}
	slices.SortStableFunc(out, func(a, b Job) int {
		if a.Next.IsZero() != b.Next.IsZero() {
			return map[bool]int{true: 1, false: -1}[a.Next.IsZero()]
		}
		return a.Next.Compare(b.Next)
	})
	return out, nil
}

func (h Handle) sees(j *Job) bool {
	if j.Owner.Person != h.who.Person {
		return false
	}
	here := func(t Target) bool { return t.Place.Place() == h.who.Place.Place() }
	return h.who.Direct || slices.ContainsFunc(j.Targets, here)
}

// Get returns one of the principal's jobs, or ErrNoJob.
func (h Handle) Get(ctx context.Context, id string) (Job, error) {
	j, err := h.s.load(ctx, id)
	if err != nil {
		return Job{}, err
	}
	if !h.sees(&j.Job) {
		return Job{}, ErrNoJob
	}
	return j.Job, nil
}

// mine runs a change if the job is the principal's.
func (h Handle) mine(ctx context.Context, id string, change func(ctx context.Context, id string) (Job, error)) (Job, error) {
	if _, err := h.Get(ctx, id); err != nil {
		return Job{}, err
	}
	return change(ctx, id)
}

// Pause has a job fire nothing until it is resumed.
func (h Handle) Pause(ctx context.Context, id string) (Job, error) { return h.mine(ctx, id, h.s.Pause) }

// Resume lets a paused job fire again, from its next slot on.
func (h Handle) Resume(ctx context.Context, id string) (Job, error) {
	return h.mine(ctx, id, h.s.Resume)
}

// RunNow has a job run once, at once, beside its schedule; ErrRunning while its
// last run is under way. Asked for again before it began, it is one run.
func (h Handle) RunNow(ctx context.Context, id string) (Job, error) {
	return h.mine(ctx, id, func(ctx context.Context, id string) (Job, error) {
		now, err := h.s.cfg.Store.Now(ctx)
		if err != nil {
			return Job{}, err
		}
		j, err := h.s.load(ctx, id)
		if err != nil {
			return Job{}, err
		}
		busy, err := h.s.underWay(ctx, &j.Job, now)
		if err == nil && busy {
			err = ErrRunning
		}
		if err != nil {
			return Job{}, err
		}
		return h.s.RunNow(ctx, id)
	})
}

// Delete removes a job and its history.
func (h Handle) Delete(ctx context.Context, id string) (Job, error) {
	return h.mine(ctx, id, h.s.Delete)
}

// Change is a new wording, schedule or rules for a job; what is zero stays.
type Change struct {
	Prompt   string
	Say      string
	Origin   chat.Origin // of the words
	Schedule when.Schedule
	Rules    *Rules
	Targets  []Target
	Data     json.RawMessage
}

// apply puts what is to change into a job.
func (c Change) apply(j *Job) {
	if c.Prompt != "" || c.Say != "" {
		j.Prompt, j.Say, j.Origin = c.Prompt, c.Say, c.Origin
	}
	if c.Rules != nil {
		j.Rules = *c.Rules
	}
	if c.Data != nil {
		j.Data = c.Data
	}
	if c.Targets != nil {
		j.Targets = c.Targets
		j.Paused, j.Why = j.Paused && j.Why == "", "" // it has a place again
	}
	if c.Schedule.Kind != "" {
		j.Schedule, j.Over = c.Schedule, false
	}
}

// Edit changes a job. With a new schedule its next slot is that schedule's
// first from now on.
func (h Handle) Edit(ctx context.Context, id string, c Change) (Job, error) {
	if err := h.mayHave(ctx, c.Targets); err != nil {
		return Job{}, err
	}
	if c.Rules != nil {
		j, err := h.Get(ctx, id)
		if err != nil {
			return Job{}, err
		}
		j.Rules = *c.Rules
		if err := h.mayUse(ctx, &j); err != nil {
			return Job{}, err
		}
	}
	return h.mine(ctx, id, func(ctx context.Context, id string) (Job, error) {
		return h.s.update(ctx, id, func(j *Job, b *storage.Batch, now time.Time) error {
			c.apply(j)
			checked, err := h.job(Order{
				Prompt: j.Prompt, Say: j.Say, Origin: j.Origin, Schedule: j.Schedule, Rules: j.Rules,
			}, now)
			if err != nil {
				return err
			}
			if (c.Schedule.Kind != "" || j.Next.IsZero()) && !j.Paused && !j.Over || j.Next.After(checked.Next) {
				j.Next = checked.Next // a slot that waits for quiet hours to end stays the next one
			}
			j.arm(b)
			return nil
		})
	})
}
