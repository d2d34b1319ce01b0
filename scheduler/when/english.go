package when

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// englishRules are tried at each word; the longest match wins, and the first of
// equally long ones.
func englishRules() []rule {
	return append(append(append(englishFillers(), englishClocks()...), englishDays()...), englishRepeats()...)
}

func englishFillers() []rule {
	return []rule{
		english(`at|on|the|of|and|in|from now on|please|sharp|exactly|o'clock|time|then|also|once|for`, "", filler),
		english(`around|about|approximately|roughly`, "", filler),
		read(`[,.;!@&:-]`, "", filler),
		english(`today`, "day", func(d *draft, _ groups) { d.dayShift, d.today = some(0), true }),
		english(`(?:my|local|our) time`, "", filler),
		english(`(?:starting|beginning|effective)(?: from| on)?|from|as of`, starting, filler),
		english(`until|till|through|up to`, until, filler),
	}
}

func englishClocks() []rule {
	return []rule{
		english(`(?:at |@ ?)?(?P<h>\d{1,2})[:h](?P<m>\d\d)(?::\d\d)?(?: ?(?P<half>{half}))?`, "clock", takeDigits),
		english(`(?:at |@ ?)?(?P<h>\d{1,2})\.(?P<m>\d\d) ?(?P<half>{half})|(?:at|@) ?(?P<h2>\d{1,2})\.(?P<m2>\d\d)`, "clock", takeDigits),
		english(`(?:at |@ ?)?(?P<h>{hr}) ?(?P<half>{half})`, "clock", takeBare),
		english(`(?:at |@ ?)?(?P<h>{hr}) ?o'?clock(?: ?(?P<half>{half}))?`, "clock", takeBare),
		english(`(?:at|@) ?(?P<h>{hr})`, "clock", takeBare).but(` ?(?:{unit}|percent|past|to (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d)|-?(?:st|nd|rd|th)\b|people|minutes)`),
		english(`(?:at )?(?P<h>\d\d)(?P<m>\d\d) ?(?:hours|hrs)`, "clock", takeDigits),
		english(`at (?P<h>[01]\d|2\d)(?P<m>\d\d)`, "clock", takeDigits).but(`[:/-]`),
		english(`(?:,|and|&|, and) ?(?:at )?(?P<h>\d{1,2})`, "clock", takeBare).following("clock").but(`[:\d点时号日月分小个]| ?(?:{half}|{unit}|st\b|nd\b|rd\b|th\b|o'clock|{mon})`),
		english(`(?:at )?half past (?P<h>{hr})(?: ?(?P<half>{half}))?`, "clock", func(d *draft, m groups) { d.takePast(m, 30) }),
		english(`(?:at )?(?:a )?quarter past (?P<h>{hr})(?: ?(?P<half>{half}))?`, "clock", func(d *draft, m groups) { d.takePast(m, 15) }),
		english(`(?:at )?(?:a )?quarter (?:to|of|before) (?P<h>{hr})(?: ?(?P<half>{half}))?`, "clock", func(d *draft, m groups) { d.takePast(m, -15) }),
		english(`(?:at )?(?P<m>{num})(?: minutes?)? past (?P<h>{hr})(?: ?(?P<half>{half}))?`, "clock",
			func(d *draft, m groups) { d.takePast(m, englishNumber(m.text("m"))) }),
		english(`(?:at )?(?P<m>{num})(?: minutes?)? to (?P<h>{hr})(?: ?(?P<half>{half}))?`, "clock",
			func(d *draft, m groups) { d.takePast(m, -englishNumber(m.text("m"))) }),
		english(`at (?P<h>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)[- ](?P<m>oh five|five|ten|fifteen|twenty|twenty[- ]five|thirty|thirty[- ]five|forty|forty[- ]five|fifty|fifty[- ]five)(?: ?(?P<half>{half}))?`, "clock", func(d *draft, m groups) {
			minute := englishNumber(strings.TrimPrefix(m.text("m"), "oh "))
			d.addClock(d.half(spoken{hour: englishNumber(m.text("h")), minute: minute}, m.text("half")))
		}),
		english(`(?:at )?(?:12 )?(?:noon|midday)`, "clock", flag(func(d *draft) { d.addClock(spoken{hour: 12, exact: true}) })),
		english(`(?:at )?(?:12 )?midnight`, "clock", flag(func(d *draft) { d.addClock(spoken{hour: 12, part: midnightOf(d)}) })),
		english(`(?:in|during) the (?P<part>morning|afternoon|evening|night)s?|at night`, "part", func(d *draft, m groups) { d.addPart(partOf(m), true) }),
		english(`(?P<part>morning|afternoon|evening|night)(?P<many>s)?`, "part", func(d *draft, m groups) {
			d.recurring = d.recurring || m.text("many") != ""
			d.addPart(partOf(m), true)
		}),
		english(`this (?P<part>morning|afternoon|evening)`, "day", func(d *draft, m groups) {
			d.dayShift, d.today = some(0), true
			d.addPart(partOf(m), d.lastPiece == "clock")
		}),
		english(`tonight`, "day", func(d *draft, _ groups) {
			d.dayShift, d.today = some(0), true
			d.addPart(night, d.lastPiece == "clock")
			d.tonight()
		}),
		english(`(?:between|from) (?P<a>{c}) ?(?:and|to|-|until|till|til|through) ?(?P<b>{c})`, "window", takeWindow),
		english(`(?P<a>{c}) ?(?:-|to|until|till) ?(?P<b>{c})`, "window", takeWindow),
		english(`(?:during |in |within )?(?:business|working|office|work) hours`, "window", flag(func(d *draft) {
			d.window = []spoken{{hour: 9, exact: true}, {hour: 17, exact: true}}
			d.addWeekdays(1, 2, 3, 4, 5)
		})),
		english(`(?:at )?:(?P<m>\d\d)`, "minute", func(d *draft, m groups) { d.setMinute(englishNumber(m.text("m"))) }),
		english(`(?:at )?(?:minute (?P<a>{num})(?: of)?|(?P<b>{num})(?: minutes?)? (?:past|after)) (?:every|each|the) hour`, "minute", func(d *draft, m groups) {
			d.addEvery(1, hour)
			d.setMinute(englishNumber(m.text("a") + m.text("b")))
		}),
		english(`(?:at )?(?:a )?(?P<p>quarter past|half past|quarter to) (?:every|each|the) hour`, "minute", func(d *draft, m groups) {
			d.addEvery(1, hour)
			d.setMinute(map[string]int{"quarter past": 15, "half past": 30, "quarter to": 45}[m.text("p")])
		}),
		english(`(?:at )?(?P<m>{num}) minutes? past(?: the hour)?`, "minute", func(d *draft, m groups) { d.setMinute(englishNumber(m.text("m"))) }).following("repeat"),
		english(`(?:at )?minute (?P<m>{num})`, "minute", func(d *draft, m groups) { d.setMinute(englishNumber(m.text("m"))) }).following("repeat"),
		english(`on the hour`, "minute", flag(func(d *draft) { d.setMinute(0) })),
		english(`on the half[- ]hour`, "minute", flag(func(d *draft) { d.setMinute(30) })),
		read(`(?P<at>\d{4}-\d\d-\d\d[t ]\d\d:\d\d(?::\d\d)?(?:\.\d{1,9})?)(?P<zone>z|[+-]\d\d:?\d\d)`, "instant", takeInstant),
	}
}

