package when

import (
	"slices"
	"strings"
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
	repeats := d.recurring || d.seconds > 0 || !fixed && (d.plain || d.several())
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

// interval repeats by minutes or hours: in real time, or from a clock time on.
func (d *draft) interval(s *Schedule) {
	every := d.seconds
	switch d.unit {
	case minute:
		every = int64(d.every) * 60
	case hour:
		every = int64(d.every) * 3600
	}
	if every == 0 && d.minute.set {
		every = 3600
	}
	days := d.dayFields()
	switch {
	case d.fault != nil:
	case every == 0:
		d.fail(Vague, "How often between those times?", "在这段时间里多久一次？")
		d.suggest("every hour between 09:00 and 17:00", "每小时从9点到17点")
	case every < 60:
		d.fail(TooFrequent, "Once a minute is the most often I can do.", "最频繁只能每分钟一次。")
	case len(d.clocks) > 0 || len(d.dates) > 0 || d.part != "":
		d.fail(Ambiguous, "Is that at a time, or every so often?", "是固定时间，还是每隔一段时间？")
		d.suggest("every 2 hours between 09:00 and 17:00", "every day at 09:00", "9点到17点每2小时", "每天上午九点")
	case len(d.window) > 0:
		s.Cron = d.windowed(every, days)
	case d.minute.set || every < 3600 && 3600%every == 0 && every%60 == 0 || every == 3600 || days != "* * *":
		s.Cron = d.regular(every, days)
	default:
		s.EverySeconds, s.From = every, d.now
	}
}

// regular are intervals that fit into hours or days evenly.
func (d *draft) regular(every int64, days string) []string {
	minutes, hours := int(every/60), int(every/3600)
	switch {
	case every%60 != 0 || minutes >= 60 && (minutes%60 != 0 || hours > 23 || 24%hours != 0) || minutes < 60 && 60%minutes != 0:
		d.fail(Ambiguous, "That does not divide the day evenly.", "一天不能被这样平分。")
		d.suggest("every hour between 09:00 and 17:00", "every 2 hours", "9点到17点每小时", "每2小时")
		return nil
	case minutes == 1:
		return []string{"* * " + days}
	case minutes < 60:
		return []string{"*/" + itoa(minutes) + " * " + days}
	case hours == 1:
		return []string{itoa(d.minute.n) + " * " + days}
	}
	return []string{itoa(d.minute.n) + " */" + itoa(hours) + " " + days}
}

// windowed are the clock times between two, both included.
func (d *draft) windowed(every int64, days string) []string {
	from, to := d.window[0], d.window[1]
	first := from.hour*60 + max(from.minute, d.minute.n)
	last := to.hour*60 + to.minute
	step := int(every / 60)
	switch {
	case every%60 != 0 || step > 24*60:
		d.fail(Ambiguous, "How often between those times?", "在这段时间里多久一次？")
		return nil
	case last <= first && days != "* * *":
		d.fail(Ambiguous, "Which days is that, beyond midnight?", "跨过午夜，是哪几天？")
		return nil
	case last <= first:
		last += 24 * 60
	}
	var times []clock
	for m := first; m <= last; m += step {
		if t := (clock{m / 60 % 24, m % 60}); !slices.Contains(times, t) {
			times = append(times, t)
		}
	}
	return cronLines(times, days)
}

// cronLines writes clock times as few lines. Hours with the same minutes share one.
func cronLines(times []clock, days string) []string {
	var minutes [24][]int
	for _, t := range times {
		minutes[t.hour] = append(minutes[t.hour], t.minute)
	}
	var lines []string
	seen := map[string]bool{}
	for h := range minutes {
		slices.Sort(minutes[h])
		field := list(minutes[h])
		if field == "" || seen[field] {
			continue
		}
		seen[field] = true
		var hours []int
		for other := range minutes {
			if list(minutes[other]) == field {
				hours = append(hours, other)
			}
		}
		lines = append(lines, field+" "+ranges(hours)+" "+days)
	}
	return lines
}

// list writes numbers with commas.
func list(numbers []int) string {
	var texts []string
	for _, n := range numbers {
		texts = append(texts, itoa(n))
	}
	return strings.Join(texts, ",")
}

// ranges writes sorted numbers, with three or more in a row as a range.
func ranges(numbers []int) string {
	var texts []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		if j-i >= 2 {
			texts = append(texts, itoa(numbers[i])+"-"+itoa(numbers[j]))
			i = j + 1
			continue
		}
		texts = append(texts, itoa(numbers[i]))
		i++
	}
	return strings.Join(texts, ",")
}

// dayFields are the last three fields of cron.
func (d *draft) dayFields() string {
	months := bitList(uint64(d.months))
	if d.quarter {
		months = d.quarterMonths()
	}
	monthdays, weekdays := strings.Join(d.days, ","), bitList(uint64(d.weekdays))
	if d.weekdays == 0x7f {
		weekdays = "*"
	}
	if len(d.ordinals) > 0 {
		weekdays = ordinalField(d.ordinals)
	}
	return orStar(monthdays) + " " + orStar(months) + " " + orStar(weekdays)
}

