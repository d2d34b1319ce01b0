package when

import (
	"regexp"
	"strings"
)

func chineseClocks() []rule {
	return []rule{
		read(chineseClock, "clock", func(d *draft, m groups) {
			if p := m.text("part"); p != "" {
				d.part = chinesePart(p)
			}
			d.addClock(d.chineseClock(m))
		}).but(`分钟`),
		read(`(?P<part>{段})?差(?P<m>{n}|一刻)分?(?:钟|到)?(?P<h>{n})点`, "clock", func(d *draft, m groups) {
			if p := m.text("part"); p != "" {
				d.part = chinesePart(p)
			}
			minutes := 15
			if m.text("m") != "一刻" {
				minutes = chineseNumber(m.text("m"))
			}
			hour := (chineseNumber(m.text("h")) + 23) % 24
			d.addClock(spoken{hour: hour, minute: 60 - minutes, exact: hour == 0})
		}),
		read(`早晚(?:各)?(?P<h>{n})点(?P<half>半)?`, "clock", func(d *draft, m groups) {
			c := d.chineseClock(m)
			c.part = morning
			d.addClock(c)
			c.part = night
			d.addClock(c)
		}),
		read(`(?P<list>(?:{n}[,和及])+)(?P<last>{n})(?:点钟|点整|点)`, "clock", func(d *draft, m groups) {
			for _, n := range chineseSplit(m.text("list") + m.text("last")) {
				d.addClock(spoken{hour: chineseNumber(n)})
			}
		}),
		read(`(?:这个|这|同一|此)(?:时候|时间|时)`, "clock", flag(sameTime)),
		read(`(?P<part>{段})`, "part", func(d *draft, m groups) { d.addPart(chinesePart(m.text("part")), true) }),
		read(`(?:从|在)?(?P<a>{段}?(?:{n}点(?:半|{n}分?)?|\d{1,2}:\d\d))(?:到|至|-|~)(?P<b>{段}?(?:{n}点(?:半|{n}分?)?|\d{1,2}:\d\d))(?:之间|期间)?`, "window", takeChineseWindow),
		read(`(?:从|在)?(?P<a>{n})(?:到|至|-|~)(?P<b>{n}点)(?:之间|期间)?`, "window", takeChineseWindow),
		read(`工作时间|上班时间|办公时间`, "window", flag(func(d *draft) {
			d.window = []spoken{{hour: 9, exact: true}, {hour: 17, exact: true}}
			d.addWeekdays(1, 2, 3, 4, 5)
		})),
		read(`整点`, "minute", flag(func(d *draft) { d.setMinute(0) })),
		read(`(?:每小时|每个小时)的?(?:第)?(?P<m>{n})分钟?|(?:每小时|每个小时)的?过?(?P<q>[一三])刻|(?:每小时|每个小时)的?半点`, "minute", func(d *draft, m groups) {
			d.addEvery(1, hour)
			switch {
			case m.text("m") != "":
				d.setMinute(chineseNumber(m.text("m")))
			case m.text("q") != "":
				d.setMinute(15 * chineseNumber(m.text("q")))
			default:
				d.setMinute(30)
			}
		}),
	}
}

// chineseClock reads what the clock pattern matched.
func (d *draft) chineseClock(m groups) spoken {
	if h := m.text("h2"); h != "" {
		c := spoken{hour: number(h), minute: number(m.text("m2"))}
		if m.text("part") == "" && d.part == "" {
			c.part = literal
		}
		return c
	}
	c := spoken{hour: chineseNumber(m.text("h"))}
	switch {
	case m.text("half") != "":
		c.minute = 30
	case m.text("q") != "":
		c.minute = 15 * chineseNumber(m.text("q"))
	case m.text("m") != "":
		c.minute = chineseNumber(m.text("m"))
	}
	c.exact = c.hour == 0
	return c
}

var chineseClockPattern = regexp.MustCompile(`^` + words.Replace(chineseClock))

// takeChineseWindow reads 早上九点到下午六点. The part of the day may be said of
// the beginning alone: 下午两点到四点.
func takeChineseWindow(d *draft, m groups) {
	a, partA, ok := d.chineseEnd(m.text("a"))
	b, partB, ok2 := d.chineseEnd(m.text("b"))
	if !ok || !ok2 {
		d.fail(Impossible, "There is no such time on the clock.", "没有这个时间。")
		return
	}
	from := a.meant(partA)
	to := b.meant(partB)
	if partB == "" && b.hour < 12 {
		for _, other := range []spoken{b.meant(partA), to, {hour: b.hour + 12, minute: b.minute, exact: true}} {
			if other.hour*60+other.minute > from.hour*60+from.minute && from.hour < 18 {
				to = other
				break
			}
		}
	}
	d.addWindow(from, to)
}

// meant settles a clock time by a part of the day, which may be empty.
func (c spoken) meant(p part) spoken {
	if c.hour > 24 || c.minute > 59 {
		return c
	}
	if c.part = p; p == "" {
		c.part = literal
	}
	settled, _ := c.settle()
	return spoken{hour: settled.hour, minute: settled.minute, exact: true}
}

// chineseEnd reads one end of a window.
func (d *draft) chineseEnd(text string) (spoken, part, bool) {
	if !strings.ContainsAny(text, "点:") {
		text += "点"
	}
	g := groups{chineseClockPattern, chineseClockPattern.FindStringSubmatch(text)}
	if g.texts == nil {
		return spoken{}, "", false
	}
	if p := g.text("part"); p != "" {
		return d.chineseClock(g), chinesePart(p), true
	}
	return d.chineseClock(g), "", true
}

func chinesePart(text string) part {
	switch text {
	case "凌晨":
		return dawn
	case "中午", "正午":
		return noon
	case "下午", "午后":
		return afternoon
	case "傍晚", "晚上", "晚间", "晚", "夜里", "夜间", "夜晚", "深夜", "夜":
		return night
	case "半夜", "午夜":
		return midnight
	}
	return morning
}

func chineseSplit(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune(",和及与", r) })
}

func chineseWeekday(r rune) int {
	switch r {
	case '日', '天', '7':
		return 0
	}
	if r >= '1' && r <= '6' {
		return int(r - '0')
	}
	return chineseDigits[r]
}