// takeDigits reads "14:20" and "9:30 pm". Two digits leave no half of the day open.
func takeDigits(d *draft, m groups) {
	c := spoken{hour: number(m.text("h") + m.text("h2")), minute: number(m.text("m") + m.text("m2"))}
	if m.text("half") != "" {
		c = d.half(c, m.text("half"))
	}
	c.exact = c.exact || len(m.text("h")+m.text("h2")) == 2 && c.hour < 10 || c.hour == 0
	if c.part == "" && !c.exact && d.part == "" {
		c.part = literal
	}
	d.addClock(c)
}

// takeBare reads "at 9" and "9 pm".
func takeBare(d *draft, m groups) {
	d.addClock(d.half(spoken{hour: englishNumber(m.text("h"))}, m.text("half")))
}

// takePast reads "quarter past seven", with minutes from the full hour.
func (d *draft) takePast(m groups, minutes int) {
	c := d.half(spoken{hour: englishNumber(m.text("h"))}, m.text("half"))
	if minutes < 0 {
		c.hour, minutes = c.hour-1, minutes+60
		if c.hour == 0 && !c.exact {
			c.hour = 12
		}
		c.hour = (c.hour + 24) % 24
	}
	c.minute = minutes
	d.addClock(c)
}

// midnightOf is the end of the night that was named, else the beginning of a day.
func midnightOf(d *draft) part {
	if d.part == night {
		return night
	}
	return midnight
}

