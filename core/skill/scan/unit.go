package scan

import (
	"math/bits"
	"slices"
)

// hit is a sign found in a text.
type hit struct {
	sign       sign
	start, end int // words
	line       int
	quoted     bool
	denied     bool // a "never" or "do not" stands before it
	negated    bool // so does any "not", or one follows as in German; a double one is none
}

// unit is what rules look at in one go: a sentence, or a block of code.
type unit struct {
	hits     []hit
	signs    set
	isCode   bool
	isInline bool // a command within prose
}

// set is a set of signs.
type set [7]uint64

func (s *set) add(n sign)      { s[n>>6] |= 1 << (n & 63) }
func (s *set) has(n sign) bool { return s[n>>6]&(1<<(n&63)) != 0 }

func (s *set) drop(n sign) { s[n>>6] &^= 1 << (n & 63) }

func (s *set) meets(o *set) bool {
	return s[0]&o[0]|s[1]&o[1]|s[2]&o[2]|s[3]&o[3]|s[4]&o[4]|s[5]&o[5]|s[6]&o[6] != 0
}

func (u *unit) has(n sign) bool { return u.signs.has(n) }

// maxSame bounds how often a sign counts in a unit, so that judging a unit
// stays cheap whatever it holds.
const maxSame = 8

// add notes a hit.
func (u *unit) add(h hit) {
	if u.has(h.sign) && u.count(h.sign) >= maxSame {
		return
	}
	u.signs.add(h.sign)
	u.hits = append(u.hits, h)
}

func (u *unit) count(n sign) int {
	c := 0
	for _, h := range u.hits {
		if h.sign == n {
			c++
		}
	}
	return c
}

// reach is how many words the signs of a rule may be apart.
const reach = 22

// prose makes units of the sentences of a part.
func (s *scanner) prose(p part) []unit {
	words := s.words(s.sentenceWords[:0], p.text, p.line)
	s.sentenceWords = words
	var out []unit
	var firsts []int // lines
	for start := 0; start < len(words); {
		end := start
		for end < len(words)-1 && !words[end].ends && end-start < maxSentence {
			end++
		}
		u := s.sentence(words[start : end+1])
		out, firsts = append(out, u), append(firsts, words[start].line)
		start = end + 1
	}
	s.mark(p, out, firsts)
	sentences := out
	for _, c := range commandLines(p) {
		out = append(out, s.commandUnit(c, near(sentences, firsts, c.line)))
	}
	return out
}

// near are the sentences that a line may belong to.
func near(sentences []unit, firsts []int, line int) []unit {
	to := len(firsts)
	for to > 0 && firsts[to-1] > line {
		to--
	}
	from := to
	for from > 0 && firsts[from-1] == line {
		from--
	}
	return sentences[max(min(from, to-1), 0):to]
}

// tell adds a sign to all units.
func (s *scanner) tell(units []unit, name string) {
	for i := range units {
		units[i].add(hit{sign: s.book.sign(name)})
	}
}

// maxSentence bounds a sentence, in words.
const maxSentence = 120

func (s *scanner) sentence(words []word) unit {
	u := unit{hits: s.hits[:0]}
	s.lookUp(words, &u, false)
	s.hits = u.hits
	if len(u.hits) == 0 {
		return unit{}
	}
	s.deny(&u)
	s.negate(&u)
	s.unframe(&u)
	slices.SortStableFunc(u.hits, func(a, b hit) int { return a.start - b.start })
	u.hits = slices.Clone(u.hits)
	return u
}

// lookUp adds the hits of all phrases in the words.
func (s *scanner) lookUp(words []word, u *unit, isCode bool) {
	for i := range words {
		s.addresses(words[i], i, u)
		if words[i].mails && !isCode {
			u.add(hit{sign: s.book.sign("mailbox"), start: i, end: i + 1, line: words[i].line, quoted: words[i].quoted})
		}
		if isAddress(words, i) {
			u.add(hit{sign: s.book.sign("ip"), start: i, end: i + 4, line: words[i].line, quoted: words[i].quoted})
		}
		if words[i].inURL && !isCode {
			continue
		}
		for _, next := range words[i].begins {
			s.arrive(next, words, i, i, u, isCode)
		}
	}
}

// each calls do with what stands behind a word in the phrases that go on with it.
func (n *node) each(w string, do func(*node)) {
	if next := n.words[w]; next != nil {
		do(next)
	}
	for lengths := n.lengths & (uint64(1)<<min(len(w)+1, 64) - 1); lengths != 0; lengths &= lengths - 1 {
		if next := n.stems[w[:bits.TrailingZeros64(lengths)]]; next != nil {
			do(next)
		}
	}
}

// arrive notes the signs of a phrase that ends at word i, and goes on.
func (s *scanner) arrive(at *node, words []word, start, i int, u *unit, isCode bool) {
	signs := at.prose
	if isCode {
		signs = at.code
	}
	for _, n := range signs {
		quoted := true
		for _, w := range words[start : i+1] {
			quoted = quoted && w.quoted
		}
		u.add(hit{sign: n, start: start, end: i + 1, line: words[start].line, quoted: quoted})
	}
	if i+1 < len(words) {
		at.each(words[i+1].text, func(next *node) { s.arrive(next, words, start, i+1, u, isCode) })
	}
}

// deny marks what stands close behind a "never" that is not part of it.
func (s *scanner) deny(u *unit) {
	not := s.book.sign("negation")
	for _, n := range u.hits {
		if n.sign != not || slices.ContainsFunc(u.hits, func(h hit) bool { return s.takes(h, n) }) {
			continue
		}
		for i, h := range u.hits {
			u.hits[i].denied = h.denied || h.sign != not && h.start >= n.end && h.start-n.end <= denied
		}
	}
}

// unframe drops the words of warning that are negated or part of something
// else: "so that nobody becomes suspicious" warns of nothing.
func (s *scanner) unframe(u *unit) {
	frame := s.book.sign("frame")
	kept, found := u.hits[:0], false
	for _, h := range u.hits {
		inner := h.sign == frame && slices.ContainsFunc(u.hits, func(o hit) bool {
			longer := o.sign != frame && o.start <= h.start && h.end <= o.end && o.end-o.start > h.end-h.start
			return longer || o.sign == s.book.sign("negation") && o.end == h.start
		})
		if !inner {
			kept = append(kept, h)
			found = found || h.sign == frame
		}
	}
	u.hits = kept
	if !found {
		u.signs.drop(frame)
	}
}

// takes reports whether a negation is part of a longer phrase, as in "do not
// tell", and denies nothing else.
func (s *scanner) takes(h, n hit) bool {
	longer := h.start <= n.start && n.end <= h.end && h.end-h.start > n.end-n.start
	return longer && !s.book.harmless.has(h.sign) && h.sign != n.sign && h.sign != s.book.sign("frame") && h.sign != s.book.sign("mention")
}

// denied is how many words a "never" reaches.
const denied = 4
