package when

import (
	"fmt"
	"strings"
	"time"
)

var (
	englishMonths   = [...]string{"", "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
	englishDayNames = [...]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}
	englishOrdinals = [...]string{"last", "first", "second", "third", "fourth", "fifth"}
)

type inEnglish struct{}

func (inEnglish) once(at time.Time) string {
	layout := "once, on Monday, 2 January 2006 at 15:04"
	if at.Second() != 0 {
		layout += ":05"
	}
	return at.Format(layout)
}

func (inEnglish) interval(n int64, u unit) string {
	if n == 1 {
		return "every " + string(u)
	}
	return fmt.Sprintf("every %d %ss", n, u)
}

func (inEnglish) clocks(times []clock) string {
	return "at " + englishList(clockTexts(times))
}

func clockTexts(times []clock) []string {
	var texts []string
	for _, c := range times {
		texts = append(texts, c.String())
	}
	return texts
}

// String writes the clock with 24 hours.
func (c clock) String() string { return fmt.Sprintf("%02d:%02d", c.hour, c.minute) }

func (e inEnglish) window(minutes int, from, to clock) string {
	n, u := inUnits(int64(minutes) * 60)
	return fmt.Sprintf("%s from %s to %s", e.interval(n, u), from, to)
}

func (inEnglish) pastHour(m int) string { return fmt.Sprintf("every hour at :%02d", m) }

func (e inEnglish) days(d sayDays) string {
	var texts []string
	r := d.rule
	if !r.anyMonthday {
		texts = append(texts, "on "+englishList(e.monthdays(r))+" "+e.months(d))
	}
	if !r.anyWeekday {
		texts = append(texts, e.weekdays(d, r))
	}
	if len(texts) == 0 && len(d.months) > 0 {
		texts = append(texts, "every day in "+englishList(e.monthNames(d.months)))
	}
	text := strings.Join(texts, " or ")
	if d.step.N <= 1 {
		if text == "" {
			return "every day"
		}
		return text
	}
	n, u := d.step.inYears()
	step := fmt.Sprintf("every %d %ss", n, u)
	if text == "" {
		return step
	}
	return step + ", " + text
}

// monthdays names days such as "the 1st" and "the last day".
func (inEnglish) monthdays(r dayRule) []string {
	var texts []string
	for _, n := range bitsOf(r.monthdays) {
		texts = append(texts, "the "+englishNth(n))
	}
	for _, n := range bitsOf(r.nearest) {
		if n == 1 {
			texts = append(texts, "the first working day")
			continue
		}
		texts = append(texts, "the working day nearest to the "+englishNth(n))
	}
	for _, n := range bitsOf(r.beforeLast) {
		text := "the last day"
		if n > 0 {
			text = fmt.Sprintf("day %d before the last", n)
		}
		texts = append(texts, text)
	}
	if r.lastWorking {
		texts = append(texts, "the last working day")
	}
	return texts
}

// months says of which months the days are.
func (e inEnglish) months(d sayDays) string {
	switch {
	case len(d.months) > 0:
		return "of " + englishList(e.monthNames(d.months)) + " every year"
	case d.step.Unit == Month && d.step.N > 1:
		return "of the month"
	}
	return "of each month"
}

func (inEnglish) monthNames(months []int) []string {
	var names []string
	for _, m := range months {
		names = append(names, englishMonths[m])
	}
	return names
}

func (e inEnglish) weekdays(d sayDays, r dayRule) string {
	var texts []string
	plain, each := bitsOf(r.weekdays), "every "
	if d.step.N > 1 {
		each = "on "
	}
	switch list(plain) {
	case "":
	case "1,2,3,4,5":
		texts = append(texts, each+"weekday")
	default:
		var names []string
		for _, w := range zeroLast(plain) {
			names = append(names, englishDayNames[w])
		}
		texts = append(texts, each+englishList(names))
	}
	ordinals := false
	for w, bits := range r.ordinals {
		for _, n := range zeroLast(bitsOf(bits)) {
			nth := ""
			if before, ok := beforeLast(n); ok {
				nth = englishOrdinals[before+1] + "-to-last"
			} else {
				nth = englishOrdinals[n]
			}
			texts = append(texts, "on the "+nth+" "+englishDayNames[w])
			ordinals = true
		}
	}
	text := englishList(texts)
	switch {
	case ordinals:
		text += " " + e.months(d)
	case len(d.months) > 0 && r.anyMonthday:
		text += " in " + englishList(e.monthNames(d.months))
	}
	return text
}

func englishNth(n int) string {
	suffix := "th"
	if n/10 != 1 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return itoa(n) + suffix
}

func (inEnglish) together(days, times string) string {
	if days != "" && strings.HasPrefix(times, "every") {
		return days + ", " + times
	}
	return strings.TrimSpace(days + " " + times)
}

func (inEnglish) both(lines []string) string { return strings.Join(lines, "; ") }

func (inEnglish) from(day time.Time) string { return day.Format(", from 2 January 2006 on") }

func (inEnglish) until(at time.Time) string { return at.Format(", until 2 January 2006, 15:04") }

func (inEnglish) zone(name string) string { return " (" + name + ")" }

// englishList writes "a, b and c".
func englishList(items []string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	end := len(items) - 1
	return strings.Join(items[:end], ", ") + " and " + items[end]
}