// tonight makes "midnight tonight" the end of the night.
func (d *draft) tonight() {
	for i := range d.clocks {
		if d.clocks[i].part == midnight {
			d.clocks[i].part = night
		}
	}
}

func partOf(m groups) part {
	if p := m.text("part"); p != "" {
		return part(p)
	}
	return night
}

func (d *draft) setMinute(n int) {
	if n < 0 || n > 59 {
		d.fail(Impossible, "An hour has no minute %d.", "一小时里没有第 %d 分钟。", n)
	}
	d.minute = some(n)
}

var englishClock = regexp.MustCompile(`^(\d{1,2})(?::(\d\d))? ?([ap])?`)

// takeWindow reads "between 9 and 5 pm": the end is after the beginning.
func takeWindow(d *draft, m groups) {
	a, b := d.windowClock(m.text("a")), d.windowClock(m.text("b"))
	if !b.exact && b.hour < 12 && b.hour <= a.hour && a.hour < 12 {
		b.hour += 12
	}
	if !a.exact && b.exact && b.hour > 12 && a.hour+12 < b.hour && a.hour < 6 {
		a.hour += 12 // "from 1 to 5 pm"
	}
	a.exact, b.exact = true, true
	d.addWindow(a, b)
}

func (d *draft) windowClock(text string) spoken {
	switch text {
	case "noon", "midday":
		return spoken{hour: 12, exact: true}
	case "midnight":
		return spoken{exact: true}
	}
	m := englishClock.FindStringSubmatch(text)
	c := spoken{hour: number(m[1])}
	if m[2] != "" {
		c.minute = number(m[2])
	}
	return d.half(c, m[3])
}

func (d *draft) addWindow(a, b spoken) {
	if a.hour > 23 || b.hour > 24 || a.minute > 59 || b.minute > 59 {
		d.fail(Impossible, "There is no such time on the clock.", "没有这个时间。")
		return
	}
	d.window = []spoken{a, b}
}

// takeInstant reads an instant of RFC 3339.
func takeInstant(d *draft, m groups) {
	text := strings.Replace(m.text("at"), "t", " ", 1)
	if strings.Count(text, ":") == 1 {
		text += ":00"
	}
	offset := strings.Replace(m.text("zone"), ":", "", 1)
	if offset == "z" {
		offset = "+0000"
	}
	t, err := time.Parse("2006-01-02 15:04:05-0700", text+offset)
	if err != nil {
		d.fail(Impossible, "There is no such time.", "没有这个时间。")
		return
	}
	d.instant = t
}

