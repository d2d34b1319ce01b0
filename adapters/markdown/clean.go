package markdown

import (
	"strings"
	"unicode/utf8"
)

// clean makes text safe to encode and to send: valid UTF-8, "\n" for every
// line end, no control characters, no terminal sequences.
func clean(s string) string {
	if isClean(s) {
		return s
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = dropSequences(s)
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.Map(cleanRune, s)
}

// dropSequences removes what programs send to colour a terminal or to set its
// title.
func dropSequences(s string) string {
	if strings.IndexByte(s, '\x1b') < 0 {
		return s
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '\x1b')
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		s = s[i+sequenceLen(s[i:]):]
	}
}

// sequenceLen is the length of the terminal sequence that s begins with; one
// where there is nothing but the escape.
func sequenceLen(s string) int {
	if len(s) < 2 {
		return 1
	}
	switch {
	case s[1] == '[':
		end := strings.IndexFunc(s[2:], func(r rune) bool { return r < ' ' || r > '?' })
		if end >= 0 && s[2+end] >= '@' && s[2+end] <= '~' {
			return 2 + end + 1
		}
	case s[1] == ']':
		end := strings.IndexAny(s[2:], "\a\x1b")
		switch {
		case end >= 0 && s[2+end] == '\a':
			return 2 + end + 1
		case end >= 0 && strings.HasPrefix(s[2+end:], "\x1b\\"):
			return 2 + end + 2
		}
	case s[1] >= '@' && s[1] <= '_':
		return 2
	}
	return 1
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
