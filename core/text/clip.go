package text

import "unicode/utf8"

// Clip is a text of at most so many characters, of which the last is an ellipsis
// where more was there.
func Clip(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:max(most-1, 0)]) + "…"
}