func englishDays() []rule {
	return []rule{
		english(`(?:today|this) (?P<part>morning|afternoon|evening)`, "day", func(d *draft, m groups) {
			d.dayShift, d.today = some(0), true
			d.addPart(partOf(m), d.lastPiece == "clock")
		}),
		english(`tomorrow|tmrw|tmr|tomorow`, "day", flag(func(d *draft) { d.dayShift = some(1) })),
		english(`(?:the )?day after tomorrow`, "day", flag(func(d *draft) { d.dayShift = some(2) })),
		english(`yesterday|(?:the )?day before yesterday|last (?:week|month|year|night)`, "day", flag(past)),
		english(`(?:on )?(?P<days>{wd})\.?`, "weekday", func(d *draft, m groups) {
			d.addWeekdays(englishWeekday(m.text("days")))
		}),
		english(`(?:on )?(?P<days>{wd}(?:/{wd})+)`, "weekday", func(d *draft, m groups) {
			for name := range strings.SplitSeq(m.text("days"), "/") {
				d.addWeekdays(englishWeekday(name))
			}
		}),
		english(`(?:on )?(?P<days>(?:mon|tues|wednes|thurs|fri|satur|sun)days)`, "weekday", func(d *draft, m groups) {
			d.recurring = true
			d.addWeekdays(englishWeekday(m.text("days")))
		}),
		english(`(?:from )?(?P<a>{wd})s? ?(?:-|to|through|thru|till|until) ?(?P<b>{wd})s?`, "weekday", func(d *draft, m groups) {
			d.recurring = true
			d.addRange(englishWeekday(m.text("a")), englishWeekday(m.text("b")))
		}),
		english(`(?:on )?(?:every |each |all )?(?:week ?days?|(?:working|business|work) ?days?)`, "weekday", flag(func(d *draft) {
			d.recurring = true
			d.addWeekdays(1, 2, 3, 4, 5)
		})),
		english(`(?:on |at )?(?:the |every |each )?week-?ends?`, "weekday", flag(func(d *draft) {
			d.recurring = true
			d.addWeekdays(6, 0)
		})),
		english(`(?:except|but not|excluding|other than)(?: on| for)? (?P<days>{wd}s?(?:(?:,| and|, and| or) ?{wd}s?)*|weekends?)`, "weekday", func(d *draft, m groups) {
			d.recurring = true
			if strings.HasPrefix(m.text("days"), "weekend") {
				d.except |= 1<<6 | 1
			}
			for _, w := range englishWeekdays.FindAllString(m.text("days"), -1) {
				d.except |= 1 << englishWeekday(w)
			}
		}),
		english(`(?:this|the coming|coming|this coming|upcoming) (?P<days>{wd})`, "weekday", func(d *draft, m groups) {
			d.addWeekdays(englishWeekday(m.text("days")))
		}),
		english(`(?:this|next|the coming|coming) weekend`, "vague", flag(func(d *draft) {
			d.fail(Vague, "Saturday or Sunday, and when?", "周六还是周日，几点？")
			d.suggest("this Saturday at 10:00", "this Sunday at 10:00", "本周六上午十点", "本周日上午十点")
		})),
		english(`next (?P<days>{wd})`, "weekday", func(d *draft, m groups) {
			d.next = true
			d.addWeekdays(englishWeekday(m.text("days")))
		}),
		english(`next week(?: on)?`, "week", flag(func(d *draft) { d.weekShift = some(1) })),
		english(`this week(?: on)?`, "week", flag(func(d *draft) { d.weekShift = some(0) })),
		english(`(?:of |in )?next month`, "month", flag(func(d *draft) { d.monthShift = some(1) })),
		english(`(?:of |in )?this month`, "month", flag(func(d *draft) { d.monthShift = some(0) })),
		english(`(?:of |in )?next year`, "year", flag(func(d *draft) { d.monthShift = some(12 - int(d.now.Month()) + 1) })).but(`$`),
		english(`(?:on )?(?:the )?(?P<n>{ord}|last) (?P<days>{wd})s?`, "ordinal", func(d *draft, m groups) {
			d.addOrdinal(englishNumber(m.text("n")), englishWeekday(m.text("days")))
		}),
		english(`(?:on )?(?:the )?(?P<n>{ord}|last)(?:,| and| &) ?(?:the )?(?P<o>{ord}|last) (?P<days>{wd})s?`, "ordinal", func(d *draft, m groups) {
			d.addOrdinal(englishNumber(m.text("n")), englishWeekday(m.text("days")))
			d.addOrdinal(englishNumber(m.text("o")), englishWeekday(m.text("days")))
		}),
		english(`(?:on )?(?:the )?(?:first|1st) day|(?:at )?(?:the )?(?:beginning|start)`, "monthday", flag(func(d *draft) { d.addMonthday(1) })),
		english(`(?:on )?(?:the )?last day|(?:at )?(?:the )?end`, "monthday", flag(func(d *draft) { d.days = append(d.days, "L") })).but(` of (?:the )?(?:day|week)`),
		english(`month[- ]end|eom`, "monthday", flag(func(d *draft) { d.days = append(d.days, "L"); d.recurring = true })),
		english(`(?:on )?(?:the )?(?:(?:second|2nd)(?: to)? last|penultimate|next to last) day`, "monthday", flag(func(d *draft) { d.days = append(d.days, "L-1") })),
		english(`(?:on )?(?:the )?last (?:working|business|work|week) ?day`, "monthday", flag(func(d *draft) { d.days = append(d.days, "LW") })),
		english(`(?:on )?(?:the )?(?:first|1st) (?:working|business|work|week) ?day`, "monthday", flag(func(d *draft) { d.days = append(d.days, "1W") })),
		english(`(?:on )?(?:the )?(?P<n>{ord})(?: day)?`, "monthday", func(d *draft, m groups) { d.addMonthday(englishNumber(m.text("n"))) }),
		english(`(?:on )?(?:the |from the )?(?P<n>{ord}) ?(?:-|to|through) ?(?:the )?(?P<o>{ord})`, "monthday", func(d *draft, m groups) {
			d.addMonthdays(englishNumber(m.text("n")), englishNumber(m.text("o")))
		}),
		english(`(?:on )?day (?P<n>\d{1,3})`, "monthday", func(d *draft, m groups) { d.addMonthday(englishNumber(m.text("n"))) }),
		english(`(?:(?:of|in) )?(?:the|each|every) month|of month|(?:of )?a month`, "monthly", flag(func(d *draft) { d.addEvery(1, month) })),
		english(`(?:(?:of|in) )?(?:the|each|every) quarter|(?:of )?a quarter`, "monthly", flag(func(d *draft) { d.recurring, d.quarter = true, true })),
		english(`(?:(?:of|in) )?(?:the|each|every) year`, "yearly", flag(func(d *draft) { d.addEvery(1, year) })),
		english(`(?P<mon>{mon}) (?:the )?(?P<day>\d{1,3}(?:st|nd|rd|th)?|{ord})(?:(?:,? )(?P<year>\d{4}))?`, "date", takeDate).but(`:\d| ?(?:{half}|o'clock)`),
		english(`(?:the )?(?P<day>\d{1,3}(?:st|nd|rd|th)?|{ord})(?: of)? (?P<mon>{mon})(?:(?:,? )(?P<year>\d{4}))?`, "date", takeDate).but(`(?:,| and|, and) ?{mon}\b(?:$|,| \D)`),
		english(`(?P<year>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<day>\d{1,2})t?`, "date", takeDate),
		read(`(?P<year>\d{4})-(?P<m>\d\d)-(?P<day>\d\d)t`, "date", takeDate),
		english(`(?P<day>\d{1,2})\.(?P<m>\d{1,2})\.(?P<year>\d{4})`, "date", takeDate),
		english(`(?P<a>\d{1,2})/(?P<b>\d{1,2})(?:/(?P<year>\d{4}))?`, "date", takeSlashes),
		english(`(?:on )?christmas(?: day)?`, "date", flag(func(d *draft) { d.addDate(0, 12, 25) })),
		english(`(?:on )?christmas eve`, "date", flag(func(d *draft) { d.addDate(0, 12, 24) })),
		english(`(?:on )?new year'?s(?: day)?`, "date", flag(func(d *draft) { d.addDate(0, 1, 1) })),
		english(`(?:on )?new year'?s eve`, "date", flag(func(d *draft) { d.addDate(0, 12, 31) })),
		english(`(?:in|of|(?P<each>every|each)) (?P<list>{mon}(?:(?:,| and|, and| or) ?{mon})*)`, "month", takeMonths).but(` ?(?:the )?(?:\d{1,2}(?:\D|$)|{ord})`),
		english(`(?:in|after) (?P<len>{len})(?:'? time)?`, "length", takeLength).but(` (?:before|after)\b`),
		english(`(?P<len>{len}) (?:from now|later|from today)`, "length", takeLength),
		english(`(?P<len>{len}) ago`, "length", flag(past)),
		english(`(?P<len>{len})`, "bare", func(d *draft, m groups) { d.measure(m.text("len")) }).but(` (?:before|after)\b`),
		english(`(?:in )?(?:a few|few|several|some|many) \w+|a while|soon|later|sometime|some time|some day|someday|eventually|whenever|one day|asap|as soon as possible|now and then|from time to time|occasionally|often|regularly|sometimes|frequently|periodically|every now and then|every so often|a little while`, "vague", flag(vague)),
		english(`(?:at )?(?:the )?(?:end of (?:the )?day|eod|close of business|cob|end of business)`, "vague", flag(func(d *draft) {
			d.fail(Vague, "When does the day end?", "一天几点结束？")
			d.suggest("today at 17:00", "today at 18:00", "今天17:00", "今天18:00")
		})),
		english(`end of (?:the )?week`, "vague", flag(func(d *draft) {
			d.fail(Vague, "Which day and time do you mean?", "是哪一天几点？")
			d.suggest("this Friday at 17:00", "every Friday at 17:00", "本周五17:00", "每周五17:00")
		})),
	}
}

