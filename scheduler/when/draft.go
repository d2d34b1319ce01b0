package when

import (
	"slices"
	"time"
)

// draft collects what the rules read from a phrase. Rules note what was said;
// what it means together is found out in assemble.go.
type draft struct {
	lang     string
	now      time.Time // in zone
	zone     *time.Location
	zoneSaid bool

	fault *Unclear // the first one met

	recurring bool // "every", "daily", "Mondays", "of the month"
	today     bool // "today" or the like was said
	every     int  // of unit; 0 is none
	unit      unit
	seconds   int64 // of "every 1h30m"
	times     int   // "twice a day"
	fromNow   bool  // steps count from today

	clocks   []spoken
	part     part // said last, for the clocks that follow
	window   []spoken
	minute   optional // of the hour
	weekdays uint8    // bits
	except   uint8
	plain    bool // a weekday by its bare name
	ordinals []ordinal
	days     []string // of the month, as in cron
	months   uint16   // bits
	quarter  bool     // "of the quarter"
	dates    []monthDay

	dayShift, weekShift, monthShift optional
	next                            bool // "next Friday"
	length                          length
	after                           bool // the length is one to wait
	instant                         time.Time
	from, until                     time.Time // bounds of repeating
	fromClocks                      []spoken
	lastPiece                       string
}

type optional struct {
	n   int
	set bool
}

func some(n int) optional { return optional{n, true} }

// unit is a unit of time in a phrase.
type unit string

const (
	second  unit = "second"
	minute  unit = "minute"
	hour    unit = "hour"
	day     unit = "day"
	week    unit = "week"
	month   unit = "month"
	quarter unit = "quarter"
	year    unit = "year"
)

// part is a part of the day.
type part string

const (
	dawn      part = "dawn" // 凌晨
	morning   part = "morning"
	noon      part = "noon"
	afternoon part = "afternoon"
	evening   part = "evening"
	night     part = "night"
	midnight  part = "midnight"
	literal   part = "literal" // as it is said: "5:45"
)

// ordinal is the n-th weekday of a month; n is -1 for the last, -2 for the one before.
type ordinal struct {
	n       int
	weekday int
}

// monthDay is a date; the year is 0 if none was said.
type monthDay struct{ year, month, day int }

// spoken is a clock time as said.
type spoken struct {
	hour, minute int
	exact        bool // no half of the day is open: "17:00", "5 pm"
	part         part
}

// fail notes the first thing that is wrong.
func (d *draft) fail(cause Cause, en, zh string, args ...any) {
	if d.fault == nil {
		d.fault = unclear(cause, d.lang, en, zh, args...)
	}
}

// addClock notes a clock time.
func (d *draft) addClock(c spoken) {
	if c.hour > 24 || c.minute > 59 || c.hour == 24 && c.minute > 0 || c.hour < 0 || c.minute < 0 {
		d.fail(Impossible, "There is no %02d:%02d on the clock.", "没有 %02d:%02d 这个时间。", c.hour, c.minute)
		return
	}
	if c.part == "" && !c.exact {
		c.part = d.part
	}
	d.clocks = append(d.clocks, c)
}

// half settles a clock time by am or pm.
func (d *draft) half(c spoken, half string) spoken {
	if half == "" {
		return c
	}
	if c.hour < 1 || c.hour > 12 {
		d.fail(Impossible, "%d does not go with am or pm.", "%d 点不能与 am 或 pm 连用。", c.hour)
	}
	c.hour, c.exact = c.hour%12, true
	if half[0] == 'p' {
		c.hour += 12
	}
	return c
}

// addPart notes a part of the day, for the clock before it if it follows one
// at once and for those to come if not.
func (d *draft) addPart(p part, trailing bool) {
	if last := len(d.clocks) - 1; trailing && last >= 0 && d.lastPiece == "clock" {
		for i := range d.clocks {
			if d.clocks[i].part == "" || i == last {
				d.clocks[i].part = p
			}
		}
		return
	}
	d.part = p
}

// settle is the clock time meant, and how many days later than it is said:
// midnight "tonight" is tomorrow's. A bare hour up to five is one of the
// afternoon: who means the night says so.
func (c spoken) settle() (clock, int) {
	h := c.hour
	if c.exact || h > 12 {
		return clock{h % 24, c.minute}, h / 24
	}
	switch c.part {
	case literal:
	case dawn, morning, midnight:
		h %= 12
		if c.part == midnight && h >= 6 {
			h += 12
		}
	case noon:
		if h <= 4 {
			h += 12
		}
	case afternoon, evening:
		h = h%12 + 12
		if c.part == evening && c.hour == 12 {
			return clock{0, c.minute}, 1
		}
	case night:
		if h == 12 || h < 6 {
			return clock{h % 12, c.minute}, 1
		}
		h += 12
	default:
		if h >= 1 && h <= 5 {
			h += 12
		}
	}
	return clock{h, c.minute}, 0
}

