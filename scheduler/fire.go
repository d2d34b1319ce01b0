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

// Ticket is what a job's event says of its run, beside its text.
type Ticket struct {
	Job string `json:"job"`
	// Say means that the event's text is what is to be said, and nothing is to
	// be worked on.
	Say bool `json:"say,omitempty"`
	// Note goes before what is said: that it is late, or why it comes here.
	Note string `json:"note,omitempty"`
	// Cancel stops a run of the same job that is still under way.
	Cancel bool `json:"cancel,omitempty"`
	Use
	// Data is the job's, see Job.Data.
	Data json.RawMessage `json:"data,omitempty"`
}

// TicketOf reads the ticket of a job's event; false for any other event.
func TicketOf(e chat.Event) (Ticket, bool) {
	var t Ticket
	if e.Kind != chat.Tick || e.Tick == nil || json.Unmarshal(e.Tick.Value, &t) != nil {
		return Ticket{}, false
	}
	return t, true
}

// fire brings a job's due slots to their end, as often as somebody else
// changes the job meanwhile.
func (s *Scheduler) fire(ctx context.Context, t claimable, e errand, now time.Time) error {
	for {
		j, err := s.load(ctx, e.Job)
		if errors.Is(err, ErrNoJob) {
			_, err = s.cfg.Store.Commit(ctx, storage.On(t.at).SettleTimer(t.ID, t.Due, time.Time{}))
			return err
		}
		if err != nil {
			return err
		}
		if err := s.settle(ctx, j, now); !errors.Is(err, storage.ErrConflict) {
			return err
		}
	}
}

// settle takes a job's due slots from the decision to its end: decide, keep
// the decision, hand over, move on. It conflicts where the job was changed
// meanwhile.
func (s *Scheduler) settle(ctx context.Context, j stored, now time.Time) error {
	ctx = s.toOwner(ctx, &j.Job)
	b := storage.On(bucketOf(j.ID)).Durable()
	if j.Firing == nil && !j.isDue(now) {
		j.arm(b) // the timer was left over
		s.put(b, j)
		_, err := s.cfg.Store.Commit(ctx, b)
		return err
	}
	if j.Firing == nil {
		if err := s.decide(ctx, &j, now); err != nil {
			return err
		}
	}
	for _, slot := range j.Firing.Slots {
		if err := s.hand(ctx, &j.Job, slot, now); err != nil {
			return err
		}
	}
	j.advance(b, now)
	s.put(b, j)
	_, err := s.cfg.Store.Commit(ctx, b)
	return err
}

// isDue reports whether a slot is due that was not decided on.
func (j *Job) isDue(now time.Time) bool { return !j.Next.IsZero() && !j.due(j.Next).After(now) }

// decide plans what is due and keeps the plan, before any of it is done.
func (s *Scheduler) decide(ctx context.Context, j *stored, now time.Time) error {
	f := j.plan(now)
	if err := s.dropOverlapping(ctx, &j.Job, &f); err != nil {
		return err
	}
	for n := range f.Slots {
		if err := s.route(ctx, &j.Job, &f.Slots[n]); err != nil {
			return err
		}
	}
	j.Firing = &f
	b := storage.On(bucketOf(j.ID)).Durable()
	s.put(b, *j)
	res, err := s.cfg.Store.Commit(ctx, b)
	if err != nil {
		return err
	}
	j.revision = res[len(res)-1].Revision
	return nil
}

// stillRunning is how long a run of which nothing was heard counts as under
// way: longer than any turn may take, with a wait before it.
const stillRunning = time.Hour

// dropOverlapping takes out slots that come while the run before them is under
// way, where the job wants them skipped.
func (s *Scheduler) dropOverlapping(ctx context.Context, j *Job, f *Firing) error {
	if j.Rules.Overlap != OverlapSkip || len(f.Slots) == 0 {
		return nil
	}
	busy, err := s.underWay(ctx, j, f.Slots[0].At)
	if err != nil || !busy {
		return err
	}
	skip := Run{At: f.Slots[0].At, Count: len(f.Slots), State: Skipped, Why: "the run before it was still under way"}
	if skip.Count > 1 {
		skip.Last = f.Last
	}
	f.Skips, f.Slots = append(f.Skips, skip), nil
	return nil
}

