package when

import (
	"slices"
	"strings"
)

// clauses takes a run apart where days and times come by turns: "every Monday at
// 9 and every Friday at 10". It is nil where there is only one clause.
func (r run) clauses() []run {
	var shape strings.Builder
	var starts []int // of days or times
	for i, p := range r {
		turn := turnOf(p.rule.kind)
		if turn == 'x' {
			break
		}
		if turn != 0 && !strings.HasSuffix(shape.String(), string(turn)) {
			shape.WriteRune(turn)
			starts = append(starts, i)
		}
	}
	if shape.Len() < 4 || shape.Len()%2 != 0 {
		return nil
	}
	var all []run
	for i := 0; i < len(starts); i += 2 {
		end := len(r)
		if i+2 < len(starts) {
			end = starts[i+2]
		}
		all = append(all, r[starts[i]:end])
	}
	return all
}

// turnOf is d for days, t for times, 0 for what can stand in either, and x for
// what belongs to a whole phrase.
func turnOf(kind string) rune {
	switch kind {
	case "clock", "window":
		return 't'
	case "", "part", "zone":
		return 0
	case "every", "repeat", "weekday", "ordinal", "monthday", "monthly", "yearly", "date", "month", "day", "week":
		return 'd'
	}
	return 'x'
}

// clauses makes one schedule of several that repeat by lines. They share a zone.
func (r reader) clauses(all []run) (Schedule, *Unclear) {
	joined, recurring := Schedule{}, false
	zones := slices.DeleteFunc(slices.Concat(all...), func(p piece) bool { return p.rule.kind != "zone" })
	for i, clause := range all {
		d := append(slices.Clone(zones), clause...).draft(r.draft())
		d.recurring = d.recurring || recurring // "every Monday at 9 and Friday at 10"
		recurring = d.recurring
		s, u := d.schedule()
		if u != nil {
			return Schedule{}, u
		}
		if s.Cron == nil || s.Step.N > 0 || !s.From.IsZero() || !s.Until.IsZero() {
			return Schedule{}, r.several()
		}
		if i > 0 {
			s.Cron = append(joined.Cron, s.Cron...)
		}
		joined = s
	}
	return joined, nil
}
