package text

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

//go:embed hanfold.txt
var hanPairs string

// The range of the table of traditional characters.
const hanFirst, hanLast = 0x4E00, 0x9FFF

// simplified maps the characters from hanFirst on; zero stays as it is.
var simplified = sync.OnceValue(func() *[hanLast - hanFirst + 1]uint16 {
	var table [hanLast - hanFirst + 1]uint16
	for pair := range strings.FieldsSeq(hanPairs) {
		from, n := utf8.DecodeRuneInString(pair)
		to, _ := utf8.DecodeRuneInString(pair[n:])
		table[from-hanFirst] = uint16(to)
	}
	return &table
})

// fold brings a lower-case character in compatibility form to the one that
// stands for all its spellings.
func fold(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		return r
	case r == '’':
		return '\''
	case r >= hanFirst && r <= hanLast:
		if s := simplified()[r-hanFirst]; s != 0 {
			return rune(s)
		}
	case unicode.Is(unicode.Latin, r):
		return withoutAccent(r)
	}
	return r
}

func withoutAccent(r rune) rune {
	var buf [utf8.UTFMax]byte
	d := norm.NFD.Properties(buf[:utf8.EncodeRune(buf[:], r)]).Decomposition()
	if base, _ := utf8.DecodeRune(d); len(d) > 0 && unicode.Is(unicode.Latin, base) {
		return base
	}
	return r
}

// Fold returns s in the form that all spellings of the same text share: in
// compatibility form, lower case, without Latin accents, in simplified
// characters, each stretch of white space as one blank, none at the ends. It
// is for comparing; it is not for showing.
func Fold(s string) string {
	var b strings.Builder
	blank := false
	for _, r := range norm.NFKC.String(s) {
		if unicode.IsSpace(r) {
			blank = b.Len() > 0
			continue
		}
		if blank {
			b.WriteByte(' ')
			blank = false
		}
		b.WriteRune(fold(unicode.ToLower(r)))
	}
	return b.String()
}

// Same reports whether a and b are the same text in other spelling: letter
// case, width, accents, blanks, traditional or simplified characters.
func Same(a, b string) bool { return a == b || Fold(a) == Fold(b) }
