package briefing

import (
	"regexp"
	"strings"
)

// request finds the statement in "remember that ...", in English and Chinese.
var request = regexp.MustCompile(`(?is)^\s*(?:please\s+)?(?:remember(?:\s+that)?|keep in mind(?:\s+that)?|note that|from now on,?|请?(?:记住|记得|记一下)[:：,，]?)\s*(.+)$`)

// asked returns the statement that a message asks to be remembered.
func asked(message string) (string, bool) {
	m := request.FindStringSubmatch(message)
	if m == nil {
		return "", false
	}
	return strings.TrimSpace(m[1]), true
}