// underWay reports whether the last run of a job is not over at an instant.
func (s *Scheduler) underWay(ctx context.Context, j *Job, at time.Time) (bool, error) {
	if len(j.History) == 0 {
		return false, nil
	}
	last := j.History[len(j.History)-1]
	if last.State != Handed || at.Sub(last.Fired) > stillRunning {
		return false, nil
	}
	for _, d := range last.Stops {
		o, err := s.cfg.Outcome(ctx, d.Place, d.Key)
		if err != nil {
			return false, fmt.Errorf("see whether the run before is over: %w", err)
		}
		if !o.Over {
			return true, nil
		}
	}
	return false, nil
}

// route decides where a slot's answer goes, with the rights of this moment. A
// place that is out of reach is made up for by the owner's direct conversation,
// once; a job that has no other place is paused after that. With nothing in
// reach at all nothing runs.
func (s *Scheduler) route(ctx context.Context, j *Job, slot *Slot) error {
	var lost, note string
	lang, home := s.in(ctx), false
	for n := range j.Targets {
		t := &j.Targets[n]
		if t.Place == (chat.Address{}) {
			home = true
			continue
		}
		who, why, err := s.mayAct(ctx, j, *t)
		if err != nil {
			return err
		}
		if why == "" {
			t.Told = false
			if err := s.stop(ctx, j, slot, who, ""); err != nil {
				return err
			}
			continue
		}
		if !t.Told {
			note = cmp.Or(note, meant(lang, t.Place, why))
		}
		lost, t.Told = cmp.Or(lost, meant(lang, t.Place, why)), true
	}
	if lost != "" && !home && len(slot.To) == 0 {
		slot.Lost, note = lost, lost
		if j.Schedule.Kind == when.Recurring {
			note = join(note, pausedWords(lang, j.ID))
		}
	}
	if !home && note == "" {
		return nil
	}
	who, ok, err := s.home(ctx, j)
	if err != nil || !ok {
		return err
	}
	same := func(to Stop) bool { return to.Who.Place.Place() == who.Place.Place() }
	if n := slices.IndexFunc(slot.To, same); n >= 0 {
		slot.To[n].Note = join(slot.To[n].Note, note)
		return nil
	}
	return s.stop(ctx, j, slot, who, note)
}

func pausedWords(t Tongue, id string) string {
	return t.Text("The job is paused now: `/jobs set %s to dm` has it come to you here, `/jobs resume %s` tries that place again.", id, id)
}

func meant(t Tongue, at chat.Address, why string) string {
	return t.Text("This was meant for %s, but %s.", at, t.Of(why))
}

// stop adds a place to those that a slot's answer goes to.
func (s *Scheduler) stop(ctx context.Context, j *Job, slot *Slot, who person.Principal, note string) error {
	lacks, err := s.lacks(ctx, j, who)
	if err != nil {
		return err
	}
	slot.To = append(slot.To, Stop{Who: who, Key: keyOf(j, *slot, len(slot.To)), Note: join(join(j.lateness(s.in(ctx), *slot), note), lacks)})
	return nil
}

// lacks says what of the things that a job works with its owner does not have at
// a place (any more).
func (s *Scheduler) lacks(ctx context.Context, j *Job, who person.Principal) (string, error) {
	if s.cfg.Lacks == nil || j.Say != "" {
		return "", nil
	}
	lacks, err := s.cfg.Lacks(ctx, who, j.Rules.Use)
	if err != nil {
		return "", fmt.Errorf("look up what job %s works with: %w", j.ID, err)
	}
	return strings.Join(lacks, " "), nil
}

// KeyPrefix begins the keys of all events of jobs.
const KeyPrefix = "job:"

// keyOf is the key of the event of a slot at the n-th of its places.
func keyOf(j *Job, slot Slot, n int) string {
	return fmt.Sprintf("%s%s:%d:%d", KeyPrefix, j.ID, slot.At.UnixMilli(), n)
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}

// mayAct returns the owner at a target, or in words why they may not have
// anything said there.
func (s *Scheduler) mayAct(ctx context.Context, j *Job, t Target) (person.Principal, string, error) {
	if t.Dead != "" {
		return person.Principal{}, t.Dead, nil
	}
	who := j.Owner
	who.Place, who.Direct = t.Place, t.Direct
	who, err := s.cfg.People.Present(ctx, who)
	if err != nil {
		return who, "", fmt.Errorf("look up the owner of job %s: %w", j.ID, err)
	}
	need := person.Member
	if t.Direct {
		need = person.Guest
	}
	if !person.AtLeast(who.Role, need) {
		return who, "you are no longer a member there whom I may speak for", nil
	}
	return who, "", nil
}

