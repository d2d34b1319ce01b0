package scheduler

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ruleNames are what Set understands, as people write them.
var ruleNames = []string{"overlap", "catch-up", "window", "jitter", "quiet", "limit", "until", "tools", "skills", "model", "tokens"}

// Names lists what Desk.Set changes: a job's schedule, text and targets, and its
// rules.
func Names() []string { return append([]string{"when", "text", "to"}, ruleNames...) }

// Set changes one rule by its name, from a value as people write it: overlap
// skip, queue or cancel; catch-up once, skip or all; window and jitter a
// duration; quiet 22:00-07:00; limit a number; until a date; tools and skills names; model a name; tokens a number. "none"
// takes a rule back where that makes sense. The errors read as answers.
func (r *Rules) Set(name, value string) error {
	changed := *r
	if err := changed.set(name, strings.TrimSpace(value)); err != nil {
		return err
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
		r.Limit, err = number(value, none, 1)
	case "until":
		if r.Until, err = time.Parse(time.DateOnly, value); none {
			r.Until, err = time.Time{}, nil
		} else if err != nil {
			err = refused("%q is no date; write it like 2027-03-31", value)
		} else {
			r.Until = r.Until.Add(24*time.Hour - time.Second)
		}
	case "tools":
		r.Tools, err = names(value, none)
	case "skills":
		r.Skills, err = names(value, none)
	case "model":
		if r.Model = strings.Trim(value, "`"); none {
			r.Model = ""
		}
	case "budget":
		err = refused("I know no prices of models, so I can't keep to a budget in money. Tokens are what I can count: `tokens 20000`.")
	case "tokens":
		r.Tokens, err = number(value, none, LeastTokens)
	default:
		err = refused("there is no rule %q; the rules are %s", name, strings.Join(ruleNames, ", "))
	}
	return err
}

// AnswerError is a refusal in words for the person: an English format of package
// fmt, and what goes into it.
type AnswerError struct {
	Format string
	Args   []any
	Known  error // what it is an instance of, if anything
}

// Error is the answer in English.
func (e *AnswerError) Error() string { return fmt.Sprintf(e.Format, e.Args...) }

// Unwrap gives the error that it is an instance of.
func (e *AnswerError) Unwrap() error { return e.Known }

func refused(format string, args ...any) error { return &AnswerError{Format: format, Args: args} }

func oneOf[T ~string](value string, known ...T) (T, error) {
	if slices.Contains(known, T(value)) {
		return T(value), nil
	}
	var names []string
	for _, k := range known {
		names = append(names, string(k))
	}
	return known[0], refused("%q is none of %s", value, strings.Join(names, ", "))
}

func length(value string, none bool, most time.Duration) (time.Duration, error) {
	if none {
		return 0, nil
	}
	d, err := time.ParseDuration(value)
	if err != nil || d < 0 || d > most {
		return 0, refused("%q is no length of time up to %s; write it like 90s, 10m or 12h", value, most)
	}
	return d, nil
}

// LeastTokens is the smallest Use.Tokens: about what a prompt with tools takes
// by itself. With less, no run would come to an answer.
const LeastTokens = 2000

func number(value string, none bool, least int) (int, error) {
	if none {
		return 0, nil
	}
	n, err := strconv.Atoi(strings.NewReplacer(",", "", "_", "", " ", "").Replace(value))
	if err != nil || n < 1 {
		return 0, refused("%q is no number", value)
	}
	if n < least {
		return 0, refused("%d tokens are too few for a run; %d are the least", n, least)
	}
	return n, nil
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
		return Quiet{}, refused("%q are no hours; write them like 22:00-07:00", value)
	}
	return Quiet{From: a.Hour()*60 + a.Minute(), To: b.Hour()*60 + b.Minute()}, nil
}

func words(value string) []string {
	return strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })
}

// names reads a list of names, in code marks or without.
func names(value string, none bool) ([]string, error) {
	const most = 20
	list := words(strings.ReplaceAll(value, "`", ""))
	switch {
	case none:
		return nil, nil
	case len(list) == 0:
		return nil, refused("%q names nothing", value)
	case len(list) > most:
		return nil, refused("that names %d; a job takes at most %d", len(list), most)
	}
	return list, nil
}

// Text says the rules in words, those that are not the default ones.
func (r Rules) Text(t Tongue) string {
	var out []string
	add := func(is bool, format string, args ...any) {
		if is {
			out = append(out, t.Text(format, args...))
		}
	}
	add(r.Overlap != OverlapSkip, "overlap: %s", r.Overlap)
	add(r.CatchUp != CatchUpOnce, "catch-up: %s", r.CatchUp)
	add(r.Jitter > 0, "jitter: up to %s", r.Jitter)
	add(r.Quiet.From != r.Quiet.To, "quiet: %02d:%02d-%02d:%02d", r.Quiet.From/60, r.Quiet.From%60, r.Quiet.To/60, r.Quiet.To%60)
	add(r.Limit == 1, "a single run")
	add(r.Limit > 1, "at most %d runs", r.Limit)
	add(!r.Until.IsZero(), "until %s", r.Until.Format(time.DateOnly))
	add(r.Skills != nil, "skills: %s", strings.Join(r.Skills, ", "))
	add(r.Model != "", "model: %s", r.Model)
	add(r.Tokens > 0, "at most %d tokens a run", r.Tokens)
	add(r.Tools != nil, "tools: %s", strings.Join(r.Tools, ", "))
	return strings.Join(out, t.Text("; "))
}
