package when

import (
	"slices"
	"time"
)

// schedule makes a schedule of what the parts of a phrase said together.
func (d *draft) schedule() (Schedule, *Unclear) {
	s := Schedule{Zone: zoneName(d.zone, d.now)}
	if d.fault == nil {
		d.build(&s)
	}
	if d.fault != nil {
		return Schedule{}, d.fault
	}
	next, ok := s.Next(d.now)
	switch {
	case s.Kind == Once && !ok:
		d.pastClock(s.At)
	case !ok:
		d.fail(Impossible, "There is no such day.", "没有这样的日子。")
	case next.Year() > d.now.Year()+100:
		d.fail(Impossible, "That is more than a hundred years away.", "那是一百多年以后。")
	}
	if d.fault != nil {
		return Schedule{}, d.fault
	}
	return s, nil
}

// build finds out which of the forms it is.
func (d *draft) build(s *Schedule) {
	for i, c := range d.clocks { // "at half past eleven every night"
		if d.today && c.part == midnight { // tonight's
			d.clocks[i].part = night
		}
		if d.part != "" && !c.exact && (c.part == "" || c.part == literal) {
			d.clocks[i].part = d.part
		}
	}
	fixed := d.dayShift.set || d.weekShift.set || d.monthShift.set || d.next || d.after || !d.instant.IsZero()
	repeats := d.recurring || d.seconds > 0 || !fixed && (d.plain || d.several() || len(d.days) > 1 && d.months == 0)
	repeats = repeats && !(d.weekdays != 0 && !d.recurring && len(d.dates) > 0)
	switch {
	case repeats && fixed:
		d.fail(Ambiguous, "Is that once, or again and again?", "是一次，还是重复？")
		d.suggest("tomorrow at 09:00", "every day at 09:00", "明天上午九点", "每天上午九点")
	case d.length != length{} && !d.after:
		d.bareLength()
	case repeats:
		s.Kind = Recurring
		d.repeated(s)
		d.bounded(s)
	case !d.from.IsZero() || !d.until.IsZero():
		d.fail(Vague, "How often?", "多久一次？")
		d.suggest("every day at 09:00 until December 31", "每天上午九点到12月31日为止")
	default:
		s.Kind = Once
		d.once(s)
	}
}

// bounded sets the beginning and the end. A length of time first passes at the
// beginning.
func (d *draft) bounded(s *Schedule) {
	s.Until = d.until
	switch {
	case d.from.IsZero() || d.fault != nil:
	case s.EverySeconds > 0:
		s.From = d.from.Add(-time.Duration(s.EverySeconds) * time.Second)
	case s.Step.N > 1:
		late := *d
		late.now = d.from.Add(-time.Nanosecond)
		late.begin(s)
	default:
		s.From = d.from
	}
}

// several tells a list of weekdays, which comes every week.
func (d *draft) several() bool { return d.weekdays&(d.weekdays-1) != 0 }

// bareLength asks about "30m".
func (d *draft) bareLength() {
	d.fail(Ambiguous, "Once after that time, or every time it has passed?", "是过这么久一次，还是每隔这么久一次？")
	switch l := d.length; {
	case l.days > 0 || l.months > 0:
		d.suggest("in 2 days at 09:00", "every 2 days at 09:00", "两天后上午九点", "每两天上午九点")
	default:
		n := itoa(max(int(l.seconds/60), 1))
		d.suggest("in "+n+" minutes", "every "+n+" minutes", n+"分钟后", "每"+n+"分钟")
	}
}

// noClock asks for the time of day.
func (d *draft) noClock() {
	d.fail(Vague, "At what time?", "几点？")
	at := map[part]string{morning: "09:00", noon: "12:00", afternoon: "15:00", evening: "19:00", night: "21:00", dawn: "05:00", midnight: "00:00"}[d.part]
	if at == "" {
		at = "09:00"
	}
	if d.recurring {
		d.suggest("every day at "+at, "every Monday at "+at, "every weekday at "+at, "每天"+at, "每周一"+at, "每个工作日"+at)
		return
	}
	d.suggest("tomorrow at "+at, "tomorrow at 18:00", "明天"+at, "明天18:00")
}

