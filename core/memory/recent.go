package memory

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// span is a stretch of time that a query names by how far it is from now. The
// zero span is none.
type span struct {
	from, to time.Time // to is not in it
}

func (s span) holds(at time.Time) bool { return !at.Before(s.from) && at.Before(s.to) }

// worth is the factor for a turn of a time, as with a period: in the span, or
// told of on the day after.
func (s span) worth(at time.Time) float64 {
	switch {
	case s == span{}:
		return 1
	case s.holds(at):
		return inPeriod
	case at.Before(s.to.AddDate(0, 0, 1)) && !at.Before(s.to):
		return afterPeriod
	}
	return 1
}

// phrase is a way to name a span. The groups of its pattern are handed to it.
type phrase struct {
	pattern *regexp.Regexp
	span    func(today time.Time, groups []string) span
}

// The days and numbers that phrases are made of.
const (
	weekdaysEn = `monday|tuesday|wednesday|thursday|friday|saturday|sunday`
	numbersEn  = `\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|a couple of|a few`
	unitsEn    = `day|week|month|year`
	numbersHan = `\d{1,3}|[一二两兩三四五六七八九十]`
	weekHan    = `(?:周|週|星期|礼拜|禮拜)`
)

// phrases are tried in this order; the first that fits counts.
var phrases = []phrase{
	{regexp.MustCompile(`(?i)\bday before yesterday\b|大?前天|一昨日`), func(today time.Time, g []string) span {
		if strings.HasPrefix(g[0], "大") {
			return days(today, -3, 1)
		}
		return days(today, -2, 1)
	}},
	{regexp.MustCompile(`(?i)\b(?:yesterday|last night)\b|昨[天日晚]`), func(today time.Time, _ []string) span { return days(today, -1, 1) }},
	{regexp.MustCompile(`(?i)\b(?:today|this (?:morning|afternoon|evening))\b|今[天日早晚]`), func(today time.Time, _ []string) span { return days(today, 0, 1) }},
	{regexp.MustCompile(`(?i)\b(` + numbersEn + `) (` + unitsEn + `)s? ago\b`), func(today time.Time, g []string) span { return ago(today, count(g[1]), g[2]) }},
	{regexp.MustCompile(`(` + numbersHan + `)\s*(?:个|個)?\s*(天|日|周|週|星期|礼拜|禮拜|月|年)(?:以)?前`), func(today time.Time, g []string) span { return ago(today, count(g[1]), unitOf(g[2])) }},
	{regexp.MustCompile(`(?i)\b(?:last|past) (` + numbersEn + `) (` + unitsEn + `)s?\b`), func(today time.Time, g []string) span { return since(today, count(g[1]), g[2]) }},
	{regexp.MustCompile(`最近(` + numbersHan + `)(?:个|個)?(天|日|周|週|星期|月|年)`), func(today time.Time, g []string) span { return since(today, count(g[1]), unitOf(g[2])) }},
	{regexp.MustCompile(`(?i)\b(last|this) (week|month|year)\b`), func(today time.Time, g []string) span {
		back := 0
		if strings.EqualFold(g[1], "last") {
			back = 1
		}
		return whole(today, back, strings.ToLower(g[2]))
	}},
	{regexp.MustCompile(`(上|这|這|本)个?個?` + weekHan + `([一二三四五六日天])`), func(today time.Time, g []string) span {
		week := days(monday(today), 0, 7)
		if g[1] == "上" {
			week = days(monday(today), -7, 7)
		}
		return days(week.from, weekdayHan(g[2]), 1)
	}},
	{regexp.MustCompile(`(上|这|這|本|先|今)(?:个|個)?(周|週|星期|礼拜|禮拜|月)`), func(today time.Time, g []string) span { return whole(today, past(g[1]), unitOf(g[2])) }},
	{regexp.MustCompile(`(去|昨|今)年`), func(today time.Time, g []string) span { return whole(today, past(g[1]), "year") }},
	{regexp.MustCompile(`(?i)\b(last |on |this |every |each |next )?(` + weekdaysEn + `)\b`), func(today time.Time, g []string) span {
		if strings.ContainsAny(g[1], "ex") { // every, each, next
			return span{}
		}
		return weekday(today, weekdayEn(g[2]), strings.EqualFold(strings.TrimSpace(g[1]), "last"))
	}},
	{regexp.MustCompile(weekHan + `([一二三四五六日天])`), func(today time.Time, g []string) span { return weekday(today, weekdayHan(g[1]), false) }},
}

