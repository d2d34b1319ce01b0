package when

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

// Find takes a schedule out of a sentence: "remind me every Friday at 5 pm to
// send the report". What remains, without the words that ask for a reminder, is
// the task. It is not ok where there is no schedule, or none that is clear; what
// is unclear about it, [Parse] of the sentence may tell.
func Find(text string, zone *time.Location, now time.Time) (s Schedule, rest string, ok bool) {
	r := reader{lang: Language(text), zone: zone, now: now.In(zone)}
	if len(text) > longestPhrase {
		return Schedule{}, "", false
	}
	f := fold(text)
	all := runs(f.text, scan(f.text, false))
	if len(all) == 0 {
		return Schedule{}, "", false
	}
	s, used, unclear := r.best(all)
	if unclear != nil {
		return Schedule{}, "", false
	}
	return s, task(text, f, used), true
}

// best is the first run that is a schedule, with runs behind it that it needs:
// "every Friday, remind me at 5 pm". The error is that of the first run.
func (r reader) best(all []run) (Schedule, []run, *Unclear) {
	var first *Unclear
	for i := range all {
		if all[i].loose() && slices.ContainsFunc(all[i+1:], run.clocked) {
			continue
		}
		s, u := r.run(all[i])
		if u == nil && !all[i].onlyClock() {
			return s, all[i : i+1], nil
		}
		if first == nil {
			first = u
		}
		if u != nil && u.Cause != Vague && u.Cause != NotATime {
			continue
		}
		if joined, used, ok := r.joined(all, i); ok {
			return joined, used, nil
		}
		if u == nil {
			return s, all[i : i+1], nil
		}
	}
	return Schedule{}, nil, first
}

// joined adds one later run to a run.
func (r reader) joined(all []run, i int) (Schedule, []run, bool) {
	for j := i + 1; j < len(all); j++ {
		both := append(append(run{}, all[i]...), all[j]...)
		if s, u := r.run(both); u == nil {
			return s, []run{all[i], all[j]}, true
		}
	}
	return Schedule{}, nil, false
}

// loose tells a mere name of a clock time, which may belong to the task: "the
// noon meeting tomorrow at 10".
func (r run) loose() bool {
	said := slices.DeleteFunc(slices.Clone(r), piece.filler)
	return len(said) == 1 && slices.Contains([]string{"noon", "midday", "midnight", "中午"}, said[0].groups.texts[0])
}

// clocked tells a run that says a clock time.
func (r run) clocked() bool {
	return slices.ContainsFunc(r, func(p piece) bool { return p.rule.kind == "clock" })
}

// onlyClock tells a run that names no day.
func (r run) onlyClock() bool {
	for _, p := range r {
		if k := p.rule.kind; k != "" && k != "clock" && k != "part" && k != "zone" {
			return false
		}
	}
	return true
}

var (
	asking   = regexp.MustCompile(`(?i)^(?:[\s,;:，、：。]*(?:please|can you|could you|would you|hey|so|and))*[\s,]*(?:remind|ping|notify|alert|nudge|wake)\s+(?:me|us)\b(?:\s+up\b)?[\s,:]*(?:to\b|that\b|about\b|of\b)?|^[\s，,]*(?:请|麻烦|帮我|你)*(?:提醒|通知|叫|喊)(?:一下)?(?:我们|我|大家)?(?:去|要|记得)?`)
	leading  = regexp.MustCompile(`(?i)^[\s,;:.，、：。；-]*(?:(?:to|that|please|请)\b)?[\s,;:，、：]*`)
	trailing = regexp.MustCompile(`(?i)[\s,;:，、：；-]+(?:(?:on|at|every|the|for|and)\b)?[\s,;:，、：；]*$`)
)

// task is the text without the runs and without the words that ask.
func task(text string, f folded, used []run) string {
	var left []string
	at := 0
	for _, r := range used {
		left = append(left, text[at:f.origin[r.from()]])
		at = f.origin[r.to()]
	}
	left = append(left, text[at:])
	joint := " "
	if Language(text) == Chinese {
		joint = ""
	}
	rest := ""
	for _, part := range left {
		part = strings.TrimSpace(part)
		if rest != "" && part != "" {
			rest += joint
		}
		rest += part
	}
	rest = asking.ReplaceAllString(strings.TrimSpace(rest), "")
	rest = leading.ReplaceAllString(rest, "")
	return strings.TrimSpace(trailing.ReplaceAllString(rest+" ", ""))
}
