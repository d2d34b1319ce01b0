package when

import (
	"strings"
)

func englishRepeats() []rule {
	return []rule{
		english(`every|each`, "every", flag(func(d *draft) { d.recurring = true })),
		english(`(?:(?:once )?(?:every(?: single)?|each|per)|once an?|an?) (?P<u>minute|hour|day|week|month|quarter|year)`, "repeat", func(d *draft, m groups) { d.repeat(1, m.text("u")) }),
		english(`(?:(?:once )?(?:every(?: single)?|each|per)|once an?|an?) second`, "repeat", flag(func(d *draft) { d.addEvery(1, second) })).but(`[- ](?:{wd}|last|to|from|day|working|business|work ?day|week ?day)`),
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
		english(`every other|alternate`, "repeat", flag(func(d *draft) { d.addEvery(2, week) })).but(` (?:minute|hour|day|week|month|year)| ?$`),
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
		english(`semi-?monthly|(?P<n>twice|two times|2x|three times|thrice|3x|four times|\d+ times) (?:a|per|each|every|an) (?P<u>minute|hour|day|week|month|year)|twice daily`, "repeat", takeTimes),
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
	if strings.HasPrefix(m.texts[0], "semi") {
		u = month
	}
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
