package when

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// dayRule says which days a line runs on. As ever in cron, a day of the month
// and a day of the week that are both given are alternatives.
type dayRule struct {
	anyMonthday, anyWeekday bool
	monthdays, weekdays     uint64    // bits
	beforeLast              uint64    // bits of L-1: so many days before the last; 0 for L
	lastWorking             bool      // LW
	nearest                 uint64    // bits of 15W: the working day nearest to the 15th, in its month
	ordinals                [7]uint64 // bits by weekday: n for n-th, 0 for last, fromLast+n for n before the last
}

// on tells whether the rule allows a day.
func (r dayRule) on(d date) bool {
	switch {
	case r.anyMonthday && r.anyWeekday:
		return true
	case r.anyMonthday:
		return r.onWeekday(d)
	case r.anyWeekday:
		return r.onMonthday(d)
	}
	return r.onMonthday(d) || r.onWeekday(d)
}

func (r dayRule) onWeekday(d date) bool {
	if r.weekdays&(1<<d.Weekday()) != 0 {
		return true
	}
	bits := r.ordinals[d.Weekday()]
	return bits&(1<<((d.Day()+6)/7)) != 0 || bits&(1<<lastBit((monthLength(d)-d.Day())/7)) != 0
}

// fromLast is beyond the bits of what is counted from the beginning.
const fromLast = 8

// lastBit is the bit of the weekday so many before the last of its month.
func lastBit(before int) int {
	if before == 0 {
		return 0
	}
	return fromLast + before
}

func (r dayRule) onMonthday(d date) bool {
	if r.monthdays&(1<<d.Day()) != 0 || r.beforeLast&(1<<(monthLength(d)-d.Day())) != 0 {
		return true
	}
	if !working(d) {
		return false
	}
	if r.lastWorking && nearestWorking(d, monthLength(d)) == d.Day() {
		return true
	}
	for day := 1; r.nearest != 0 && day <= monthLength(d); day++ {
		if r.nearest&(1<<day) != 0 && nearestWorking(d, day) == d.Day() {
			return true
		}
	}
	return false
}

// nearestWorking is the working day nearest to a day of d's month, in that month.
func nearestWorking(d date, day int) int {
	wanted := newDate(d.Year(), d.Month(), day)
	switch {
	case wanted.Weekday() == time.Saturday && day > 1:
		return day - 1
	case wanted.Weekday() == time.Saturday:
		return day + 2
	case wanted.Weekday() == time.Sunday && day < monthLength(d):
		return day + 1
	case wanted.Weekday() == time.Sunday:
		return day - 2
	}
	return day
}

// descriptors are the names that crons know, without @reboot, which is no time.
var descriptors = map[string]string{
	"@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *",
	"@weekly": "0 0 * * 0", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@hourly": "0 * * * *",
}

var (
	cronParser = cron.NewParser(cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow)
	// cronField keeps from robfig's parser what makes it panic, such as "TZ=0".
	cronField   = regexp.MustCompile(`^[0-9a-zA-Z*?,/#-]+$`)
	cronStep    = regexp.MustCompile(`/(\d+)`)
	cronLast    = regexp.MustCompile(`^L-(\d\d?)$`)
	cronNearest = regexp.MustCompile(`^(\d\d?)W$`)
	cronOrdinal = regexp.MustCompile(`^([0-7]|SUN|MON|TUE|WED|THU|FRI|SAT)(L(?:-[1-4])?|#[1-5])$`)
	cronToSeven = regexp.MustCompile(`^([0-6])-7$`)
)

// mostSteps are the largest steps that still repeat within a field.
var mostSteps = [5]int{59, 23, 31, 12, 7}

// parseCron reads five fields.
func parseCron(text string) (line, error) {
	fields := strings.Fields(text)
	if len(fields) != 5 {
		return line{}, fmt.Errorf("a line of cron has 5 fields and this has %d", len(fields))
	}
	for i, f := range fields {
		if !cronField.MatchString(f) {
			return line{}, fmt.Errorf("%q is no field of cron", f)
		}
		for _, m := range cronStep.FindAllStringSubmatch(f, -1) {
			if n, err := strconv.Atoi(m[1]); err != nil || n == 0 || n > mostSteps[i] {
				return line{}, fmt.Errorf("the step of %q does not fit its field", f)
			}
		}
	}
	var l line
	var err error
	flowing := strings.HasPrefix(fields[0], "*") || strings.HasPrefix(fields[1], "*")
	plainDays, plainWeekdays := l.days.takeMonthdays(fields[2]), l.days.takeWeekdays(fields[4])
	fields[2], fields[4] = orStar(plainDays), orStar(plainWeekdays)
	parsed, err := cronParser.Parse(strings.Join(fields, " "))
	if err != nil {
		return line{}, fmt.Errorf("read cron: %w", err)
	}
	spec, ok := parsed.(*cron.SpecSchedule)
	if !ok {
		return line{}, errors.New("no line of cron")
	}
	const star = 1 << 63 // robfig's mark of a field that is not restricted
	l.minutes, l.hours, l.months = spec.Minute, spec.Hour, spec.Month
	l.flowing = flowing || spec.Hour&^star == 1<<24-1
	if plainDays != "" {
		l.days.monthdays, l.days.anyMonthday = spec.Dom&^star, spec.Dom&star != 0
	}
	if plainWeekdays != "" {
		l.days.weekdays, l.days.anyWeekday = spec.Dow&^star, spec.Dow&star != 0
	}
	return l, nil
}

// orStar stands in for a field of which nothing is left.
func orStar(field string) string {
	if field == "" {
		return "*"
	}
	return field
}

// takeMonthdays takes what robfig's parser does not know, and returns the rest.
func (r *dayRule) takeMonthdays(field string) string {
	var rest []string
	for item := range strings.SplitSeq(field, ",") {
		upper := strings.ToUpper(item)
		beforeLast := cronLast.FindStringSubmatch(upper)
		nearest := cronNearest.FindStringSubmatch(upper)
		switch {
		case upper == "L":
			r.beforeLast |= 1
		case beforeLast != nil && number(beforeLast[1]) < 31:
			r.beforeLast |= 1 << number(beforeLast[1])
		case upper == "LW":
			r.lastWorking = true
		case nearest != nil && number(nearest[1]) >= 1 && number(nearest[1]) <= 31:
			r.nearest |= 1 << number(nearest[1])
		default:
			rest = append(rest, item)
		}
	}
	return strings.Join(rest, ",")
}

// takeWeekdays does the same for days of the week, and makes 7 Sunday.
func (r *dayRule) takeWeekdays(field string) string {
	var rest []string
	for item := range strings.SplitSeq(field, ",") {
		if m := cronOrdinal.FindStringSubmatch(strings.ToUpper(item)); m != nil {
			n := 0 // the last
			if before, ok := strings.CutPrefix(m[2], "L-"); ok {
				n = lastBit(number(before))
			} else if m[2] != "L" {
				n = number(m[2][1:])
			}
			r.ordinals[cronWeekday(m[1])] |= 1 << n
			continue
		}
		if item == "7" {
			item = "0"
		}
		rest = append(rest, cronToSeven.ReplaceAllString(item, "$1-6,0"))
	}
	return strings.Join(rest, ",")
}

// cronWeekday reads a number or a name.
func cronWeekday(text string) int {
	if i := strings.Index("SUNMONTUEWEDTHUFRISAT", text); len(text) == 3 {
		return i / 3
	}
	return number(text) % 7
}

// number reads digits that a pattern has let through.
func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil { // too many of them
		return -1
	}
	return n
}
