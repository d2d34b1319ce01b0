package when

import (
	"regexp"
	"strings"
	"time"
)

func englishClocks() []rule {
	return []rule{
		english(`(?:at |@ ?)?(?P<h>\d{1,2})[:h](?P<m>\d\d)(?::\d\d)?(?: ?(?P<half>{half}))?`, "clock", takeDigits),
		english(`(?:at |@ ?)?(?P<h>\d{1,2})\.(?P<m>\d\d) ?(?P<half>{half})|(?:at|@) ?(?P<h2>\d{1,2})\.(?P<m2>\d\d)`, "clock", takeDigits),
		english(`(?:at |@ ?)?(?P<h>{hr}) ?(?P<half>{half})`, "clock", takeBare),
		english(`(?:at |@ ?)?(?P<h>{hr}) ?o'?clock(?: ?(?P<half>{half}))?`, "clock", takeBare),
		english(`(?:at )?(?P<h>{hr}) (?:in the (?P<part>morning|afternoon|evening)|at night)`, "clock", func(d *draft, m groups) {
			d.addClock(spoken{hour: englishNumber(m.text("h")), part: partOf(m)})
		}),
		english(`at (?P<h>\d\d)h`, "clock", takeBare),
		english(`(?P<h>\d\d)h`, "clock", takeBare).following("weekday"),
		english(`(?:at|@) ?(?P<h>{hr})`, "clock", takeBare).but(` ?(?:{unit}|percent|past|to (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d)|-?(?:st|nd|rd|th)\b|people|minutes)`),
		english(`(?:at )?(?P<h>\d\d)(?P<m>\d\d) ?(?:hours|hrs)`, "clock", takeDigits),
		english(`at (?P<h>[01]\d|2\d)(?P<m>\d\d)`, "clock", takeDigits).but(`[:/-]`),
		english(`(?P<h>0\d)(?P<m>[0-5]\d)`, "clock", takeDigits).but(`[:/.-]`),
		english(`(?:,|and|&|, and) ?(?:at )?(?P<h>\d{1,2})`, "clock", takeBare).following("clock").but(`[:\d点时号日月分小个]| ?(?:{half}|{unit}|st\b|nd\b|rd\b|th\b|o'clock|{mon})`),
		english(`(?:at )?half past (?P<h>{oclock})(?: ?(?P<half>{half}))?`, "clock", func(d *draft, m groups) { d.takePast(m, 30) }),
		english(`(?:at )?half (?P<h>{hr})(?: ?(?P<half>{half}))?`, "clock", func(d *draft, m groups) { d.takePast(m, 30) }).but(` ?{unit}`),
		english(`(?:at )?(?:a )?quarter past (?P<h>{oclock})(?: ?(?P<half>{half}))?`, "clock", func(d *draft, m groups) { d.takePast(m, 15) }),
		english(`(?:at )?(?:a )?quarter (?:to|of|before) (?P<h>{oclock})(?: ?(?P<half>{half}))?`, "clock", func(d *draft, m groups) { d.takePast(m, -15) }),
		english(`(?:at )?(?P<m>{num}|a)(?: minutes?)? (?:past|after) (?P<h>{oclock})(?: ?(?P<half>{half}))?`, "clock",
			func(d *draft, m groups) { d.takePast(m, englishNumber(m.text("m"))) }),
		english(`(?:at )?(?:(?P<m>{num}|a) minutes?|(?P<n>\d?[05]|five|ten|twenty(?:[- ]five)?)) (?:to|before) (?P<h>{oclock})(?: ?(?P<half>{half}))?`, "clock",
			func(d *draft, m groups) { d.takePast(m, -englishNumber(m.text("m")+m.text("n"))) }),
		english(`(?:at )?(?P<h>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)[- ](?P<m>oh five|five|ten|fifteen|twenty|twenty[- ]five|thirty|thirty[- ]five|forty|forty[- ]five|fifty|fifty[- ]five)(?: ?(?P<half>{half}))?`, "clock", func(d *draft, m groups) {
			minute := englishNumber(strings.TrimPrefix(m.text("m"), "oh "))
			d.addClock(d.half(spoken{hour: englishNumber(m.text("h")), minute: minute}, m.text("half")))
		}),
		english(`(?:at )?(?:this|the same|same) time`, "clock", flag(sameTime)),
		english(`(?:at )?(?:12 )?(?:noon|midday)`, "clock", flag(func(d *draft) { d.addClock(spoken{hour: 12, exact: true}) })),
		english(`(?:at )?(?:12 )?midnight`, "clock", flag(func(d *draft) { d.addClock(spoken{hour: 12, part: midnightOf(d)}) })),
	}
}

// englishPartRules are for parts of the day, spans of it, and minutes of the hour.
func englishPartRules() []rule {
	return []rule{
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
		english(`(?:at )?(?:a )?(?P<p>quarter past|half past|quarter to)(?: the hour)?`, "minute", func(d *draft, m groups) {
			d.setMinute(map[string]int{"quarter past": 15, "half past": 30, "quarter to": 45}[m.text("p")])
		}).following("repeat"),
		english(`(?:at )?minute (?P<m>{num})`, "minute", func(d *draft, m groups) { d.setMinute(englishNumber(m.text("m"))) }).following("repeat"),
		english(`on the hour`, "minute", flag(func(d *draft) { d.setMinute(0) })),
		english(`on the half[- ]hour`, "minute", flag(func(d *draft) { d.setMinute(30) })),
		read(`(?P<at>\d{4}-\d\d-\d\d[t ]\d\d:\d\d(?::\d\d)?(?:\.\d{1,9})?)(?P<zone>z|[+-]\d\d:?\d\d)`, "instant", takeInstant),
	}
}

// sameTime is the time that it is now.
func sameTime(d *draft) {
	d.addClock(spoken{hour: d.now.Hour(), minute: d.now.Minute(), exact: true})
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
	c := d.half(spokenHour(m.text("h")), m.text("half"))
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

// spokenHour is a full hour by its number or name.
func spokenHour(text string) spoken {
	switch text {
	case "noon", "midday":
		return spoken{hour: 12, exact: true}
	case "midnight":
		return spoken{exact: true}
	}
	return spoken{hour: englishNumber(text)}
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
	if c := spokenHour(text); c.exact {
		return c
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
