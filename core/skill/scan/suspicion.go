package scan

import (
	"cmp"
	"math/bits"
	"slices"
)

// Rules know what certain signs mean together; an attack in words of its own
// has some of the signs and not all. So signs have weights too, and enough
// weight in two neighbouring sentences is a warning.
var ruleSum = rule{id: "sum.suspicion", severity: Warning, message: "Several things in it, none of which is wrong alone, are typical of attacks."}

// The weight from which a text is suspicious. A statement to be remembered is
// one sentence and acts for ever, so less is enough.
const (
	enough       = 7
	enoughMemory = 5
	fewest       = 3 // signs
)

// manyParts is from how many parts on a document needs more weight: in a long
// one, signs stand together by chance. It needs one more with every doubling.
const manyParts = 32

// suspect sums up the signs of two sentences in a row.
func (s *scanner) suspect(u *unit, intro context) {
	if len(u.hits) < fewest {
		return
	}
	least := enough + bits.Len(uint(s.length/manyParts))
	if s.kind == Memory {
		least = enoughMemory
	} else if s.topic && u.has(s.book.sign("mention")) {
		least *= 2 // who looks for attacks names what they consist of
	}
	if slices.ContainsFunc(s.book.explain, u.has) || u.isCode || intro.warns || intro.forbids || u.has(s.book.sign("frame")) {
		return
	}
	shown := intro.shows || s.topic || u.has(s.book.sign("mention"))
	counted := s.telling(u, shown)
	sum := 0
	for _, h := range counted {
		sum += s.book.weights[h.sign]
	}
	if sum >= least && len(counted) >= fewest {
		s.find(ruleSum, counted[0].line)
	}
}

// telling are the hits with weight, each sign and each word once, the
// weightiest first. What is negated does not count, nor what is quoted where
// such things are shown.
func (s *scanner) telling(u *unit, shown bool) []hit {
	hits := slices.DeleteFunc(slices.Clone(u.hits), func(h hit) bool {
		return s.book.weights[h.sign] == 0 || h.denied || h.negated || h.quoted && shown
	})
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(s.book.weights[b.sign], s.book.weights[a.sign]) })
	var out []hit
	for _, h := range hits {
		taken := slices.ContainsFunc(out, func(o hit) bool {
			return o.sign == h.sign || h.start < o.end && o.start < h.end
		})
		if !taken {
			out = append(out, h)
		}
	}
	return out
}
