package patch

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"
)

// fold says which differences are overlooked. Line ends always are.
type fold struct {
	trailing   bool // blanks at line ends
	inner      bool // how many blanks or tabs stand between two words
	typography bool // forms of quotes, dashes, dots, blanks; width; composition
	longDash   bool // with typography: an em dash is two hyphens, as some type it
	heading    bool // letter case of headings
}

// glyph is a character after folding, with the bytes it stands for.
type glyph struct {
	r        rune
	from, to int
}

// folded finds the old text where both are the same after folding.
func folded(f fold) func(text string, r reading) []place {
	return func(text string, r reading) []place {
		if short := strings.TrimRight(r.old, " \t"); f.trailing && short != r.old {
			r.old, r.new = short, strings.TrimRight(r.new, " \t")
		}
		have, want := f.glyphs(text), f.glyphs(r.old)
		if len(want) == 0 {
			return nil
		}
		folded, starts := written(have)
		pattern, _ := written(want)
		var out []place
		for at := range occurrences(folded, pattern) {
			i, whole := slices.BinarySearch(starts, at)
			if !whole {
				continue
			}
			p := place{have[i].from, have[i+len(want)-1].to, r.new}
			if split(have, i) || split(have, i+len(want)) || f != (fold{}) && !atEdges(text, p) || !r.fits(text, p) {
				continue
			}
			out = append(out, p)
		}
		return out
	}
}

// written is the text of glyphs, with where each begins in it.
func written(glyphs []glyph) (string, []int) {
	var b strings.Builder
	starts := make([]int, len(glyphs))
	for i, g := range glyphs {
		starts[i] = b.Len()
		b.WriteRune(g.r)
	}
	return b.String(), starts
}

// split reports whether the glyphs on both sides of i stand for the same bytes,
// as the three dots of an ellipsis do.
func split(have []glyph, i int) bool {
	return i > 0 && i < len(have) && have[i-1].from == have[i].from
}

// atEdges reports whether a place neither begins nor ends inside a word or number.
func atEdges(text string, p place) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:p.from])
	first, _ := utf8.DecodeRuneInString(text[p.from:])
	last, _ := utf8.DecodeLastRuneInString(text[:p.to])
	after, _ := utf8.DecodeRuneInString(text[p.to:])
	return !(joins(before) && joins(first)) && !(joins(last) && joins(after))
}

// joins reports whether a character makes one word with its like beside it.
// Chinese and Japanese write no word breaks, so that any two may be parted.
func joins(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_') && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// glyphs folds a text.
func (f fold) glyphs(text string) []glyph {
	out := make([]glyph, 0, len(text))
	if f.typography {
		out = f.composed(text, out)
	} else {
		for i, r := range text {
			out = append(out, glyph{r, i, i + runeLen(text, i)})
		}
	}
	out = joinedLineEnds(out)
	if f.trailing {
		out = f.blanks(out)
	}
	if f.heading {
		lowerHeadings(out)
	}
	return out
}

// runeLen is the length of the character at i, which may be broken.
func runeLen(text string, i int) int {
	_, n := utf8.DecodeRuneInString(text[i:])
	return n
}

// composed folds accents, width and typographic forms.
func (f fold) composed(text string, out []glyph) []glyph {
	var it norm.Iter
	it.InitString(norm.NFC, text)
	for !it.Done() {
		from := it.Pos()
		segment := string(it.Next())
		to := it.Pos()
		apart := segment == text[from:to] // nothing was composed: character by character
		for i, r := range segment {
			begin, end := from, to
			if apart {
				begin, end = from+i, from+i+runeLen(segment, i)
			}
			for _, plain := range f.plainForm(r) {
				out = append(out, glyph{plain, begin, end})
			}
		}
	}
	return out
}

// plainForms are what is typed in the place of typographic characters.
var plainForms = map[rune]string{
	'“': `"`, '”': `"`, '„': `"`, '‟': `"`, '«': `"`, '»': `"`, '″': `"`,
	'‘': "'", '’': "'", '‚': "'", '‛': "'", '′': "'", '´': "'",
	'‐': "-", '‑': "-", '‒': "-", '–': "-", '—': "-", '―': "-", '−': "-",
	'…': "...",
}

func (f fold) plainForm(r rune) string {
	if f.longDash && r == '—' {
		return "--"
	}
	if s, ok := plainForms[r]; ok {
		return s
	}
	if r > unicode.MaxASCII && unicode.Is(unicode.Zs, r) {
		return " "
	}
	if w := width.LookupRune(r).Folded(); w != 0 {
		r = w
	}
	return string(r)
}

func joinedLineEnds(glyphs []glyph) []glyph {
	out := glyphs[:0]
	for i, g := range glyphs {
		if g.r == '\n' && i > 0 && glyphs[i-1].r == '\r' {
			out[len(out)-1] = glyph{'\n', glyphs[i-1].from, g.to}
			continue
		}
		out = append(out, g)
	}
	return out
}

func blank(r rune) bool { return r == ' ' || r == '\t' }

// blanks drops the blanks at line ends, and with inner makes one of those
// between words. Those at the beginning of lines are indentation, which tells.
func (f fold) blanks(glyphs []glyph) []glyph {
	var out []glyph
	start := true // of a line
	for i := 0; i < len(glyphs); {
		end := i
		for end < len(glyphs) && blank(glyphs[end].r) {
			end++
		}
		switch {
		case end == i:
			start = glyphs[i].r == '\n'
			out = append(out, glyphs[i])
			end++
		case end == len(glyphs) || glyphs[end].r == '\n': // dropped
		case f.inner && !start:
			out = append(out, glyph{' ', glyphs[i].from, glyphs[end-1].to})
		default:
			out = append(out, glyphs[i:end]...)
		}
		i = end
	}
	return out
}

// lowerHeadings lowers the letters of lines that begin with a number sign.
func lowerHeadings(glyphs []glyph) {
	start, heading := true, false
	for i, g := range glyphs {
		if start && g.r != ' ' {
			heading, start = g.r == '#', false
		}
		if g.r == '\n' {
			start, heading = true, false
		}
		if heading {
			glyphs[i].r = unicode.ToLower(g.r)
		}
	}
}

// plain is a line after folding all but letter case, without indentation.
func plain(line string) string {
	f := fold{trailing: true, inner: true, typography: true}
	var b strings.Builder
	for _, g := range f.glyphs(strings.TrimLeft(line, " \t")) {
		b.WriteRune(g.r)
	}
	return strings.TrimLeft(b.String(), " ")
}
