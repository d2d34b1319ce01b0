package telegram

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"talaria/adapters/markdown"
)

var (
	// names are what Telegram makes mentions of by itself, which notify.
	names = regexp.MustCompile(`@[A-Za-z0-9_]{2,}`)
	// links are addresses as far as their path, where an @ is a character.
	links = regexp.MustCompile(`^\W*https?://[^\s/@]+\.[A-Za-z]{2,}/`)
)

// fullAt looks like an @ and names nobody. It is as long in UTF-16, so that
// entities stay where they are and no part grows beyond the limit.
const fullAt = "＠"

// hush keeps the names in a text from notifying anybody: there is no switch
// for that in the Bot API. In code and in addresses they are no mentions.
func hush(text string, entities []markdown.Entity) string {
	var b strings.Builder
	done, units := 0, 0
	for _, at := range names.FindAllStringIndex(text, -1) {
		before := text[:at[0]]
		units += len(utf16.Encode([]rune(text[done:at[0]])))
		b.WriteString(text[done:at[0]])
		done = at[0]
		last, _ := utf8.DecodeLastRuneInString(before)
		token := before[strings.LastIndexFunc(before, unicode.IsSpace)+1:]
		if last == '_' || unicode.IsLetter(last) || unicode.IsDigit(last) || links.MatchString(token) || inCode(units, entities) {
			continue
		}
		b.WriteString(fullAt)
		done, units = at[0]+1, units+1
	}
	b.WriteString(text[done:])
	return b.String()
}

// inCode reports whether an offset in UTF-16 lies in code.
func inCode(offset int, entities []markdown.Entity) bool {
	return slices.ContainsFunc(entities, func(e markdown.Entity) bool {
		return (e.Type == "code" || e.Type == "pre") && offset >= e.Offset && offset < e.Offset+e.Length
	})
}