// quarterMonths are the first months of quarters, or the last ones.
func (d *draft) quarterMonths() string {
	last := slices.ContainsFunc(d.days, func(day string) bool { return day[0] == 'L' }) ||
		slices.ContainsFunc(d.ordinals, func(o ordinal) bool { return o.n < 0 })
	if last {
		return "3,6,9,12"
	}
	if len(d.days) == 0 && len(d.ordinals) == 0 {
		d.days = []string{"1"}
	}
	return "1,4,7,10"
}

func ordinalField(ordinals []ordinal) string {
	var texts []string
	for _, o := range ordinals {
		if o.n < 0 {
			texts = append(texts, itoa(o.weekday)+"L")
		} else {
			texts = append(texts, itoa(o.weekday)+"#"+itoa(o.n))
		}
	}
	return strings.Join(texts, ",")
}

// bitList writes the numbers of the bits that are set.
func bitList(bits uint64) string {
	var numbers []int
	for n := range 64 {
		if bits&(1<<n) != 0 {
			numbers = append(numbers, n)
		}
	}
	return ranges(numbers)
}

// calendar repeats by days.
func (d *draft) calendar(s *Schedule) {
	if d.unit == year && d.months == 0 {
		d.monthOfYear()
	}
	dayless := len(d.days) == 0 && len(d.ordinals) == 0 && len(d.dates) == 0
	switch {
	case len(d.clocks) == 0 && dayless && d.weekdays == 0 && d.every == 1 && d.unit != day:
		d.noDay()
	case len(d.clocks) == 0:
		d.noClock()
	case d.times > 0 && d.unit == day && d.times != len(d.clocks):
		d.fail(Vague, "At which times?", "分别是几点？")
		d.suggest("every day at 09:00 and 18:00", "每天9点和18点")
	case d.unit == week && d.weekdays == 0 && dayless, d.unit == week && d.times > 0 && d.times != len(bitNumbers(d.weekdays)):
		d.noDay()
	case d.unit == month && dayless && d.weekdays == 0, d.unit == year && dayless:
		d.noDay()
	case d.unit == month && d.weekdays != 0 && dayless:
		d.fail(Ambiguous, "Which of them in the month?", "是每月的第几个？")
		d.suggest("the first Monday of each month at 09:00", "每月第一个周一上午九点")
	case d.unit == year && len(d.dates) == 0 && d.months == 0:
		d.noDay()
	case !dayless && d.unit == week:
		d.fail(Ambiguous, "By week or by month?", "按周还是按月？")
	default:
		d.calendarLines(s)
	}
}

func bitNumbers(bits uint8) []int {
	var numbers []int
	for n := range 7 {
		if bits&(1<<n) != 0 {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// monthOfYear places the first and the last day of the year, and its first and
// last Monday.
func (d *draft) monthOfYear() {
	first := slices.Equal(d.days, []string{"1"}) || len(d.ordinals) == 1 && d.ordinals[0].n == 1
	last := slices.Equal(d.days, []string{"L"}) || len(d.ordinals) == 1 && d.ordinals[0].n == -1
	switch {
	case first:
		d.months = 1 << time.January
	case last:
		d.months = 1 << time.December
	}
}

// calendarLines writes the lines, and the step if not all periods count.
func (d *draft) calendarLines(s *Schedule) {
	if d.unit == month && d.every > 1 && len(d.dates) > 0 {
		d.fromDate()
	}
	byShift := d.settled()
	if len(byShift[1]) > 0 && (len(d.days) > 0 || len(d.ordinals) > 0 || len(d.dates) > 0) {
		d.fail(Ambiguous, "Midnight at the beginning or at the end of that day?", "是那天开始的零点，还是结束时的零点？")
		d.suggest("on the 1st of each month at 00:00", "on the 1st of each month at 23:59", "每月1号0:00", "每月1号23:59")
		return
	}
	for shift, times := range byShift {
		if shift == 1 {
			d.weekdays = (d.weekdays<<1 | d.weekdays>>6) & 0x7f
		}
		if len(times) == 0 {
			continue
		}
		if len(d.dates) == 0 {
			s.Cron = append(s.Cron, cronLines(times, d.dayFields())...)
		}
		for _, date := range d.dates {
			if date.year != 0 {
				d.fail(Ambiguous, "Is that once, or every year?", "是一次，还是每年？")
				return
			}
			s.Cron = append(s.Cron, cronLines(times, itoa(date.day)+" "+itoa(date.month)+" *")...)
		}
	}
	if d.every > 1 {
		s.Step = Step{d.every, map[unit]Unit{day: Day, week: Week, month: Month, year: Month}[d.unit]}
		if d.unit == year {
			s.Step.N *= 12
		}
		d.begin(s)
	}
}

// fromDate makes "every 6 months on January 1st" the months meant.
func (d *draft) fromDate() {
	if len(d.dates) > 1 || 12%d.every != 0 || d.dates[0].year != 0 {
		d.fail(Ambiguous, "Which months are those?", "是哪几个月？")
		return
	}
	for m := 0; m < 12; m += d.every {
		d.months |= 1 << ((d.dates[0].month-1+m)%12 + 1)
	}
	d.addMonthday(d.dates[0].day)
	d.dates, d.every = nil, 1
}

// begin counts steps from the first day on which there is something to do.
func (d *draft) begin(s *Schedule) {
	if s.From = d.now; d.fromNow {
		return
	}
	every := *s
	every.Step = Step{}
	if first, ok := every.Next(d.now); ok {
		s.From = first
	}
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
