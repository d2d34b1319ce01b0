package text

import "unicode/utf8"

// maxTerm is the longest term in bytes; a longer word is no word that anybody
// looks for (a key, an encoded file).
const maxTerm = 64

// Terms returns the terms of s in their order, repeated as often as they
// occur: what is asked for when somebody writes s.
func Terms(s string) []string {
	var out []string
	each(s, func(t *token) {
		if t.class == word {
			if w := wordTerm(t.word); w != "" {
				out = append(out, w)
			}
			return
		}
		r := folded(t.chars)
		if len(t.chars) == 1 {
			out = append(out, r.char(0))
		}
		for i := 1; i < len(t.chars); i++ {
			out = append(out, r.pair(i))
		}
	})
	return out
}

// Counts returns how often each term occurs in s, as s is to be indexed: the
// terms that Terms returns and, in scripts without spaces, single characters
// and the traditional spelling.
func Counts(s string) map[string]int {
	counts := make(map[string]int, len(s)/6)
	each(s, func(t *token) {
		if t.class == word {
			if w := wordTerm(t.word); w != "" {
				counts[w]++
			}
			return
		}
		r := folded(t.chars)
		for i := range t.chars {
			counts[r.char(i)]++
			if i > 0 {
				counts[r.pair(i)]++
			}
		}
		for _, term := range asWritten(t.chars) {
			counts[term]++
		}
	})
	return counts
}

// each calls f for every token of s.
func each(s string, f func(*token)) {
	sc := scanner{text: s}
	for {
		t, ok := sc.next()
		if !ok {
			return
		}
		f(t)
	}
}

// wordTerm is the term of a word, or "" if it has none.
func wordTerm(w []byte) string {
	if stopWords[string(w)] || len(w) > maxTerm {
		return ""
	}
	return Stem(string(w))
}

// characters is the text of a run that is cut into terms without copying.
type characters struct {
	text string
	at   []int // where each character begins, and the end
}

func folded(chars []char) characters {
	c := characters{at: make([]int, 0, len(chars)+1)}
	b := make([]byte, 0, len(chars)*utf8.UTFMax)
	for _, ch := range chars {
		c.at = append(c.at, len(b))
		b = utf8.AppendRune(b, ch.folded)
	}
	c.at = append(c.at, len(b))
	c.text = string(b)
	return c
}

// char is the character i.
func (c characters) char(i int) string { return c.text[c.at[i]:c.at[i+1]] }

// pair is the character i and the one before.
func (c characters) pair(i int) string { return c.text[c.at[i-1]:c.at[i+1]] }

// asWritten returns the characters and pairs that simplifying has changed.
func asWritten(chars []char) []string {
	var out []string
	for i, c := range chars {
		changed := c.raw != c.folded
		if changed {
			out = append(out, string(c.raw))
		}
		if i > 0 && (changed || chars[i-1].raw != chars[i-1].folded) {
			out = append(out, string([]rune{chars[i-1].raw, c.raw}))
		}
	}
	return out
}
