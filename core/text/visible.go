package text

import (
	"strings"
	"unicode"
)

// The joiners shape the letters beside them in some scripts, and make one emoji
// of several.
const (
	nonJoiner = '\u200c'
	joiner    = '\u200d'
)

// joining are scripts that are written with joiners.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mongolian, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati,
	unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar,
	unicode.Tibetan, unicode.Inherited, // marks, which take the script of their letter
}

// Visible is a text without characters that can't be seen, which could say to a
// program what no person reads, or turn around what they do read. Joiners stay
// where a script or an emoji is written with them, and a variation selector
// behind what it selects.
func Visible(s string) string {
	if strings.IndexFunc(s, Invisible) < 0 {
		return s
	}
	all := []rune(s)
	var b strings.Builder
	b.Grow(len(s))
	for i, r := range all {
		if !Invisible(r) || i > 0 && belongs(r, all[i-1], all[i+1:]) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Invisible reports whether a character is invisible by nature: format
// characters (bidi controls, joiners, tags), variation selectors and the blank
// fillers (Unicode's Default_Ignorable_Code_Point).
func Invisible(r rune) bool {
	return r >= 0xAD && (unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) ||
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r))
}

// belongs reports whether an invisible character is part of how what stands
// around it is written.
func belongs(r, before rune, after []rune) bool {
	switch {
	case unicode.Is(unicode.Variation_Selector, r):
		return !Invisible(before) && !unicode.IsSpace(before)
	case r != joiner && r != nonJoiner:
		return false
	case unicode.In(before, joining...):
		return true
	}
	return r == joiner && len(after) > 0 && pictorial(after[0]) &&
		(pictorial(before) || unicode.Is(unicode.Variation_Selector, before))
}

// pictorial reports whether a character may be a part of an emoji: symbols, and
// the modifiers of skin colour.
func pictorial(r rune) bool { return unicode.In(r, unicode.So, unicode.Sk, unicode.Sm) && r >= 0x2000 }
