package when

import "time"

// Kind says whether a schedule comes to an end by itself.
type Kind string

// The kinds of schedules.
const (
	Once      Kind = "once"
	Recurring Kind = "recurring"
)

// Unit is what a [Step] counts.
type Unit string

// The units of steps. A week begins on Monday.
const (
	Day   Unit = "day"
	Week  Unit = "week"
	Month Unit = "month"
)

// Step leaves out periods: with {2, Week}, only every second week counts.
type Step struct {
	N    int  `json:"n"`
	Unit Unit `json:"unit"`
}

// Schedule says when something is due, in exactly one of three ways: At an
// instant, every so many seconds from From on, or by lines of cron. It is a
// plain value, to be compared and to be stored as JSON. The zero value is never
// due, and neither is one that was damaged in a store.
type Schedule struct {
	Kind Kind `json:"kind"`
	// Zone is an IANA name or an offset such as "UTC+05:30".
	Zone string `json:"zone"`

	At time.Time `json:"at,omitzero"`

	EverySeconds int64 `json:"every_seconds,omitempty"`

	// Cron has five fields a line; days may also be L, LW, 15W, 5L and 1#2.
	// The schedule is due whenever one of the lines is.
	Cron []string `json:"cron,omitempty"`
	// Step narrows Cron to every N-th period, counted from the one of From.
	Step Step `json:"step,omitzero"`

	// From is where counting begins. Nothing is due before it.
	From time.Time `json:"from,omitzero"`
	// Until is the last instant at which something may be due, if any.
	Until time.Time `json:"until,omitzero"`
}

// Next returns the first time after the given one at which the schedule is due,
// in the schedule's zone. It is false where there is none, or none within the 41
// years that the rarest of days needs to come again.
func (s Schedule) Next(after time.Time) (time.Time, bool) {
	zone, err := loadZone(s.Zone)
	if err != nil {
		return time.Time{}, false
	}
	next, ok := time.Time{}, false
	switch {
	case !s.At.IsZero():
		next, ok = s.At, s.At.After(after)
	case s.EverySeconds > 0:
		next, ok = s.nextInterval(after)
	default:
		next, ok = s.nextLine(after, zone)
	}
	if !ok || !s.Until.IsZero() && next.After(s.Until) {
		return time.Time{}, false
	}
	return next.In(zone), true
}

// nextInterval counts in whole seconds, which do not overflow as durations do.
func (s Schedule) nextInterval(after time.Time) (time.Time, bool) {
	from, passed := s.From.Unix(), int64(0)
	if after.Unix() > from {
		passed = (after.Unix() - from) / s.EverySeconds
	}
	next := time.Unix(from+(passed+1)*s.EverySeconds, int64(s.From.Nanosecond()))
	return next, next.After(after)
}

// nextLine is the earliest time of all lines.
func (s Schedule) nextLine(after time.Time, zone *time.Location) (time.Time, bool) {
	if !s.From.IsZero() && after.Before(s.From) {
		after = s.From.Add(-time.Nanosecond)
	}
	days := stepped{step: s.Step, from: dateOf(s.From.In(zone))}
	var first time.Time
	for _, text := range s.Cron {
		line, err := parseCron(text)
		if err != nil {
			return time.Time{}, false
		}
		next, ok := line.next(after, zone, days)
		if ok && (first.IsZero() || next.Before(first)) {
			first = next
		}
	}
	return first, !first.IsZero()
}

// Upcoming returns the next n times, fewer where there are no more.
func (s Schedule) Upcoming(after time.Time, n int) []time.Time {
	var times []time.Time
	for range n {
		next, ok := s.Next(after)
		if !ok {
			break
		}
		times, after = append(times, next), next
	}
	return times
}
