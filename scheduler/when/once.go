package when

import "time"

// once makes a schedule of one instant.
func (d *draft) once(s *Schedule) {
	d.implied()
	switch {
	case !d.instant.IsZero():
		s.At = d.instant
	case d.after:
		s.At = d.later()
	case d.months != 0 && len(d.days) == 0 && len(d.ordinals) == 0, d.monthShift.set && len(d.days) == 0 && len(d.ordinals) == 0 && len(d.dates) == 0:
		d.unit = month
		d.noDay()
	case d.weekShift.set && d.weekdays == 0:
		d.unit = week
		d.fail(Vague, "On which day?", "哪一天？")
		d.suggest("next Monday at 09:00", "下周一上午九点")
	case len(d.ordinals) > 0 && d.months == 0 && !d.monthShift.set:
		d.unplacedOrdinal()
	case len(d.clocks) == 0 && len(d.window) > 0:
		d.oftenWithin()
	case len(d.clocks) == 0:
		d.unclocked()
	case len(d.clocks) > 1:
		d.fail(Ambiguous, "I can set one time at once.", "一次请只说一个时间。")
		d.suggest("every day at 09:00 and 18:00", "tomorrow at 09:00", "每天9点和18点", "明天上午九点")
	case len(d.window) > 0 || d.minute.set:
		d.noClock()
	default:
		c, shift := d.clocks[0].settle()
		s.At = d.onDay(c, shift)
	}
}

// unclocked tells apart where nothing at all was said.
func (d *draft) unclocked() {
	if d.dayShift.set || d.weekdays != 0 || len(d.days) > 0 || len(d.dates) > 0 || d.part != "" || len(d.ordinals) > 0 {
		d.noClock()
		return
	}
	d.fail(NotATime, "I see no time in that.", "没有看出时间。")
	d.suggest("tomorrow at 09:00", "every Monday at 09:00", "in 20 minutes", "明天上午九点", "每周一上午九点", "20分钟后")
}

// unplacedOrdinal asks about "first Monday"; "last Friday" is past.
func (d *draft) unplacedOrdinal() {
	if d.ordinals[0].n < 0 {
		past(d)
		return
	}
	d.fail(Vague, "Of which month?", "哪个月？")
	d.suggest("the first Monday of each month at 09:00", "the first Monday of next month at 09:00", "每月第一个周一上午九点", "下个月第一个周一上午九点")
}

// later waits for a length of time. Days and months are the calendar's.
func (d *draft) later() time.Time {
	l := d.length
	day := newDate(d.now.Year(), d.now.Month()+time.Month(l.months), 1)
	day = day.AddDate(0, 0, min(d.now.Day(), monthLength(day))-1+l.days)
	if day.Year() > d.now.Year()+100 {
		d.fail(Impossible, "That is more than a hundred years away.", "那是一百多年以后。")
		return time.Time{}
	}
	if len(d.clocks) > 0 || d.weekdays != 0 || len(d.dates) > 0 || d.dayShift.set {
		if l.seconds != 0 || len(d.clocks) != 1 || d.weekdays != 0 || len(d.dates) > 0 || d.dayShift.set {
			d.fail(Ambiguous, "Is that at a time, or after a time?", "是某个时间，还是过一段时间？")
			d.suggest("tomorrow at 09:00", "in 2 hours", "明天上午九点", "两小时后")
			return time.Time{}
		}
		c, shift := d.clocks[0].settle()
		return c.at(day.AddDate(0, 0, shift), d.zone)
	}
	if d.part != "" {
		d.noClock()
	}
	if l.days == 0 && l.months == 0 {
		return d.now.Add(time.Duration(l.seconds) * time.Second)
	}
	at := clock{d.now.Hour(), d.now.Minute()}.at(day, d.zone)
	return at.Add(time.Duration(d.now.Second()+int(l.seconds)) * time.Second)
}

