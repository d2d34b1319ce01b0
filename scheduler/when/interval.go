package when

import (
	"slices"
)

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
		d.oftenWithin()
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

// oftenWithin asks how often something is to come between two clock times.
func (d *draft) oftenWithin() {
	d.fail(Vague, "How often between those times?", "在这段时间里多久一次？")
	d.suggest("every hour between 09:00 and 17:00", "每小时从9点到17点")
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
