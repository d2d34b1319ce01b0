package markdown

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// terminalSequence matches what programs send to colour a terminal or to set
// its title.
var terminalSequence = regexp.MustCompile(`\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])`)

// clean makes text safe to encode and to send: valid UTF-8, "\n" for every
// line end, no control characters, no terminal sequences.
func clean(s string) string {
	if isClean(s) {
		return s
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	if strings.IndexByte(s, '\x1b') >= 0 {
		s = terminalSequence.ReplaceAllString(s, "")
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.Map(cleanRune, s)
}

func isClean(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= utf8.RuneSelf:
			return utf8.ValidString(s[i:]) && strings.IndexFunc(s[i:], unclean) < 0
		case unclean(rune(c)):
			return false
		}
	}
	return true
}

func unclean(r rune) bool { return cleanRune(r) != r }

// cleanRune gives what stands for r in clean text, -1 for nothing.
func cleanRune(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case r == '\r' || r == '\u2028' || r == '\u2029':
		return '\n'
	case r < ' ' || r >= 0x7f && r < 0xa0 || r == '\uFEFF':
		return -1
	}
	return r
}
