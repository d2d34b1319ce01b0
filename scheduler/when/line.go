package when

import "time"

// horizon bounds the search for a day: a fifth Monday in February comes every
// 28 years, and after 40 where 2100 is between.
const horizon = 41 * 366

// line is one line of cron.
type line struct {
	minutes, hours, months uint64 // bits
	days                   dayRule
	// flowing lines run by the hour or more often, so in real time: an hour
	// that comes twice counts twice and one that is left out not at all.
	flowing bool
}

// next is the first time after the given one.
func (l line) next(after time.Time, zone *time.Location, days stepped) (time.Time, bool) {
	if l.flowing {
		return l.nextFlowing(after.In(zone), zone, days)
	}
	var first time.Time
	// What a change of clocks moves can come a day later than it says, and then
	// behind what the next day says.
	day := dateOf(after.In(zone)).AddDate(0, 0, -1)
	for left := horizon; left > 0; left-- {
		if l.on(day, days) {
			first = earliest(first, l.firstOf(day, after, zone))
		}
		if !first.IsZero() && day.After(dateOf(first)) {
			return first, true
		}
		day = l.following(day)
	}
	return first, !first.IsZero()
}

// firstOf is the first time of a day after the given one.
func (l line) firstOf(day date, after time.Time, zone *time.Location) time.Time {
	var first time.Time
	for hour := range 24 {
		if l.hours&(1<<hour) == 0 {
			continue
		}
		for minute := range 60 {
			if l.minutes&(1<<minute) == 0 {
				continue
			}
			if t := (clock{hour, minute}).at(day, zone); t.After(after) {
				first = earliest(first, t)
			}
		}
	}
	return first
}

// earliest leaves out what is not set.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// nextFlowing looks at every minute that passes, and skips whole days.
func (l line) nextFlowing(t time.Time, zone *time.Location, days stepped) (time.Time, bool) {
	t = nextMinute(t)
	for left := horizon; left > 0; left-- {
		day := dateOf(t)
		if !l.on(day, days) {
			t = later(nextMinute(t), clock{}.at(l.following(day), zone))
			continue
		}
		for ; dateOf(t).Equal(day); t = nextMinute(t) {
			if l.hours&(1<<t.Hour()) != 0 && l.minutes&(1<<t.Minute()) != 0 {
				return t, true
			}
		}
	}
	return time.Time{}, false
}

// nextMinute is the next whole minute on the wall, which is no whole minute
// elsewhere where the offset has seconds.
func nextMinute(t time.Time) time.Time {
	within := time.Duration(t.Second())*time.Second + time.Duration(t.Nanosecond())
	return t.Add(time.Minute - within)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// on tells whether the line runs on a day.
func (l line) on(d date, days stepped) bool {
	return l.months&(1<<d.Month()) != 0 && l.days.on(d) && days.on(d)
}

// following is the next day that is worth a look.
func (l line) following(d date) date {
	if l.months&(1<<d.Month()) == 0 {
		return newDate(d.Year(), d.Month()+1, 1)
	}
	return d.AddDate(0, 0, 1)
}

// stepped are the days that a step leaves in, counted from a day on.
type stepped struct {
	step Step
	from date
}

// on tells whether a day's period counts. Without a step, all do.
func (s stepped) on(d date) bool {
	if s.step.N <= 1 {
		return true
	}
	if d.Before(s.from) {
		return false
	}
	return s.period(d)%s.step.N == 0
}

// period numbers the periods from the first one, which is 0.
func (s stepped) period(d date) int {
	const day = 24 * 60 * 60
	switch s.step.Unit {
	case Month:
		return (d.Year()-s.from.Year())*12 + int(d.Month()) - int(s.from.Month())
	case Week:
		monday := s.from.AddDate(0, 0, -(int(s.from.Weekday())+6)%7)
		return int((d.Unix() - monday.Unix()) / (7 * day))
	default:
		return int((d.Unix() - s.from.Unix()) / day)
	}
}
