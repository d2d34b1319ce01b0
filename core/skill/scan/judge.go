package scan

import (
	"slices"
	"strings"
)

// context is what the surroundings of a text say about how it is meant.
type context struct {
	warns   bool // it is shown as bad
	shows   bool // it is shown, told of, asked about
	hidden  bool // nobody who approves it sees it
	forbids bool // "never do this:"
}

func (c context) with(d context) context {
	return context{c.warns || d.warns, c.shows || d.shows, c.hidden || d.hidden, c.forbids || d.forbids}
}

// contextOf is what sentences say about what follows them.
func (s *scanner) contextOf(p part, units []unit) context {
	var c context
	leads := p.kind == title || strings.HasSuffix(strings.TrimSpace(p.text), ":") || strings.HasSuffix(strings.TrimSpace(p.text), "：")
	for _, u := range units {
		c.warns = c.warns || u.has(s.book.sign("frame"))
		c.shows = c.shows || u.has(s.book.sign("mention"))
		c.forbids = leads && u.has(s.book.sign("negation")) // the last sentence counts
	}
	return c
}

// judge applies the rules to each unit.
func (s *scanner) judge(units []unit, intro context) {
	for i := range units {
		if len(units[i].hits) == 0 {
			continue
		}
		for n := range s.book.rules {
			r := &s.book.rules[n]
			s.apply(&units[i], intro, r, r.when)
		}
	}
}

// judgePairs applies the rules that look at two sentences in a row.
func (s *scanner) judgePairs(units []unit, intro context) {
	for i := range units {
		s.suspect(&units[i], intro)
	}
	for i := 1; i < len(units); i++ {
		if len(units[i-1].hits)+len(units[i].hits) == 0 {
			continue
		}
		pair := unit{signs: units[i-1].signs, isCode: units[i].isCode}
		pair.hits = append(s.pair[:0], units[i-1].hits...)
		for _, h := range units[i].hits {
			h.start, h.end = h.start+maxSentence+1, h.end+maxSentence+1
			pair.hits = append(pair.hits, h)
			pair.signs.add(h.sign)
		}
		if !units[i].isCode && !units[i-1].isCode {
			s.suspect(&pair, intro)
		}
		pair.isCode = true // no window: two sentences are close enough
		for _, r := range s.book.pairs {
			s.apply(&pair, intro, r, r.near)
		}
		s.pair = pair.hits
	}
}

// apply notes what a rule finds in a unit by the first of its conditions that
// holds.
func (s *scanner) apply(u *unit, intro context, r *rule, conditions [][]term) {
	if r.only != "" && r.only != s.kind || u.signs.meets(&r.but) {
		return
	}
	for _, terms := range conditions {
		if match, ok := u.match(terms); ok && !(r.tight && spread(match)) {
			found := *r
			if s.excused(u, match, intro, r.anyway || asksOmission(terms)) {
				found.severity = Notice
			}
			s.find(found, match[0].line)
			return
		}
	}
}

// match returns hits for all terms that are close together.
func (u *unit) match(terms []term) ([]hit, bool) {
	for i := range terms {
		if !u.signs.meets(&terms[i].any) {
			return nil, false
		}
	}
	for _, first := range u.hits {
		if !terms[0].is(first) {
			continue
		}
		if match, ok := u.around(first, terms); ok {
			return match, true
		}
	}
	return nil, false
}

// around returns, for each term, the hit that is nearest to the first one's.
func (u *unit) around(first hit, terms []term) ([]hit, bool) {
	out := []hit{first}
	for _, t := range terms[1:] {
		best, found := hit{}, false
		for _, h := range u.hits {
			if t.is(h) && (!found || distance(first, h) < distance(first, best)) {
				best, found = h, true
			}
		}
		if !found || !u.isCode && distance(first, best) > reach {
			return nil, false
		}
		out = append(out, best)
	}
	return out, true
}

// asksOmission reports whether a condition asks for a "not" itself.
func asksOmission(terms []term) bool {
	return slices.ContainsFunc(terms, func(t term) bool { return t.negated })
}

// spread reports whether hits are in several lines.
func spread(match []hit) bool {
	return slices.ContainsFunc(match, func(h hit) bool { return h.line != match[0].line })
}

func distance(a, b hit) int { return max(a.start-b.end, b.start-a.end, 0) }

// excused reports whether a match is only told of: forbidden, shown as bad, or
// quoted where the text is about such things. Nothing hidden is excused, and
// where anyway is set nothing for being forbidden.
func (s *scanner) excused(u *unit, match []hit, intro context, anyway bool) bool {
	if intro.hidden || s.depth > 0 {
		return false
	}
	if intro.warns || u.has(s.book.sign("frame")) || !anyway && slices.ContainsFunc(match, func(h hit) bool { return h.denied }) {
		return true
	}
	shown := intro.shows || s.topic || u.has(s.book.sign("mention"))
	quoted := !slices.ContainsFunc(match, func(h hit) bool { return !h.quoted })
	marked := len(match) == 1 && match[0].sign == s.book.sign("fake-mark")
	if marked && match[0].quoted && shown {
		return true
	}
	if u.isCode && !u.isInline {
		return intro.forbids || intro.shows && s.topic
	}
	return quoted && (shown || intro.forbids)
}