var englishWeekdays = regexp.MustCompile(words.Replace(`{wd}`))

func englishWeekday(name string) int {
	return strings.Index("sunmontuewedthufrisat", name[:3]) / 3
}

func englishMonth(name string) int {
	return strings.Index("janfebmaraprmayjunjulaugsepoctnovdec", name[:3])/3 + 1
}

// addRange notes weekdays from one to another, over the weekend if need be.
func (d *draft) addRange(from, to int) {
	d.addWeekdays(to)
	for w := from; w != to; w = (w + 1) % 7 {
		d.addWeekdays(w)
	}
}

func (d *draft) addOrdinal(n, weekday int) {
	if n == 0 || n > 5 || n < -1 {
		d.fail(Impossible, "A month has at most five of a weekday.", "一个月最多有五个同样的星期几。")
		return
	}
	d.ordinals = append(d.ordinals, ordinal{n, weekday})
}

func past(d *draft) {
	d.fail(Past, "That is past.", "那已经过去了。")
	d.suggest("tomorrow at 09:00", "in 10 minutes", "明天上午九点", "10分钟后")
}

func vague(d *draft) {
	d.fail(Vague, "When exactly?", "具体是什么时候？")
	d.suggest("tomorrow at 09:00", "in 2 hours", "every Monday at 09:00", "明天上午九点", "两小时后", "每周一上午九点")
}