// addWeekdays notes days of the week.
func (d *draft) addWeekdays(days ...int) {
	for _, w := range days {
		d.weekdays |= 1 << (w % 7)
	}
}

// addMonthday notes a day of the month.
func (d *draft) addMonthday(n int) {
	if n < 1 || n > 31 {
		d.fail(Impossible, "No month has a day %d.", "没有 %d 号这一天。", n)
		return
	}
	if text := itoa(n); !slices.Contains(d.days, text) {
		d.days = append(d.days, text)
	}
}

// addLastDay notes the n-th day from the end of the month; the first is the last.
func (d *draft) addLastDay(n int) {
	switch {
	case n < 1 || n > 31:
		d.fail(Impossible, "No month has so many days.", "没有哪个月有那么多天。")
	case n == 1:
		d.days = append(d.days, "L")
	default:
		d.days = append(d.days, "L-"+itoa(n-1))
	}
}

// addMonthdays notes all days of the month from one to another.
func (d *draft) addMonthdays(from, to int) {
	if from > to {
		d.fail(Impossible, "That ends before it begins.", "结束早于开始。")
		return
	}
	for n := from; n <= min(to, 32); n++ {
		d.addMonthday(n)
	}
}

// addMonth notes a month.
func (d *draft) addMonth(n int) {
	if n < 1 || n > 12 {
		d.fail(Impossible, "There is no month %d.", "没有 %d 月。", n)
		return
	}
	d.months |= 1 << n
}

// addDate notes a date that some year has.
func (d *draft) addDate(year, month, day int) {
	leap := year
	if year == 0 {
		leap = 2000
	}
	switch {
	case month < 1 || month > 12 || day < 1 || day > monthLength(newDate(leap, time.Month(month), 1)):
		d.fail(Impossible, "There is no such date.", "没有这个日期。")
	case year != 0 && year > d.now.Year()+100:
		d.fail(Impossible, "That is more than a hundred years away.", "那是一百多年以后。")
	default:
		d.dates = append(d.dates, monthDay{year, month, day})
	}
}

// addEvery notes a repetition.
func (d *draft) addEvery(n int, u unit) {
	d.recurring = true
	switch {
	case n <= 0 || n > 100_000:
		d.fail(Impossible, "Nothing can repeat like that.", "不可能这样重复。")
		d.suggest("every 10 minutes", "every hour", "每10分钟", "每小时")
	case u == second && n < 60:
		d.fail(TooFrequent, "Once a minute is the most often I can do.", "最频繁只能每分钟一次。")
		d.suggest("every minute", "every 5 minutes", "每分钟", "每5分钟")
	case u == second:
		d.seconds = int64(n)
	case d.every == 1 && d.unit == day && (u == minute || u == hour): // "every day, every 20 minutes from 9 to 12"
		d.every, d.unit = n, u
	case d.every != 0 && (n != d.every || u != d.unit) && !(u == day && n == 1):
		// "every day at 9, every 2 weeks", but "once a day on weekdays" narrows.
		d.every, d.unit = max(n, d.every), u
		if n > 1 {
			d.fail(Ambiguous, "That repeats in two ways.", "说了两种重复方式。")
		}
	case d.every == 0:
		d.every, d.unit = n, u
	}
}

// suggest adds the first half of the phrases in English, the other in Chinese.
func (d *draft) suggest(phrases ...string) {
	if d.fault == nil || len(d.fault.Suggestions) > 0 {
		return
	}
	n := len(phrases) / 2
	if d.lang == Chinese {
		d.fault.suggest(phrases[n:]...)
		return
	}
	d.fault.suggest(phrases[:n]...)
}

// length is a length of time: months and days on the calendar, seconds in real
// time.
type length struct {
	months, days int
	seconds      int64
}

// oneLength keeps to one length of time: "in 2 hours in 3 hours" is none.
func (d *draft) oneLength() {
	if d.length != (length{}) {
		d.fail(Ambiguous, "That names two lengths of time.", "说了两段时间。")
	}
}

// addLength adds an amount of a unit; halves are for hours and less.
func (d *draft) addLength(amount float64, u unit) {
	n := int(amount)
	if amount > 1_000_000 {
		d.fail(Impossible, "That is too far away.", "时间太久远了。")
		return
	}
	switch u {
	case second:
		d.length.seconds += int64(amount)
	case minute:
		d.length.seconds += int64(amount * 60)
	case hour:
		d.length.seconds += int64(amount * 3600)
	case day:
		d.length.days += n
		d.length.seconds += int64((amount - float64(n)) * 24 * 3600)
	case week:
		d.length.days += int(amount * 7)
	case month, quarter, year:
		d.length.months += int(amount * map[unit]float64{month: 1, quarter: 3, year: 12}[u])
	}
}
