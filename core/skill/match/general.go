package match

import (
	"regexp"
	"strings"
	"unicode"
)

var (
	// fileName is the name of a file whose ending says nothing of the work.
	fileName = regexp.MustCompile(`(?i)[\w-]+\.(?:txt|md|log)\b`)
	// quotation is a text that is handed over.
	quotation = regexp.MustCompile(`"[^"\n]+"|“[^”\n]+”|「[^」\n]+」`)
)

// general is a request less what is only of the day: what a file is called, and
// beside it what is to be put into one. Skills say "a text" and "a file".
func general(query string) string {
	if !fileName.MatchString(query) {
		return query
	}
	file, text := " file ", " text "
	if strings.ContainsFunc(query, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		file, text = " 文件 ", " 文字 "
	}
	return quotation.ReplaceAllLiteralString(fileName.ReplaceAllLiteralString(query, file), text)
}
