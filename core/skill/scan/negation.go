package scan

import "slices"

// Who asks for something to be left undone ("never tell them") may be as
// hostile as who asks for a deed, so rules can ask for signs that are negated.

// How many words a negation reaches: forward from a "not" that stands before
// the verb, and back from one that stands behind it, as in German or Japanese.
const (
	negatesNext   = 5
	negatesBefore = 9
)

// doubled is within how many words a "not" turns a "without" round: "never pay
// without asking" asks for a question.
const doubled = 9

// negate marks the hits that a negation of their sentence turns round.
func (s *scanner) negate(u *unit) {
	not, after, nothing, without := s.book.sign("negation"), s.book.sign("not-after"), s.book.sign("nothing"), s.book.sign("without")
	if !u.has(not) && !u.has(after) && !u.has(nothing) && !u.has(without) {
		return
	}
	for _, n := range u.hits {
		switch {
		case n.sign == not && !s.insists(u, n):
			u.turn(true, func(h hit) bool { return h.start >= n.end && h.start-n.end <= negatesNext })
		case n.sign == after, n.sign == nothing:
			u.turn(true, func(h hit) bool { return h.start < n.start && n.start-h.end <= negatesBefore })
		}
	}
	for _, n := range u.hits {
		if n.sign == nothing {
			u.turn(true, func(h hit) bool { return h.start >= n.end && h.start-n.end <= negatesNext })
		}
		if n.sign == without {
			u.turn(!u.precedes(not, n, doubled), func(h hit) bool { return h.start >= n.end && h.start-n.end <= negatesNext })
		}
	}
}

// insists reports whether a negation is one of "do not forget", which negates
// nothing.
func (s *scanner) insists(u *unit, n hit) bool {
	insist := s.book.sign("insist")
	return slices.ContainsFunc(u.hits, func(h hit) bool { return h.sign == insist && h.start <= n.start && n.end <= h.end })
}

// forbids reports whether a sentence forbids something: "without it nothing
// works" does not.
func (s *scanner) forbids(u *unit) bool {
	not, without := s.book.sign("negation"), s.book.sign("without")
	return slices.ContainsFunc(u.hits, func(n hit) bool {
		return n.sign == not && !s.insists(u, n) && !slices.ContainsFunc(u.hits, func(w hit) bool { return w.sign == without && w.start == n.start })
	})
}

// precedes reports whether a sign stands before a hit, at most so many words.
func (u *unit) precedes(n sign, h hit, words int) bool {
	return slices.ContainsFunc(u.hits, func(o hit) bool {
		return o.sign == n && o.end <= h.start && h.start-o.end <= words
	})
}

// turn marks the hits that a negation reaches as negated, or not.
func (u *unit) turn(negated bool, reached func(hit) bool) {
	for i := range u.hits {
		if reached(u.hits[i]) {
			u.hits[i].negated = negated
		}
	}
}