func takeDate(d *draft, m groups) {
	month := englishNumber(m.text("m"))
	if name := m.text("mon"); name != "" {
		month = englishMonth(name)
	}
	year := 0
	if m.text("year") != "" {
		year = englishNumber(m.text("year"))
	}
	d.addDate(year, month, englishNumber(m.text("day")))
}

// takeSlashes reads 24/12; 3/4 is March or April, depending on who writes.
func takeSlashes(d *draft, m groups) {
	a, b, year := number(m.text("a")), number(m.text("b")), 0
	if m.text("year") != "" {
		year = number(m.text("year"))
	}
	switch {
	case a > 12:
		d.addDate(year, b, a)
	case b > 12 || a == b:
		d.addDate(year, a, b)
	default:
		d.fail(Ambiguous, "Is that %d/%d with the month or with the day first?", "%d/%d 是月在前还是日在前？", a, b)
		if a >= 1 && b >= 1 && d.fault != nil {
			at := func(month, day int) string { return englishMonths[month] + " " + itoa(day) + " at 09:00" }
			d.suggest(at(a, b), at(b, a), itoa(a)+"月"+itoa(b)+"日上午九点", itoa(b)+"月"+itoa(a)+"日上午九点")
		}
	}
}

var englishMonthName = regexp.MustCompile(words.Replace(`{mon}`))