// noDay asks for the day of a week, month or year.
func (d *draft) noDay() {
	d.fail(Vague, "On which day?", "哪一天？")
	switch d.unit {
	case week:
		d.suggest("every Monday at 09:00", "every Friday at 17:00", "每周一上午九点", "每周五17:00")
	case year:
		d.suggest("every January 1st at 09:00", "每年1月1日上午九点")
	default:
		d.suggest("on the 1st of each month at 09:00", "the last day of each month at 09:00", "每月1号上午九点", "每月最后一天上午九点")
	}
}

// implied makes clock times of parts of the day that are one.
func (d *draft) implied() {
	if len(d.clocks) > 0 {
		return
	}
	switch d.part {
	case noon:
		d.clocks = []spoken{{hour: 12, exact: true}}
	case midnight:
		d.clocks = []spoken{{hour: 12, part: midnight}}
	}
}

// settled are the clock times meant, by how many days later they are than said.
func (d *draft) settled() (byShift [2][]clock) {
	for _, c := range d.clocks {
		t, shift := c.settle()
		if !slices.Contains(byShift[shift], t) {
			byShift[shift] = append(byShift[shift], t)
		}
	}
	return byShift
}

// repeated makes a schedule that repeats.
func (d *draft) repeated(s *Schedule) {
	d.implied()
	if len(d.clocks) == 0 && d.unit != minute && d.unit != hour {
		d.clocks = d.fromClocks // "every day starting at 9"
	}
	if timed := d.unit == minute || d.unit == hour; timed && len(d.clocks) == 1 && !d.from.IsZero() { // "every 8 hours starting tomorrow at 6"
		c, shift := d.clocks[0].settle()
		d.from, d.clocks = c.at(dateOf(d.from.In(d.zone)).AddDate(0, 0, shift), d.zone), nil
	}
	d.weekdays &^= d.except
	if d.except != 0 && d.weekdays == 0 {
		d.weekdays = 0x7f &^ d.except
	}
	d.stepOfDays()
	kinds := 0
	for _, said := range []bool{d.weekdays != 0, len(d.days) > 0, len(d.ordinals) > 0, len(d.dates) > 0} {
		if said {
			kinds++
		}
	}
	switch {
	case d.except != 0 && d.weekdays == 0:
		d.fail(Impossible, "No day is left.", "没有剩下的日子。")
	case kinds > 1 && !(kinds == 2 && d.weekdays != 0 && len(d.dates) == 0 && len(d.days) == 0 && d.plain):
		d.fail(Ambiguous, "I can go by days of the week or of the month, not both.", "星期几和几号请只说一种。")
		d.suggest("every Friday at 09:00", "on the 13th of each month at 09:00", "每周五上午九点", "每月13号上午九点")
	case d.seconds > 0 || d.unit == minute || d.unit == hour || len(d.window) > 0:
		d.interval(s)
	case d.minute.set && len(d.clocks) == 0 && d.every == 0:
		d.every, d.unit = 1, hour
		d.interval(s)
	default:
		d.calendar(s)
	}
}

// stepOfDays lets "every 2 days" without a time mean the time that it is now.
func (d *draft) stepOfDays() {
	open := len(d.clocks) == 0 && d.part == "" && d.weekdays == 0 && len(d.days) == 0 && len(d.ordinals) == 0 && len(d.dates) == 0
	if !open || d.every < 2 {
		return
	}
	switch d.unit {
	case day:
	case week:
		d.addWeekdays(int(d.now.Weekday()))
	case month:
		d.addMonthday(d.now.Day())
	default:
		return
	}
	d.clocks = []spoken{{hour: d.now.Hour(), minute: d.now.Minute(), exact: true}}
	d.fromNow = true
}

// pastClock suggests the same time of another day.
func (d *draft) pastClock(at time.Time) {
	d.fail(Past, "That is past.", "那已经过去了。")
	if at.IsZero() {
		return
	}
	text := at.In(d.zone).Format("15:04")
	d.suggest("tomorrow at "+text, "every day at "+text, "明天"+text, "每天"+text)
}
