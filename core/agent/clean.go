package agent

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// clean makes text valid UTF-8 without control characters, which providers and
// platforms refuse; tabs and line ends stay.
func clean(s string) string {
	if plain(s) {
		return s
	}
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\r\n", "\n")
	return strings.Map(func(c rune) rune {
		if c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
			return -1
		}
		return c
	}, s)
}

// plain reports whether clean has nothing to do.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' && s[i] != '\n' && s[i] != '\t' || s[i] == 0x7f {
			return false
		}
	}
	return utf8.ValidString(s)
}

// cut shortens a text to about limit bytes with a note of what is missing. Two
// thirds are kept of its head, the rest of its tail, where errors tend to be.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	head, tail := limit*2/3, len(s)-limit/3
	for head > 0 && !utf8.RuneStart(s[head]) {
		head--
	}
	for tail < len(s) && !utf8.RuneStart(s[tail]) {
		tail++
	}
	return fmt.Sprintf("%s\n[... %d bytes left out ...]\n%s", s[:head], tail-head, s[tail:])
}