// parseRecent reads the span that a query names relative to now, in whose
// location days begin and end.
func parseRecent(query string, now time.Time) span {
	p, groups := findPhrase(query)
	if groups == nil {
		return span{}
	}
	return p.span(time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location()), groups)
}

// findPhrase returns the phrase that a query holds, without groups for none.
func findPhrase(query string) (phrase, []string) {
	for _, p := range phrases {
		if g := p.pattern.FindStringSubmatch(query); g != nil {
			return p, g
		}
	}
	return phrase{}, nil
}

// days are n days that begin so many days from a day.
func days(day time.Time, from, n int) span {
	return span{day.AddDate(0, 0, from), day.AddDate(0, 0, from+n)}
}

// ago is what "n units ago" means: the day, and around it for longer ones.
func ago(today time.Time, n int, unit string) span {
	switch strings.ToLower(unit) {
	case "week":
		return days(today, -7*n-3, 7)
	case "month":
		return days(today.AddDate(0, -n, 0), -15, 31)
	case "year":
		return days(today.AddDate(-n, 0, 0), -183, 366)
	}
	return days(today, -n, 1)
}

// since is the last n units, today included.
func since(today time.Time, n int, unit string) span {
	tomorrow := today.AddDate(0, 0, 1)
	switch strings.ToLower(unit) {
	case "week":
		return span{today.AddDate(0, 0, -7*n), tomorrow}
	case "month":
		return span{today.AddDate(0, -n, 0), tomorrow}
	case "year":
		return span{today.AddDate(-n, 0, 0), tomorrow}
	}
	return span{today.AddDate(0, 0, -n), tomorrow}
}

// whole is a week, month or year of the calendar, so many before this one.
func whole(today time.Time, back int, unit string) span {
	switch unit {
	case "week":
		return days(monday(today), -7*back, 7)
	case "month":
		first := today.AddDate(0, 0, 1-today.Day())
		return span{first.AddDate(0, -back, 0), first.AddDate(0, 1-back, 0)}
	}
	first := today.AddDate(0, 0, 1-today.YearDay())
	return span{first.AddDate(-back, 0, 0), first.AddDate(1-back, 0, 0)}
}

// weekday is the latest one, from 0 for Monday: today too, unless it is to be
// before today.
func weekday(today time.Time, day int, before bool) span {
	back := (7 + mondayFirst(today) - day) % 7
	if back == 0 && before {
		back = 7
	}
	return days(today, -back, 1)
}

func mondayFirst(day time.Time) int { return (int(day.Weekday()) + 6) % 7 }

func monday(day time.Time) time.Time { return day.AddDate(0, 0, -mondayFirst(day)) }

func weekdayEn(name string) int {
	return strings.Index("mon tue wed thu fri sat sun", strings.ToLower(name[:3])) / 4
}

func weekdayHan(name string) int {
	if name == "天" {
		return 6
	}
	return strings.Index("一二三四五六日", name) / len("一")
}

// past is how many units before this one a word of Chinese or Japanese means.
func past(word string) int {
	if strings.Contains("上先去昨", word) {
		return 1
	}
	return 0
}

func unitOf(han string) string {
	switch han {
	case "天", "日":
		return "day"
	case "月":
		return "month"
	case "年":
		return "year"
	}
	return "week"
}

// count reads a small number in figures or words.
func count(s string) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	switch s = strings.ToLower(s); s {
	case "a", "an":
		return 1
	case "a couple of", "两", "兩":
		return 2
	case "a few":
		return 3
	}
	for n, word := range strings.Fields("one two three four five six seven eight nine ten") {
		if s == word {
			return n + 1
		}
	}
	return strings.Index("一二三四五六七八九十", s)/len("一") + 1
}
