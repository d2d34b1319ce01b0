package memory

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// period is a day, month or year that a query names; zero parts are not named.
type period struct {
	year, day int
	month     time.Month
}

// What it is worth that a turn is of the period that a query names, and that it
// follows it closely: people also tell of things soon after.
const (
	inPeriod    = 2.0
	afterPeriod = 1.4
)

const monthNames = `(?i:january|february|march|april|june|july|august|september|october|november|december|` +
	`jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)|May|MAY|(?i:in|since|of|last|\d) may`

var (
	isoDate  = regexp.MustCompile(`\b((?:19|20)\d\d)-(\d{1,2})(?:-(\d{1,2}))?\b`)
	hanDate  = regexp.MustCompile(`(?:((?:19|20)\d\d)\s*年)?\s*(?:(\d{1,2})\s*月)?(?:\s*(\d{1,2})\s*[日号號])?`)
	yearName = regexp.MustCompile(`\b(?:19|20)\d\d\b`)
	month    = regexp.MustCompile(`\b(?:` + monthNames + `)\b`)
	dayMonth = regexp.MustCompile(`\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? (?:` + monthNames + `)\b`)
	monthDay = regexp.MustCompile(`\b(?:` + monthNames + `) (\d{1,2})(?:st|nd|rd|th)?\b`)
)

// parsePeriod reads the date, month or year that a query names, if it does.
func parsePeriod(query string) period {
	if m := isoDate.FindStringSubmatch(query); m != nil {
		return periodOf(m[1], m[2], m[3])
	}
	for _, m := range hanDate.FindAllStringSubmatch(query, -1) {
		if m[1] != "" || m[2] != "" {
			return periodOf(m[1], m[2], m[3])
		}
	}
	p := periodOf(yearName.FindString(query), "", "")
	name := month.FindString(query)
	if name == "" {
		return p
	}
	p.month = monthOf(name)
	for _, re := range []*regexp.Regexp{dayMonth, monthDay} {
		if m := re.FindStringSubmatch(query); m != nil {
			p.day, _ = strconv.Atoi(m[1])
		}
	}
	return p
}

func periodOf(year, month, day string) period {
	var p period
	p.year, _ = strconv.Atoi(year)
	m, _ := strconv.Atoi(month)
	if m < 1 || m > 12 {
		return p
	}
	p.month = time.Month(m)
	p.day, _ = strconv.Atoi(day)
	return p
}

// monthOf is the month that a name, or the last word of it, begins.
func monthOf(name string) time.Month {
	words := strings.Fields(strings.ToLower(name))
	last := words[len(words)-1]
	for m := time.January; m <= time.December; m++ {
		if strings.HasPrefix(strings.ToLower(m.String()), last[:3]) {
			return m
		}
	}
	return 0
}

// worth is the factor for a turn of a time.
func (p period) worth(at time.Time) float64 {
	switch {
	case p == period{}:
		return 1
	case p.holds(at):
		return inPeriod
	}
	behind := []int{1, 2, 5} // days
	if p.day == 0 {
		behind = []int{20}
	}
	for _, days := range behind {
		if p.month != 0 && p.holds(at.AddDate(0, 0, -days)) {
			return afterPeriod
		}
	}
	return 1
}

func (p period) holds(at time.Time) bool {
	return (p.year == 0 || at.Year() == p.year) && (p.month == 0 || at.Month() == p.month) && (p.day == 0 || at.Day() == p.day)
}

// span is the period as a stretch of time in a zone; none where it has no year,
// or no month.
func (p period) span(zone *time.Location) span {
	switch {
	case p.year == 0 || p.month == 0:
		return span{}
	case p.day == 0:
		return span{time.Date(p.year, p.month, 1, 0, 0, 0, 0, zone), time.Date(p.year, p.month+1, 1, 0, 0, 0, 0, zone)}
	}
	return days(time.Date(p.year, p.month, p.day, 0, 0, 0, 0, zone), 0, 1)
}