// onDay is a clock time on the day that was named.
func (d *draft) onDay(c clock, shift int) time.Time {
	today := dateOf(d.now)
	switch {
	case len(d.dates) > 1:
		d.fail(Ambiguous, "I can set one date at once.", "一次请只说一个日期。")
		return time.Time{}
	case len(d.dates) == 1:
		return d.onDate(c, shift)
	case len(d.days) > 0 || len(d.ordinals) > 0:
		return d.inMonth(c)
	case d.dayShift.set:
		return d.onShifted(c, shift, today)
	case d.weekdays != 0:
		return d.onWeekday(c, shift, today)
	}
	at := c.at(today.AddDate(0, 0, shift), d.zone)
	if shift > 0 && c.at(today, d.zone).After(d.now) {
		at = c.at(today, d.zone) // the night that is on
	}
	if !at.After(d.now) {
		at = c.at(today.AddDate(0, 0, 1), d.zone)
	}
	return at
}

// onShifted is for today and tomorrow, whose weekday may have been said too.
func (d *draft) onShifted(c clock, shift int, today date) time.Time {
	day := today.AddDate(0, 0, d.dayShift.n)
	if d.weekdays != 0 && d.weekdays != 1<<day.Weekday() {
		d.fail(Impossible, "That is another day of the week.", "那天不是这个星期几。")
	}
	return c.at(day.AddDate(0, 0, shift), d.zone)
}

// onWeekday is the next such day; "next" leaves out today, and a week that was
// named is a week of the calendar.
func (d *draft) onWeekday(c clock, shift int, today date) time.Time {
	if d.several() {
		d.fail(Ambiguous, "I can set one time at once.", "一次请只说一个时间。")
		return time.Time{}
	}
	weekday := bitNumbers(d.weekdays)[0]
	if d.weekShift.set {
		monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
		return c.at(monday.AddDate(0, 0, 7*d.weekShift.n+(weekday+6)%7+shift), d.zone)
	}
	days := (weekday - int(today.Weekday()) + 7) % 7
	at := c.at(today.AddDate(0, 0, days+shift), d.zone)
	if !at.After(d.now) || d.next && days == 0 {
		at = c.at(today.AddDate(0, 0, days+7+shift), d.zone)
	}
	return at
}

// onDate is the date of the year that was said, else of the next one that has it.
func (d *draft) onDate(c clock, shift int) time.Time {
	said := d.dates[0]
	if said.year != 0 {
		return d.checked(c.at(newDate(said.year, time.Month(said.month), said.day+shift), d.zone), said)
	}
	for year := d.now.Year(); year <= d.now.Year()+8; year++ {
		day := newDate(year, time.Month(said.month), said.day)
		if at := c.at(day.AddDate(0, 0, shift), d.zone); day.Day() == said.day && at.After(d.now) {
			return d.checked(at, said)
		}
	}
	return time.Time{}
}

// checked compares the date with a weekday that was said too.
func (d *draft) checked(at time.Time, said monthDay) time.Time {
	day := newDate(at.Year(), time.Month(said.month), said.day)
	if d.weekdays != 0 && d.weekdays != 1<<day.Weekday() {
		d.fail(Impossible, "That date is another day of the week.", "那个日期不是这个星期几。")
	}
	return at
}

// inMonth is a day such as the last of a month or its first Monday: of the
// month that was named, or the next one to come.
func (d *draft) inMonth(c clock) time.Time {
	weekday := d.weekdays // "Saturday the 14th"
	if d.weekdays = 0; len(d.days) > 1 || len(d.ordinals) > 1 || weekday != 0 && len(d.days) == 0 || len(d.days) > 0 && len(d.ordinals) > 0 {
		d.fail(Ambiguous, "I can set one date at once.", "一次请只说一个日期。")
		return time.Time{}
	}
	from := d.now
	if d.monthShift.set {
		start := newDate(d.now.Year(), d.now.Month()+time.Month(d.monthShift.n), 1)
		d.months = 1 << start.Month()
		from = clock{}.at(start, d.zone).Add(-time.Nanosecond)
	}
	days := Schedule{Zone: zoneName(d.zone, d.now), Cron: cronLines([]clock{c}, d.dayFields())}
	at, ok := days.Next(from)
	if d.monthShift.set && (!ok || at.Year()*12+int(at.Month()) != d.now.Year()*12+int(d.now.Month())+d.monthShift.n) {
		d.fail(Impossible, "That month has no such day.", "那个月没有这一天。")
	}
	if !ok {
		d.fail(Impossible, "There is no such day.", "没有这样的日子。")
	}
	if ok && weekday != 0 && weekday != 1<<at.Weekday() {
		d.fail(Impossible, "That date is another day of the week.", "那个日期不是这个星期几。")
	}
	return at
}
