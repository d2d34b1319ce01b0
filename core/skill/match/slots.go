package match

import (
	"slices"
	"strings"
	"unicode/utf8"

	"talaria/core/text"
)

// slot is one thing that a text says, with every way to say it: the word
// itself, its meanings, what it is a kind of, the field it belongs to.
type slot struct {
	word    string // the term as it is compared: a stem, a word or a pair of characters
	raw     string // the word as it was written, folded; empty in scripts without spaces
	weight  float64
	means   []int    // concepts that the word, or the phrase it stands in, names
	kinds   []int    // what named things are
	fields  []string // of work that it belongs to; what can be done in any of them belongs to none
	action  bool     // its first meaning is something one does
	filler  bool
	unknown bool // no word that anybody has heard of
}

// How much the parts of a text say.
const (
	wordWeight   = 1.0
	actionWeight = 0.6  // what is done tells less than what it is done to
	commonWeight = 0.35 // words of every day
	whenWeight   = 0.3  // today, weekly: how, not what
	numberWeight = 0.2
	shortWeight  = 0.5 // one character, which means many things
	pairWeight   = 0.35
	partOfPhrase = 0.8 // words of a phrase, which say one thing between them
)

// slots reads a text. Fillers are kept, marked, so that phrases with them are
// found; most callers leave them out.
func (v *vocabulary) slots(s string) []slot { return v.slotsBy(s, text.Stem) }

// slotsBy is slots with a way to stem words, for those who read many texts and
// remember stems.
func (v *vocabulary) slotsBy(s string, stem func(string) string) []slot {
	out := make([]slot, 0, len(s)/6)
	var english []slot
	flush := func() {
		v.phrases(english)
		out, english = append(out, english...), english[:0]
	}
	for piece, run := range text.Pieces(s) {
		if !run {
			english = append(english, slot{word: stem(piece), raw: piece, weight: wordWeight, filler: v.fillers[piece]})
			continue
		}
		flush()
		out = v.segment(out, piece)
	}
	flush()
	for i := range out {
		v.weigh(&out[i])
	}
	return slices.DeleteFunc(out, func(s slot) bool { return s.filler && len(s.means) == 0 })
}

// phrases gives words their meanings, longest phrases first.
func (v *vocabulary) phrases(ws []slot) {
	for i := 0; i < len(ws); {
		n := v.phrase(ws[i:])
		for j := i; j < i+n && n > 1; j++ {
			ws[j].weight *= partOfPhrase
		}
		i += max(n, 1)
	}
	for i := range ws {
		if ws[i].filler || len(ws[i].raw) > 64 {
			continue
		}
		ws[i].means = appendNew(ws[i].means, v.meanings[ws[i].word])
		ws[i].unknown = len(ws[i].means) == 0 && !v.known[ws[i].raw]
	}
}

// phrase gives the longest phrase that ws begins with its meaning, and returns
// how many words it has; 0 where there is none.
func (v *vocabulary) phrase(ws []slot) int {
	for n := min(v.longest[ws[0].word], len(ws)); n > 1; n-- {
		ids := v.meanings[joined(ws[:n])]
		if len(ids) == 0 {
			continue
		}
		for j := range n {
			if !ws[j].filler || j == 0 {
				ws[j].means = appendNew(ws[j].means, ids)
			}
		}
		return n
	}
	return 0
}

func joined(ws []slot) string {
	var b strings.Builder
	for i, w := range ws {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.word)
	}
	return b.String()
}

// segment cuts a run of characters into the longest words that are known; what
// lies between them becomes pairs of characters.
func (v *vocabulary) segment(out []slot, run string) []slot {
	between := ""
	for run != "" {
		n, filler := v.longestWord(run)
		if n == 0 {
			_, n = utf8.DecodeRuneInString(run)
			between += run[:n]
			run = run[n:]
			continue
		}
		out = pairs(out, between)
		between = ""
		if !filler {
			out = append(out, slot{word: run[:n], weight: wordWeight, means: v.meanings[run[:n]]})
		}
		run = run[n:]
	}
	return pairs(out, between)
}

// longestWord returns the length in bytes of the longest known word that run
// begins with.
func (v *vocabulary) longestWord(run string) (n int, filler bool) {
	end, found := 0, 0
	for i := 0; i < longestRun && end < len(run); i++ {
		_, size := utf8.DecodeRuneInString(run[end:])
		end += size
		if len(v.meanings[run[:end]]) > 0 {
			found, filler = end, false
		} else if v.fillers[run[:end]] {
			found, filler = end, true
		}
	}
	return found, filler
}

func pairs(out []slot, run string) []slot {
	if utf8.RuneCountInString(run) == 1 {
		return append(out, slot{word: run, weight: pairWeight, unknown: true})
	}
	for _, t := range text.Terms(run) {
		out = append(out, slot{word: t, weight: pairWeight, unknown: true})
	}
	return out
}

// weigh finishes a slot once its meanings are known.
func (v *vocabulary) weigh(s *slot) {
	for _, id := range s.means {
		s.kinds = appendNew(s.kinds, v.concepts[id].kinds)
	}
	for _, id := range append(slices.Clip(s.means), s.kinds...) {
		c := v.concepts[id]
		if !c.action && c.field != "" && c.field != "when" && !slices.Contains(s.fields, c.field) {
			s.fields = append(s.fields, c.field)
		}
	}
	s.action = len(s.means) > 0 && v.concepts[s.means[0]].action
	switch {
	case s.action:
		s.weight *= actionWeight
	case len(s.means) > 0 && v.concepts[s.means[0]].field == "when":
		s.weight *= whenWeight
	case len(s.means) > 0 || s.raw == "":
	case s.raw[0] >= '0' && s.raw[0] <= '9':
		s.weight *= numberWeight
	case v.known[s.raw]:
		s.weight *= commonWeight
	}
	if s.raw == "" && utf8.RuneCountInString(s.word) == 1 {
		s.weight *= shortWeight
	}
}

// appendNew appends what list does not have, to a list of its own.
func appendNew(list, more []int) []int {
	list = slices.Clip(list)
	for _, m := range more {
		if !slices.Contains(list, m) {
			list = append(list, m)
		}
	}
	return list
}
