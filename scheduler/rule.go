package scheduler

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ruleNames are what Set understands, as people write them.
var ruleNames = []string{"overlap", "catch-up", "window", "jitter", "quiet", "limit", "until", "tools"}

// Set changes one rule by its name, from a value as people write it: overlap
// skip, queue or cancel; catch-up once, skip or all; window and jitter a
// duration; quiet 22:00-07:00; limit a number; until a date; tools names. "none"
// takes a rule back where that makes sense. The errors read as answers.
func (r *Rules) Set(name, value string) error {
	changed := *r
	if err := changed.set(name, strings.TrimSpace(value)); err != nil {
		return &BadRuleError{err.Error()}
	}
	*r = changed
	return nil
}

func (r *Rules) set(name, value string) error {
	none := value == "none" || value == ""
	var err error
	switch name {
	case "overlap":
		r.Overlap, err = oneOf(value, OverlapSkip, OverlapQueue, OverlapCancel)
	case "catch-up":
		r.CatchUp, err = oneOf(value, CatchUpOnce, CatchUpSkip, CatchUpAll)
	case "window":
		r.Window, err = length(value, none, 31*24*time.Hour)
	case "jitter":
		r.Jitter, err = length(value, none, time.Hour)
	case "quiet":
		r.Quiet, err = quiet(value, none)
	case "limit":
		if r.Limit, err = strconv.Atoi(value); none {
			r.Limit, err = 0, nil
		} else if err != nil || r.Limit < 1 {
			err = fmt.Errorf("%q is no number of runs", value)
		}
	case "until":
		if r.Until, err = time.Parse(time.DateOnly, value); none {
			r.Until, err = time.Time{}, nil
		} else if err != nil {
			err = fmt.Errorf("%q is no date; write it like 2027-03-31", value)
		} else {
			r.Until = r.Until.Add(24*time.Hour - time.Second)
		}
	case "tools":
		if r.Tools = words(value); none {
			r.Tools = nil
		}
	default:
		err = fmt.Errorf("there is no rule %q; the rules are %s", name, strings.Join(ruleNames, ", "))
	}
	return err
}

// BadRuleError is a rule that makes no sense, in words for the person.
type BadRuleError struct{ Text string }

// Error implements error.
func (e *BadRuleError) Error() string { return e.Text }

func oneOf[T ~string](value string, known ...T) (T, error) {
	if slices.Contains(known, T(value)) {
		return T(value), nil
	}
	var names []string
	for _, k := range known {
		names = append(names, string(k))
	}
	return known[0], fmt.Errorf("%q is none of %s", value, strings.Join(names, ", "))
}

func length(value string, none bool, most time.Duration) (time.Duration, error) {
	if none {
		return 0, nil
	}
	d, err := time.ParseDuration(value)
	if err != nil || d < 0 || d > most {
		return 0, fmt.Errorf("%q is no length of time up to %s; write it like 90s, 10m or 12h", value, most)
	}
	return d, nil
}

// quiet reads "22:00-07:00".
func quiet(value string, none bool) (Quiet, error) {
	if none {
		return Quiet{}, nil
	}
	from, to, ok := strings.Cut(value, "-")
	a, errFrom := time.Parse("15:04", strings.TrimSpace(from))
	b, errTo := time.Parse("15:04", strings.TrimSpace(to))
	if !ok || errFrom != nil || errTo != nil {
		return Quiet{}, fmt.Errorf("%q are no hours; write them like 22:00-07:00", value)
	}
	return Quiet{From: a.Hour()*60 + a.Minute(), To: b.Hour()*60 + b.Minute()}, nil
}

func words(value string) []string {
	return strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })
}

// Text says the rules in words, those that are not the default ones.
func (r Rules) Text() string {
	var out []string
	add := func(is bool, format string, args ...any) {
		if is {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	add(r.Overlap != OverlapSkip, "overlap: %s", r.Overlap)
	add(r.CatchUp != CatchUpOnce, "catch-up: %s", r.CatchUp)
	add(r.Jitter > 0, "jitter: up to %s", r.Jitter)
	add(r.Quiet.From != r.Quiet.To, "quiet: %02d:%02d-%02d:%02d", r.Quiet.From/60, r.Quiet.From%60, r.Quiet.To/60, r.Quiet.To%60)
	add(r.Limit > 0, "at most %d runs", r.Limit)
	add(!r.Until.IsZero(), "until %s", r.Until.Format(time.DateOnly))
	add(r.Tools != nil, "tools: %s", strings.Join(r.Tools, ", "))
	return strings.Join(out, "; ")
}
