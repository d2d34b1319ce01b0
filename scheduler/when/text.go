package when

import (
	"slices"
	"strings"
	"time"
	"unicode"
)

// The languages that schedules are said in.
const (
	English = "en"
	Chinese = "zh"
)

// Language tells which of them a phrase is in.
func Language(phrase string) string {
	if strings.ContainsFunc(phrase, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		return Chinese
	}
	return English
}

// voice says the parts of a schedule in one language.
type voice interface {
	once(at time.Time) string
	interval(n int64, u unit) string // every n units
	clocks(times []clock) string
	window(minutes int, from, to clock) string
	pastHour(minute int) string // every hour
	days(d sayDays) string
	together(days, times string) string // of one line
	both(lines []string) string
	from(day time.Time) string
	until(at time.Time) string
	zone(name string) string
}

// sayDays are the days of lines, taken apart for saying.
type sayDays struct {
	rule   dayRule
	months []int // empty for all
	step   Step
}

// Text says the schedule in words, in English or Chinese: what it is, and not
// how it was said.
func (s Schedule) Text(lang string) string {
	var v voice = inEnglish{}
	if lang == Chinese {
		v = inChinese{}
	}
	var text string
	switch {
	case !s.At.IsZero():
		at := s.At
		if zone, err := loadZone(s.Zone); err == nil {
			at = at.In(zone)
		}
		text = v.once(at)
	case s.EverySeconds > 0:
		text = v.interval(inUnits(s.EverySeconds))
	default:
		text = s.linesText(v)
	}
	if zone, err := loadZone(s.Zone); err == nil {
		if !s.From.IsZero() && s.EverySeconds == 0 {
			text += v.from(s.From.In(zone))
		}
		if !s.Until.IsZero() {
			text += v.until(s.Until.In(zone))
		}
	}
	return text + v.zone(s.Zone)
}

// inUnits picks the largest unit that leaves nothing over.
func inUnits(seconds int64) (int64, unit) {
	switch {
	case seconds%3600 == 0:
		return seconds / 3600, hour
	case seconds%60 == 0:
		return seconds / 60, minute
	}
	return seconds, second
}

// inYears makes years of steps of so many months.
func (s Step) inYears() (int, string) {
	if s.Unit == Month && s.N%12 == 0 {
		return s.N / 12, "year"
	}
	return s.N, string(s.Unit)
}

// zeroLast puts what is numbered 0 where it is said: Sunday behind the other
// days, the last one behind those that are counted.
func zeroLast(numbers []int) []int {
	if len(numbers) > 1 && numbers[0] == 0 {
		return append(numbers[1:len(numbers):len(numbers)], 0)
	}
	return numbers
}

// beforeLast is how many of a weekday come after the one of a bit in its month;
// it is not ok for those that are counted from the beginning.
func beforeLast(bit int) (n int, ok bool) { return bit - fromLast, bit > fromLast }

// linesText says lines of the same days together.
func (s Schedule) linesText(v voice) string {
	var order []string
	byDays := map[string][]string{}
	for _, text := range s.Cron {
		fields := strings.Fields(text)
		if len(fields) != 5 {
			return strings.Join(s.Cron, "; ")
		}
		days := strings.Join(fields[2:], " ")
		if byDays[days] == nil {
			order = append(order, days)
		}
		byDays[days] = append(byDays[days], fields[0]+" "+fields[1])
	}
	var texts []string
	for _, days := range order {
		text, ok := s.sameDaysText(v, days, byDays[days])
		if !ok {
			return strings.Join(s.Cron, "; ")
		}
		texts = append(texts, text)
	}
	return v.both(texts)
}

// sameDaysText says the times of some days. It is not ok for damaged lines.
func (s Schedule) sameDaysText(v voice, days string, times []string) (string, bool) {
	var clocks []clock
	said := ""
	var first line
	for _, text := range times {
		l, err := parseCron(text + " " + days)
		if err != nil {
			return "", false
		}
		first = l
		if text := repeatText(v, text, l); text != "" {
			said = text
			continue
		}
		clocks = append(clocks, l.clocks()...)
	}
	window := false
	if len(clocks) > 0 {
		said, window = clocksText(v, clocks)
	}
	months := bitsOf(first.months)
	if len(months) == 12 {
		months = nil
	}
	dayText := ""
	if daily := days == "* * *" && s.Step.N <= 1; !daily || len(clocks) > 0 && !window {
		dayText = v.days(sayDays{first.days, months, s.Step})
	}
	return v.together(dayText, said), true
}

// repeatText says what runs in every hour, or every so many hours.
func repeatText(v voice, times string, l line) string {
	minutes, hours, _ := strings.Cut(times, " ")
	step, everyFew := strings.CutPrefix(minutes, "*/")
	hourStep, everyFewHours := strings.CutPrefix(hours, "*/")
	list := bitsOf(l.minutes)
	switch {
	case hours == "*" && minutes == "*":
		return v.interval(1, minute)
	case hours == "*" && everyFew && 60%number(step) == 0:
		return v.interval(int64(number(step)), minute)
	case hours == "*" && len(list) == 1 && list[0] == 0:
		return v.interval(1, hour)
	case hours == "*" && len(list) == 1:
		return v.pastHour(list[0])
	case minutes == "0" && everyFewHours && 24%number(hourStep) == 0:
		return v.interval(int64(number(hourStep)), hour)
	}
	return ""
}

// clocks are all clock times of a line.
func (l line) clocks() []clock {
	var times []clock
	for _, h := range bitsOf(l.hours) {
		for _, m := range bitsOf(l.minutes) {
			times = append(times, clock{h, m})
		}
	}
	return times
}

// bitsOf are the numbers of the bits that are set, without robfig's mark.
func bitsOf(bits uint64) []int {
	var numbers []int
	for n := range 63 {
		if bits&(1<<n) != 0 {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// clocksText lists clock times, or tells the window that they fill evenly.
func clocksText(v voice, times []clock) (text string, window bool) {
	of := func(c clock) int { return c.hour*60 + c.minute }
	slices.SortFunc(times, func(a, b clock) int { return of(a) - of(b) })
	if len(times) < 4 {
		return v.clocks(times), false
	}
	const day = 24 * 60
	gap := func(i int) int { // to the next one, beyond midnight if need be
		return (of(times[(i+1)%len(times)]) - of(times[i]) + day) % day
	}
	last := 0
	for i := range times {
		if gap(i) > gap(last) {
			last = i
		}
	}
	first := (last + 1) % len(times)
	for i := range times {
		if i != last && gap(i) != gap(first) {
			return v.clocks(times), false
		}
	}
	return v.window(gap(first), times[first], times[last]), true
}