func takeMonths(d *draft, m groups) {
	d.recurring = d.recurring || m.text("each") != ""
	for _, name := range englishMonthName.FindAllString(m.text("list"), -1) {
		d.months |= 1 << englishMonth(name)
	}
}

func takeLength(d *draft, m groups) {
	d.measure(m.text("len"))
	d.after = true
}

var englishTerm = regexp.MustCompile(`(` + englishAmount + `)(` + englishUnit + `)( and a half)?`)

// englishHours are written in one: 1h30.
var englishHours = regexp.MustCompile(`^(\d+)h ?(\d+)(?:m|mins?)?$`)

// measure adds up the terms of a length of time.
func (d *draft) measure(text string) {
	text = englishHours.ReplaceAllString(text, "${1}h ${2}m")
	for _, m := range englishTerm.FindAllStringSubmatch(text, -1) {
		amount := englishAmountOf(m[1])
		if m[3] != "" {
			amount += 0.5
		}
		if amount <= 0 {
			d.fail(Impossible, "That is no length of time.", "这不是一段时间。")
			d.suggest("in 10 minutes", "10分钟后")
			return
		}
		if strings.HasPrefix(m[2], "f") {
			amount *= 2
		}
		d.addLength(amount, englishUnitOf(m[2]))
	}
}

func englishAmountOf(text string) float64 {
	text = strings.TrimRight(text, " -")
	if amount, err := strconv.ParseFloat(text, 64); err == nil {
		return amount
	}
	if whole, ok := strings.CutSuffix(text, " and a half"); ok {
		return float64(englishNumber(whole)) + 0.5
	}
	switch {
	case strings.HasPrefix(text, "half"):
		return 0.5
	case strings.HasSuffix(text, "quarter of an"):
		return 0.25
	}
	return float64(englishNumber(text))
}

// englishUnitOf reads a unit by its first letters. A fortnight does not come
// here as one: see its multiple in the rules.
func englishUnitOf(name string) unit {
	switch {
	case strings.HasPrefix(name, "mo"):
		return month
	case name[0] == 'm':
		return minute
	}
	return map[byte]unit{'s': second, 'h': hour, 'd': day, 'w': week, 'y': year, 'f': week}[name[0]]
}

func englishRepeats() []rule {
	return []rule{
		english(`every|each`, "every", flag(func(d *draft) { d.recurring = true })),
		english(`(?:(?:once )?(?:every(?: single)?|each|per)|once an?|an?) (?P<u>minute|hour|day|week|month|quarter|year|second)`, "repeat", func(d *draft, m groups) { d.repeat(1, m.text("u")) }),
		english(`(?:(?:once )?every|each) (?P<n>{num}|other|second|alternate|third|fourth|sixth|couple of|-\d+) (?P<u>minutes?|mins?|hours?|hrs?|days?|weeks?|months?|quarters?|years?|seconds?|secs?|weekdays?)`, "repeat", func(d *draft, m groups) {
			d.repeat(englishNumber(m.text("n")), strings.TrimSuffix(m.text("u"), "s"))
		}),
		english(`(?:(?:once )?every|each) (?P<n>\d{1,7}(?:st|nd|rd|th)) (?P<u>minute|hour|day|week|month|year)`, "repeat", func(d *draft, m groups) {
			d.repeat(englishNumber(m.text("n")), m.text("u"))
		}),
		english(`(?:(?:once )?every|each) (?P<len>{len})`, "repeat", takeEveryLength),
		english(`(?:every|each) (?:half[- ]an? hour|half[- ]hour)|half[- ]hourly`, "repeat", flag(func(d *draft) { d.addEvery(30, minute) })),
		english(`(?:every|each) hour and a half`, "repeat", flag(func(d *draft) { d.addEvery(90, minute) })),
		english(`every (?:quarter(?: of an|-)? ?hour)`, "repeat", flag(func(d *draft) { d.addEvery(15, minute) })),
		english(`every other|alternate`, "repeat", flag(func(d *draft) { d.addEvery(2, week) })).but(` (?:minute|hour|day|week|month|year)`),
		english(`every (?:second|2nd) (?P<w>{wd})`, "repeat", func(d *draft, m groups) {
			d.fail(Ambiguous, "Every other week, or the second one of each month?", "是每隔一周，还是每月第二个？")
			name := englishDayNames[englishWeekday(m.text("w"))]
			d.suggest("every other "+name+" at 09:00", "the second "+name+" of each month at 09:00", "每两周周一上午九点", "每月第二个周一上午九点")
		}).but(` (?:of|in)\b`),
		english(`minutely`, "repeat", flag(func(d *draft) { d.addEvery(1, minute) })),
		english(`hourly`, "repeat", flag(func(d *draft) { d.addEvery(1, hour) })),
		english(`daily|everyday`, "repeat", flag(func(d *draft) { d.addEvery(1, day) })),
		english(`nightly`, "repeat", flag(func(d *draft) { d.addEvery(1, day); d.part = night })),
		english(`weekly`, "repeat", flag(func(d *draft) { d.addEvery(1, week) })),
		english(`fortnightly|every fortnight|biweekly|bi-weekly`, "repeat", flag(func(d *draft) { d.addEvery(2, week) })),
		english(`monthly`, "repeat", flag(func(d *draft) { d.addEvery(1, month) })),
		english(`quarterly|every quarter|each quarter`, "repeat", flag(func(d *draft) { d.recurring, d.quarter = true, true })),
		english(`(?:yearly|annually)`, "repeat", flag(func(d *draft) { d.addEvery(1, year) })),
		english(`(?P<n>twice|two times|2x|three times|thrice|3x|four times|\d+ times) (?:a|per|each|every|an) (?P<u>minute|hour|day|week|month|year)|twice daily`, "repeat", takeTimes),
	}
}

