package markdown

import (
	"html"
	"strings"

	"github.com/yuin/goldmark/util"
)

// unescape resolves back-slashes and character references in one pass.
func unescape(b []byte) string {
	s := string(b)
	if !strings.ContainsAny(s, `\&`) {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && util.IsPunct(s[i+1]) {
			i++
			out.WriteByte(s[i])
			continue
		}
		if n := referenceLen(s[i:]); n > 0 {
			out.WriteString(clean(html.UnescapeString(s[i : i+n])))
			i += n - 1
			continue
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

// referenceLen is the length of the character reference that s begins with.
func referenceLen(s string) int {
	if s[0] != '&' {
		return 0
	}
	for i := 1; i < min(len(s), 33); i++ {
		c := s[i]
		if c == ';' && i > 1 {
			return i + 1
		}
		if !util.IsAlphaNumeric(c) && c != '#' {
			return 0
		}
	}
	return 0
}
