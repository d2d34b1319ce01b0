package when

import (
	"regexp"
	"strconv"
	"strings"
)

func englishDays() []rule {
	return []rule{
		english(`(?:today|this) (?P<part>morning|afternoon|evening)`, "day", func(d *draft, m groups) {
			d.dayShift, d.today = some(0), true
			d.addPart(partOf(m), d.lastPiece == "clock")
		}),
		english(`tomorrow|tmrw|tmr|tomorow`, "day", flag(func(d *draft) { d.dayShift = some(1) })),
		english(`(?:the )?day after tomorrow`, "day", flag(func(d *draft) { d.dayShift = some(2) })),
		english(`(?:on )?(?:the )?next (?:working|business|work|week) ?day`, "day", flag(nextWorking)),
		english(`(?P<n>{num}|an?) weeks? from (?P<day>{wd}|tomorrow)`, "day", func(d *draft, m groups) {
			days := 1
			if name := m.text("day"); name != "tomorrow" {
				days = (englishWeekday(name) - int(d.now.Weekday()) + 7) % 7
			}
			d.dayShift = some(days + 7*englishNumber(m.text("n")))
		}),
		english(`yesterday|(?:the )?day before yesterday|last (?:week|month|year|night)`, "day", flag(past)),
	}
}

// englishWeekdayRules are for days of the week.
func englishWeekdayRules() []rule {
	return []rule{
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
		english(`(?:except|but(?: not)?|excluding|other than)(?: on| for)? (?P<days>{wd}s?(?:(?:,| and|, and| or) ?{wd}s?)*|weekends?)`, "weekday", func(d *draft, m groups) {
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
	}
}

// englishMonthdayRules are for weeks, months and days of months.
func englishMonthdayRules() []rule {
	return []rule{
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
		english(`(?:on )?(?:the )?(?:(?P<n>{ord})(?:[- ](?:to|from))?[- ](?:the[- ])?last|penultimate|next[- ]to[- ]last|last but one) (?P<days>{wd})s?`, "ordinal", func(d *draft, m groups) {
			n := 2 // the last but one
			if m.text("n") != "" {
				n = englishNumber(m.text("n"))
			}
			d.addOrdinal(-n, englishWeekday(m.text("days")))
		}),
		english(`(?:on )?(?:the )?(?:first|1st) day|(?:at )?(?:the )?(?:beginning|start)`, "monthday", flag(func(d *draft) { d.addMonthday(1) })),
		english(`(?:on )?(?:the )?last day|(?:at )?(?:the )?end`, "monthday", flag(func(d *draft) { d.days = append(d.days, "L") })).but(` of (?:the )?(?:day|week)`),
		english(`month[- ]end|eom`, "monthday", flag(func(d *draft) { d.days = append(d.days, "L"); d.recurring = true })),
		english(`(?:on )?(?:the )?(?:penultimate|next[- ]to[- ]last|last but one) day`, "monthday", flag(func(d *draft) { d.addLastDay(2) })),
		english(`(?:on )?(?:the )?(?P<n>{ord})(?:[- ](?:to|from))?[- ](?:the[- ])?last day`, "monthday", func(d *draft, m groups) {
			d.addLastDay(englishNumber(m.text("n")))
		}),
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
	}
}

// englishDateRules are for dates.
func englishDateRules() []rule {
	return []rule{
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
	}
}

// englishLengthRules are for lengths of time, and for what is no time at all.
func englishLengthRules() []rule {
	return []rule{
		english(`(?:in|after) (?P<len>{len})(?:'? time)?`, "length", takeLength).but(` (?:before|after)\b`),
		english(`(?P<len>{len}) (?:from now|later|from today)`, "length", takeLength),
		english(`(?P<len>{len}) ago`, "length", flag(past)),
		english(`(?:the )?(?:last|past|previous|preceding) {len}`, subject, filler),
		english(`(?:for|over|during) (?:the )?(?:next|coming) (?P<len>{len})`, "bound", func(d *draft, m groups) {
			d.lasting(func(b *draft) { b.measure(m.text("len")) })
		}),
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
	if n == 0 || n > 5 || n < -5 {
		d.fail(Impossible, "A month has at most five of a weekday.", "一个月最多有五个同样的星期几。")
		return
	}
	d.ordinals = append(d.ordinals, ordinal{n, weekday})
}

// nextWorking is the working day after today.
func nextWorking(d *draft) {
	shift := 1
	for today := dateOf(d.now); !working(today.AddDate(0, 0, shift)); {
		shift++
	}
	d.dayShift = some(shift)
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
	case d.lang == Chinese:
		d.addDate(year, a, b)
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
	d.oneLength()
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
	case strings.HasPrefix(text, "three quarters"):
		return 0.75
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
