package text

import "unicode"

// Tokens estimates how many tokens of a large vocabulary (o200k_base and its
// like) a text takes: a word is one for each six letters begun, a number one
// for each three digits, anything else one a character, emoji two. On English
// Markdown it is up to a sixth above the truth and hardly ever below.
func Tokens(s string) int {
	halves, letters, digits := 0, 0, 0
	end := func() {
		halves += 2 * ((letters+5)/6 + (digits+2)/3)
		letters, digits = 0, 0
	}
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Latin, unicode.Cyrillic, unicode.Greek):
			if digits > 0 {
				end()
			}
			letters++
			continue
		case isDigit(r):
			if letters > 0 {
				end()
			}
			digits++
			continue
		}
		end()
		switch {
		case r == '\n':
			halves++
		case unicode.IsSpace(r): // belongs to the word that follows
		case r > 0xFFFF:
			halves += 4
		default:
			halves += 2
		}
	}
	end()
	return (halves + 1) / 2
}
