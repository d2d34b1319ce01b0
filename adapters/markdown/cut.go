package markdown

import (
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// rank is how good a place for a cut is.
type rank uint8

const (
	between  rank = iota + 1 // two characters
	words                    // two words, or CJK characters that may be parted
	sentence                 // two sentences
)

// cut is a place within a line's text, as bytes before it.
type cut struct {
	at   int
	rank rank
}

// cuts are the places between characters as people see them, within the first
// limit runes and, if atoms are to be kept, outside of links and code.
func (ln line) cuts(limit int, keepAtoms bool) []cut {
	var inside func(at int) bool
	if keepAtoms {
		inside = ln.atoms()
	}
	text := ln.text()
	var cuts []cut
	state, at := -1, 0
	for rest := text; rest != "" && limit > 0; {
		var cluster string
		var boundaries int
		cluster, rest, boundaries, state = uniseg.StepString(rest, state)
		at += len(cluster)
		limit -= utf8.RuneCountInString(cluster)
		if rest == "" || inside != nil && inside(at) {
			continue
		}
		cuts = append(cuts, cut{at, rankOf(cluster, boundaries)})
	}
	return cuts
}

// rankOf judges the place after a character.
func rankOf(cluster string, boundaries int) rank {
	r, _ := utf8.DecodeLastRuneInString(cluster)
	switch {
	case !unicode.IsSpace(r) && !isCJK(r):
		return between
	case boundaries&uniseg.MaskSentence != 0:
		return sentence
	case boundaries&uniseg.MaskLine != uniseg.LineDontBreak:
		return words
	}
	return between
}

// atoms gives a function that tells, for growing places, whether they are
// inside a span that is better kept whole.
func (ln line) atoms() func(at int) bool {
	i, end := 0, 0
	spans := ln.spans
	return func(at int) bool {
		for i < len(spans) && at >= end+len(spans[i].text) {
			end += len(spans[i].text)
			i++
		}
		if i == len(spans) {
			return false
		}
		if at > end {
			return spans[i].atom()
		}
		return i > 0 && spans[i].url != "" && spans[i].url == spans[i-1].url
	}
}

// loosened is the line with its links written out, to be cut anywhere.
func (ln line) loosened() line {
	spans := make([]span, len(ln.spans))
	for i, s := range ln.spans {
		if s.url != "" && !s.auto {
			s.text += " (" + s.url + ")"
		}
		s.url, s.auto = "", false
		spans[i] = s
	}
	ln.spans = spans
	return ln
}

// runes are the places between code points, for clusters beyond all bounds.
func (ln line) runes(limit int) []cut {
	var cuts []cut
	for i := range ln.text() {
		if i > 0 && len(cuts) < limit {
			cuts = append(cuts, cut{i, between})
		}
	}
	return cuts
}
