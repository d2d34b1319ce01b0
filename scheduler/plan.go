package scheduler

import (
	"hash/fnv"
	"time"

	"talaria/scheduler/when"
)

const (
	// grace is how late a slot may fire and still count as on time: less than
	// that is the work of a busy minute or of another replica taking over.
	grace = time.Minute
	// maxAll bounds how many missed slots are caught up with one by one.
	maxAll = 24
	// maxMissed bounds the slots that are counted one by one: a year of them
	// five minutes apart.
	maxMissed = 110_000
)

// plan decides which of the slots that are due at now run and which do not,
// and what comes next. It is pure. Places are the caller's affair.
func (j *Job) plan(now time.Time) Firing {
	var late []time.Time // the latest, in order
	first, count := j.Next, 0
	f := Firing{Next: j.Next}
	for !f.Next.IsZero() && !j.due(f.Next).After(now) {
		f.Last = f.Next
		if late = append(late, f.Last); len(late) > maxAll {
			late = late[1:]
		}
		if count++; count == maxMissed {
			f.Next = j.after(now)
			break
		}
		f.Next = j.after(f.Last)
	}
	run := j.caughtUp(late, now)
	if left := j.Rules.Limit - j.Runs; j.Rules.Limit > 0 && len(run) >= left {
		run, f.Next = run[len(run)-max(left, 0):], time.Time{}
	}
	for _, at := range run {
		s := Slot{At: at}
		if lag := now.Sub(j.due(at)); lag > grace {
			s.Late = lag
		}
		f.Slots = append(f.Slots, s)
	}
	if missed := count - len(run); missed > 0 {
		f.Skips = append(f.Skips, j.missed(first, f.Last, missed, run))
	}
	return f
}

// caughtUp are those of the due slots that still run.
func (j *Job) caughtUp(due []time.Time, now time.Time) []time.Time {
	if len(due) == 0 {
		return nil
	}
	window := max(j.Rules.Window, grace)
	if j.Rules.CatchUp == CatchUpSkip {
		window = grace
	}
	if j.Rules.CatchUp != CatchUpAll {
		due = due[len(due)-1:]
	}
	for len(due) > 0 && now.Sub(j.due(due[0])) > window {
		due = due[1:]
	}
	return due
}

// missedBy begins why a slot was left out that was due too long ago.
const missedBy = "missed by more than "

// missed is the entry for slots that do not run. Those that run are always
// later than those that do not.
func (j *Job) missed(first, last time.Time, count int, run []time.Time) Run {
	r := Run{At: first, Count: count, State: Skipped}
	switch {
	case len(run) > 0:
		r.Why = "missed; a later one ran"
	case j.Rules.CatchUp == CatchUpSkip:
		r.Why = "missed; missed ones are skipped"
	default:
		r.Why = missedBy + j.Rules.Window.String()
	}
	if count > 1 {
		r.Last = last
	}
	return r
}

// after is the slot after t, zero where there is none.
func (j *Job) after(t time.Time) time.Time {
	next, ok := j.Schedule.Next(t)
	if !ok || !j.Rules.Until.IsZero() && next.After(j.Rules.Until) {
		return time.Time{}
	}
	return next.UTC()
}

// due is when a slot fires: moved by the job's share of the jitter, and to the
// end of quiet hours.
func (j *Job) due(slot time.Time) time.Time {
	if j.Rules.Jitter > 0 {
		h := fnv.New64a()
		h.Write([]byte(j.ID))
		slot = slot.Add(time.Duration(h.Sum64() % uint64(j.Rules.Jitter)).Truncate(time.Millisecond))
	}
	return j.Rules.Quiet.end(j.local(slot)).UTC()
}

// local is t on the clock of the schedule's zone.
func (j *Job) local(t time.Time) time.Time {
	at := when.Schedule{Zone: j.Schedule.Zone, At: t}
	if local, ok := at.Next(t.Add(-time.Nanosecond)); ok {
		return local
	}
	return t.UTC()
}

// end is t, or the end of the quiet hours that t lies in.
func (q Quiet) end(t time.Time) time.Time {
	if q.From == q.To {
		return t
	}
	minute := t.Hour()*60 + t.Minute()
	over := q.From > q.To // they go over midnight
	inside := minute >= q.From && minute < q.To
	if over {
		inside = minute >= q.From || minute < q.To
	}
	if !inside {
		return t
	}
	day := t.Day()
	if over && minute >= q.From {
		day++
	}
	return time.Date(t.Year(), t.Month(), day, q.To/60, q.To%60, 0, 0, t.Location())
}
