package when

import (
	"slices"
	"time"
)

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
