package command

import (
	"strings"

	"talaria/core/text"
)

var unmarked = strings.NewReplacer(
	"`", "'", "*", "∗", "_", "\\_", "[", "(", "]", ")", "<", "‹", ">", "›", "|", "¦", "~", "∼",
)

// Plain is foreign text (a name, a request, a skill's description) on one line
// that can't be read as markup of ours. It is not for code blocks, which show
// what is there.
func Plain(s string) string {
	return unmarked.Replace(strings.Join(strings.Fields(strings.ToValidUTF8(s, "?")), " "))
}

// Clipped is Plain of at most some characters of a text, with an ellipsis where
// more was there.
func Clipped(s string, most int) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "?")), " ")
	return unmarked.Replace(text.Clip(s, most))
}