// repeat notes "every N units".
func (d *draft) repeat(n int, name string) {
	switch {
	case strings.HasPrefix(name, "weekday"):
		d.fail(Ambiguous, "Which days are those?", "是哪几天？")
		d.suggest("every Monday, Wednesday and Friday at 09:00", "every other day at 09:00", "每周一、三、五上午九点", "每两天上午九点")
	case strings.HasPrefix(name, "quarter"):
		d.addEvery(n*3, month)
	default:
		d.addEvery(n, englishUnitOf(name))
	}
}

// takeEveryLength reads "every 90 minutes" and "every 1h30m".
func takeEveryLength(d *draft, m groups) {
	text := englishHours.ReplaceAllString(m.text("len"), "${1}h ${2}m")
	terms := englishTerm.FindAllStringSubmatch(text, -1)
	amount := englishAmountOf(terms[0][1])
	if u := englishUnitOf(terms[0][2]); len(terms) == 1 && terms[0][3] == "" && amount == float64(int(amount)) {
		if strings.HasPrefix(terms[0][2], "f") {
			amount *= 2
		}
		d.addEvery(int(amount), u)
		return
	}
	d.measure(m.text("len"))
	d.everyLength()
}

// everyLength repeats by the length that was read.
func (d *draft) everyLength() {
	d.recurring = true
	if d.length.months != 0 || d.length.days != 0 {
		d.fail(Ambiguous, "I can repeat by one unit, or by hours and minutes.", "请只用一个单位，或者小时加分钟。")
		d.suggest("every 36 hours", "every 2 days at 09:00", "每36小时", "每两天上午九点")
	}
	if s := d.length.seconds; s%60 == 0 {
		d.addEvery(int(s/60), minute)
	} else {
		d.addEvery(int(s), second)
	}
	d.length = length{}
}

// takeTimes reads "twice a day", of which the clock times must say when.
func takeTimes(d *draft, m groups) {
	u := day
	if name := m.text("u"); name != "" {
		u = englishUnitOf(name)
	}
	d.addEvery(1, u)
	n, _, _ := strings.Cut(m.text("n"), " ")
	d.times = map[string]int{"twice": 2, "two": 2, "2x": 2, "three": 3, "thrice": 3, "3x": 3, "four": 4, "": 2}[n]
	if d.times == 0 {
		d.times = max(number(n), 1)
	}
}