// home is the owner in their direct conversation; false where they have none
// or may not talk to the bot any more.
func (s *Scheduler) home(ctx context.Context, j *Job) (person.Principal, bool, error) {
	who, ok, err := s.cfg.People.DirectOf(ctx, j.Owner)
	if err != nil || !ok {
		return who, false, err
	}
	if who, err = s.cfg.People.Present(ctx, who); err != nil {
		return who, false, fmt.Errorf("look up the owner of job %s: %w", j.ID, err)
	}
	return who, person.AtLeast(who.Role, person.Guest), nil
}

// lateness says that a slot is late, and by when it was due.
func (j *Job) lateness(t Tongue, slot Slot) string {
	if slot.Late == 0 {
		return ""
	}
	at := j.local(slot.At)
	due := at.Format("Mon 2 Jan at 15:04")
	if t.Code() == when.Chinese {
		due = stamp(at, when.Chinese)
	}
	return t.Text("This is late: it was due on %s (%s), and I was not able to run then.", due, j.Schedule.Zone)
}

// hand gives a slot's events to the inbox. It may be repeated.
func (s *Scheduler) hand(ctx context.Context, j *Job, slot Slot, now time.Time) error {
	if len(slot.To) == 0 {
		return s.sorry(ctx, j)
	}
	for _, stop := range slot.To {
		ticket, err := json.Marshal(Ticket{
			Job: j.ID, Say: j.Say != "", Note: stop.Note, Cancel: j.Rules.Overlap == OverlapCancel,
			Use: j.Rules.Use, Data: j.Data,
		})
		if err != nil {
			return fmt.Errorf("job %s: %w: %v", j.ID, storage.ErrInvalid, err)
		}
		e := chat.Event{
			Kind: chat.Tick, Keys: []string{stop.Key}, At: now, Address: stop.Who.Place, Direct: stop.Who.Direct,
			Author: chat.Author{Identity: stop.Who.Identity, Name: stop.Who.Name},
			Origin: j.Origin, Text: j.Text(), Quoted: j.About, Tick: &chat.TickData{ID: j.ID, Due: slot.At, Value: ticket},
		}
		if err := s.cfg.Hand(ctx, e, stop.Who); err != nil {
			return fmt.Errorf("hand job %s over: %w", j.ID, err)
		}
	}
	return nil
}

// advance moves a job on from a decision that was carried out, and sets its
// timers.
func (j *Job) advance(b *storage.Batch, now time.Time) {
	f := j.Firing
	j.Firing, j.Last, j.Next = nil, f.Last, f.Next
	j.note(f.Skips...)
	for _, slot := range f.Slots {
		j.ran(b, slot, now)
	}
	if j.Paused {
		j.Next = time.Time{}
	} else if j.Next.IsZero() {
		j.Over = true
	}
	j.arm(b)
}

// ran notes a run, and sets a timer for a look at what becomes of it. One that
// found no place to go, or only another than it was meant for, stops the job.
func (j *Job) ran(b *storage.Batch, slot Slot, now time.Time) {
	run := Run{At: slot.At, Count: 1, Fired: now, Late: slot.Late, State: Handed}
	for _, stop := range slot.To {
		run.Stops = append(run.Stops, Delivery{Key: stop.Key, Place: stop.Who.Place})
	}
	if len(run.Stops) == 0 {
		run.State, run.Why = Refused, "its owner may not have it run any more"
		j.Paused, j.Why = true, run.Why
	} else {
		j.Runs++
		e := errand{Kind: lookTimer, Job: j.ID, At: slot.At}
		b.SetTimer(e.timer(), now.Add(j.firstLook()), e)
	}
	if slot.Lost != "" && !j.Next.IsZero() {
		j.Paused, j.Why = true, slot.Lost
	}
	j.note(run)
}

// fireNow carries out a run that somebody asked for. The schedule stays as it is.
func (s *Scheduler) fireNow(ctx context.Context, t claimable, e errand, now time.Time) error {
	return s.again(ctx, e.Job, t, func(j *stored, b *storage.Batch) error {
		ctx := s.toOwner(ctx, &j.Job)
		slot := Slot{At: e.At}
		if err := s.route(ctx, &j.Job, &slot); err != nil {
			return err
		}
		if err := s.hand(ctx, &j.Job, slot, now); err != nil {
			return err
		}
		b.SettleTimer(t.ID, t.Due, time.Time{})
		j.ran(b, slot, now)
		if j.Paused {
			j.Next = time.Time{}
			j.arm(b)
		}
		return nil
	})
}
