package scan

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// What is hidden is a finding in itself.
var (
	ruleTags    = rule{id: "hidden.tags", severity: Danger, message: "It holds text in invisible tag characters, which models read and people do not see."}
	ruleZero    = rule{id: "hidden.zero-width", severity: Warning, message: "Invisible characters split its words, which keeps them from being found."}
	ruleBidi    = rule{id: "hidden.direction", severity: Warning, message: "Characters that override the writing direction make it look other than it is."}
	ruleSmuggle = rule{id: "hidden.selectors", severity: Danger, message: "It holds a run of invisible variation selectors, which can carry a text."}
	ruleLookAl  = rule{id: "hidden.look-alike", severity: Warning, message: "Words are written with look-alike letters of another alphabet."}
	ruleSpaced  = rule{id: "hidden.spaced", severity: Warning, message: "Words are spelled with gaps between the letters, which keeps them from being found."}
)

// reveal brings a text to the form that rules read: compatibility form, no
// invisible characters, look-alike letters as those they look like, spelled
// words closed up. Lines stay lines.
func (s *scanner) reveal(raw string) string {
	raw = strings.ToValidUTF8(raw, "\uFFFD")
	visible := s.visible(raw)
	plain := norm.NFKC.String(visible)
	return s.closeUp(s.lookAlikes(plain))
}

// visible removes what nobody sees and reports it where it stands in a way
// that no language needs.
func (s *scanner) visible(raw string) string {
	if isASCII(raw) {
		return raw
	}
	var out, tags strings.Builder
	out.Grow(len(raw))
	line, selectors := 1, 0
	var before rune
	for i, r := range raw {
		if r == '\n' {
			line++
		}
		switch {
		case r >= 0xE0020 && r <= 0xE007E:
			if before != 0x1F3F4 { // the flags of regions are black flags with tags
				tags.WriteRune(r - 0xE0000)
			}
			continue
		case r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0100 && r <= 0xE01EF:
			if selectors++; selectors == 4 {
				s.find(ruleSmuggle, line)
			}
			continue
		case r == 0x202D || r == 0x202E:
			s.find(ruleBidi, line)
			continue
		case invisible(r):
			if after, n := utf8.DecodeRuneInString(raw[i+utf8.RuneLen(r):]); n > 0 && splitsWord(before, r, after) {
				s.find(ruleZero, line)
			}
			continue
		}
		before, selectors = r, 0
		if r == 0x2028 || r == 0x2029 {
			r = ' '
		}
		out.WriteRune(r)
	}
	if tags.Len() > 1 {
		s.find(ruleTags, 1)
		s.inner(tags.String(), 1)
	}
	return out.String()
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII }) < 0
}

// invisible reports whether r has no shape of its own.
func invisible(r rune) bool {
	return r == 0x00AD || r == 0x034F || r == 0x115F || r == 0x1160 || r == 0x3164 || r == 0xFFA0 || unicode.Is(unicode.Cf, r)
}

// splitsWord reports whether an invisible character stands between letters of
// a script that has no use for it. Soft hyphens are for print.
func splitsWord(before, r, after rune) bool {
	if r == 0x00AD || r == 0xFEFF {
		return false
	}
	simple := func(r rune) bool { return unicode.In(r, unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Han) }
	return simple(before) && simple(after)
}

// alike maps letters to the Latin ones that look the same.
var alike = func() map[rune]rune {
	from := []rune("аеорсухіјѕԁԛԝһЅІЈАВЕКМНОРСТУХԌαοερντικΑΒΕΖΗΙΚΜΝΟΡΤΥΧգօսոɡɑıвнкмтпг")
	to := []rune("aeopcyxijsdqwhSIJABEKMHOPCTYXGaoepvtikABEZHIKMNOPTYXqousgaivhkmtnr")
	m := map[rune]rune{}
	for i, r := range from[:min(len(from), len(to))] {
		m[r] = to[i]
	}
	for _, r := range "внкмтпг" { // alike only as capitals
		delete(m, r)
	}
	return m
}()

