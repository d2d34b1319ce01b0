package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Snippet is a piece of a text around what was looked for.
type Snippet struct {
	Text  string // one line, with an ellipsis where something was cut off
	Marks []Mark // what was found in it, in order, not overlapping
}

// Mark is a range of bytes of a Snippet's text.
type Mark struct{ Start, End int }

const ellipsis = "…"

// Snippet cuts the piece of s, at most width characters long, that holds most
// of the query.
func (q Query) Snippet(s string, width int) Snippet {
	found := q.find(s)
	from, to := window(s, best(found, width), width)
	out := Snippet{Text: oneLine(s[from:to])}
	shift := -from
	if from > 0 {
		out.Text = ellipsis + out.Text
		shift += len(ellipsis)
	}
	if to < len(s) {
		out.Text += ellipsis
	}
	for _, f := range found {
		if f.at.start < from || f.at.end > to {
			continue
		}
		m := Mark{f.at.start + shift, f.at.end + shift}
		if n := len(out.Marks); n > 0 && m.Start <= out.Marks[n-1].End {
			out.Marks[n-1].End = max(out.Marks[n-1].End, m.End)
		} else {
			out.Marks = append(out.Marks, m)
		}
	}
	return out
}

// match is a place in a text where a term of the query stands.
type match struct {
	term int
	at   span
}

// find returns the matches of a text in order.
func (q Query) find(s string) []match {
	terms := map[string]int{}
	for i, a := range q.terms {
		terms[a.term] = i
	}
	var out []match
	each(s, func(t *token) {
		if t.class == word {
			if i, ok := terms[wordTerm(t.word)]; ok {
				out = append(out, match{i, t.at})
			}
			return
		}
		r := folded(t.chars)
		for n, c := range t.chars {
			if i, ok := terms[r.char(n)]; ok {
				out = append(out, match{i, c.at})
			}
			if n == 0 {
				continue
			}
			if i, ok := terms[r.pair(n)]; ok {
				out = append(out, match{i, span{t.chars[n-1].at.start, c.at.end}})
			}
		}
	})
	slices.SortStableFunc(out, func(a, b match) int { return a.at.start - b.at.start })
	return out
}

// best returns the stretch of matches within width characters that holds most
// different terms, the first of equals.
func best(found []match, width int) span {
	var out span
	most := 0
	for i, f := range found {
		seen := map[int]bool{}
		end := f.at.end
		for _, g := range found[i:] {
			if g.at.end-f.at.start > width { // in bytes, which are no fewer than characters
				break
			}
			seen[g.term] = true
			end = max(end, g.at.end)
		}
		if len(seen) > most {
			most, out = len(seen), span{f.at.start, end}
		}
	}
	return out
}

// window widens a stretch of s to width characters, a third of the room before
// it, and ends between words where one ends near.
func window(s string, core span, width int) (from, to int) {
	room := max(width-utf8.RuneCountInString(s[core.start:core.end]), 0)
	from = back(s, core.start, room/3)
	to = forward(s, core.end, room-utf8.RuneCountInString(s[from:core.start]))
	if to == len(s) {
		from = back(s, core.start, room-utf8.RuneCountInString(s[core.end:]))
	}
	if from > 0 {
		if i := strings.IndexFunc(s[from:core.start], unicode.IsSpace); i >= 0 && i < wordNear {
			from += i + 1
		}
	}
	if to < len(s) {
		if i := strings.LastIndexFunc(s[core.end:to], unicode.IsSpace); i >= 0 && to-core.end-i < wordNear {
			to = core.end + i
		}
	}
	return from, to
}

// wordNear is within how many bytes a cut moves to the border of a word.
const wordNear = 20

func back(s string, i, runes int) int {
	for ; runes > 0 && i > 0; runes-- {
		_, n := utf8.DecodeLastRuneInString(s[:i])
		i -= n
	}
	return i
}

func forward(s string, i, runes int) int {
	for ; runes > 0 && i < len(s); runes-- {
		_, n := utf8.DecodeRuneInString(s[i:])
		i += n
	}
	return i
}

// oneLine puts blanks for control characters, byte for byte, so that marks
// stay right, and for bytes that are no text.
func oneLine(s string) string {
	b := []byte(s)
	for i, r := range s {
		if r < ' ' || r == 0x7F || r == utf8.RuneError && b[i] != 0xEF {
			b[i] = ' '
		}
	}
	return string(b)
}
