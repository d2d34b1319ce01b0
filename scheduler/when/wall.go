package when

import "time"

// date is a day on the calendar, as midnight UTC: days can then be counted
// without any zone's changes of clocks.
type date = time.Time

// newDate takes days and months beyond the end as time.Date does.
func newDate(year int, month time.Month, day int) date {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// dateOf is the day on the wall of t's zone.
func dateOf(t time.Time) date {
	year, month, day := t.Date()
	return newDate(year, month, day)
}

// monthLength is the number of days of d's month.
func monthLength(d date) int {
	return newDate(d.Year(), d.Month()+1, 0).Day()
}

// working tells Monday to Friday. Public holidays are not known here.
func working(d date) bool {
	return d.Weekday() != time.Saturday && d.Weekday() != time.Sunday
}

// clock is a time on the wall.
type clock struct{ hour, minute int }

// at is the instant at which the wall shows the clock on that day: the first
// one if it does so twice, and if never, the one with the time passed since
// before the change, which is later by what the change left out. In both cases
// that is what the offset from before the change makes of it.
func (c clock) at(d date, zone *time.Location) time.Time {
	year, month, day := d.Date()
	t := time.Date(year, month, day, c.hour, c.minute, 0, 0, zone)
	plain := time.Date(year, month, day, c.hour, c.minute, 0, 0, time.UTC)
	shown := wallSeconds(t)
	switch {
	case shown > plain.Unix(): // left out; made with the offset from before
		return t
	case shown < plain.Unix(): // left out; made with the offset from after
		return withOffset(plain, t, zone)
	}
	start, _ := t.ZoneBounds()
	if start.IsZero() {
		return t
	}
	if earlier := withOffset(plain, start.Add(-1), zone); earlier.Before(start) {
		return earlier
	}
	return t
}

// wallSeconds is what the wall shows at t, as if it were in UTC.
func wallSeconds(t time.Time) int64 {
	_, offset := t.Zone()
	return t.Unix() + int64(offset)
}

// withOffset is the instant of a wall time under the offset in force at t.
func withOffset(plain, t time.Time, zone *time.Location) time.Time {
	_, offset := t.Zone()
	return plain.Add(-time.Duration(offset) * time.Second).In(zone)
}