// lookAlikes rewrites words that mix Latin letters with others that look like
// them.
func (s *scanner) lookAlikes(text string) string {
	if isASCII(text) {
		return text
	}
	var out strings.Builder
	out.Grow(len(text))
	line := 1
	for i := 0; i < len(text); {
		n := strings.IndexFunc(text[i:], func(r rune) bool { return !unicode.IsLetter(r) })
		if n < 0 {
			n = len(text) - i
		}
		w := text[i : i+n]
		if plain, ok := unmix(w); ok {
			s.find(ruleLookAl, line)
			w = plain
		}
		out.WriteString(w)
		if i += n; i < len(text) {
			r, size := utf8.DecodeRuneInString(text[i:])
			if r == '\n' {
				line++
			}
			out.WriteRune(r)
			i += size
		}
	}
	return out.String()
}

// unmix returns a word of at least three letters in Latin, if some of its
// letters are Latin and all others only look like it.
func unmix(w string) (string, bool) {
	if isASCII(w) {
		return w, false
	}
	latin, other := 0, 0
	plain := strings.Map(func(r rune) rune {
		if to, ok := alike[r]; ok {
			other++
			return to
		}
		if unicode.Is(unicode.Latin, r) {
			latin++
		}
		return r
	}, w)
	return plain, other > 0 && latin > 0 && latin+other >= 3 && latin+other == len([]rune(w))
}

// minSpelled is how many single letters in a row are no list any more.
const minSpelled = 6

// closeUp joins letters that stand apart: "i g n o r e", "i.g.n.o.r.e".
func (s *scanner) closeUp(text string) string {
	var out strings.Builder
	out.Grow(len(text))
	n := 0
	for line := range strings.Lines(text) {
		n++
		if joined, ok := closeLine(line); ok {
			s.find(ruleSpaced, n)
			line = joined
		}
		out.WriteString(line)
	}
	return out.String()
}

func closeLine(line string) (string, bool) {
	if !gapped(line) {
		return line, false
	}
	rs := []rune(line)
	var out []rune
	found := false
	for i := 0; i < len(rs); {
		end, letters := spelled(rs, i)
		if len(letters) < minSpelled {
			out = append(out, rs[i])
			i++
			continue
		}
		found = true
		out = append(out, letters...)
		i = end
	}
	return string(out), found
}

// gapped reports whether a line has enough letters that stand alone, counting
// as little as possible.
func gapped(line string) bool {
	alone, run := 0, 0
	for i := range len(line) + 1 {
		if i < len(line) && (line[i] >= 0x80 || line[i]|0x20 >= 'a' && line[i]|0x20 <= 'z') {
			run++
			continue
		}
		if run == 1 || run == 2 && line[i-1] >= 0x80 {
			alone++
		}
		run = 0
	}
	return alone >= minSpelled
}

// spelled returns the letters of a run that stand one place apart each, and
// where it ends. Two blanks are the blank between words.
func spelled(rs []rune, i int) (int, []rune) {
	single := func(i int) bool {
		return i < len(rs) && unicode.IsLetter(rs[i]) && rs[i] < 0x0E00 && (i == 0 || !unicode.IsLetter(rs[i-1])) && (i+1 >= len(rs) || !unicode.IsLetter(rs[i+1]))
	}
	if !single(i) {
		return i, nil
	}
	letters := []rune{rs[i]}
	gap := func(r rune) bool { return r == ' ' || r == '.' || r == '-' || r == '_' || r == '*' }
	for i++; i < len(rs) && gap(rs[i]); {
		switch {
		case single(i + 1):
			letters = append(letters, rs[i+1])
			i += 2
		case i+2 < len(rs) && gap(rs[i+1]) && single(i+2):
			letters = append(letters, ' ', rs[i+2])
			i += 3
		default:
			return i, letters
		}
	}
	return i, letters
}
