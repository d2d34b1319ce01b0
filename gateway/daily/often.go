package daily

import (
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"

	"talaria/scheduler/when"
)

// errOnce: a briefing comes again and again.
var errOnce = errors.New("a briefing has more than one time")

// often reads when a briefing comes, and returns the phrase that says so in full:
// a time of day alone means each day. Errors are errOnce and those of package when.
func often(words string, zone *time.Location, now time.Time) (string, when.Schedule, error) {
	s, err := when.Parse(words, zone, now)
	if err == nil && s.Kind == when.Recurring {
		return words, s, nil
	}
	days := []string{"every day at ", "每天"}
	if strings.ContainsFunc(words, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		slices.Reverse(days)
	}
	for _, day := range days {
		each, failed := when.Parse(day+words, zone, now)
		if failed == nil && each.Kind == when.Recurring {
			return day + words, each, nil
		}
		if noTime(err) && !noTime(failed) {
			err = failed // "25" says nothing by itself
		}
	}
	if err == nil || noTime(err) {
		err = errOnce
	}
	return "", when.Schedule{}, err
}

// noTime reports whether a phrase was not understood for want of any time in it.
func noTime(err error) bool {
	u, ok := errors.AsType[*when.Unclear](err)
	return ok && u.Cause == when.NotATime
}
