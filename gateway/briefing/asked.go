package briefing

import (
	"regexp"
	"strings"

	"talaria/core/text"
)

// request finds the statement in "remember that ...", in English and Chinese.
var request = regexp.MustCompile(`(?is)^\s*(?:please\s+)?(?:remember(?:\s+that)?|keep in mind(?:\s+that)?|note that|from now on,?|请?(?:记住|记得|记一下)[:：,，]?)\s*(.+)$`)

// asked returns the statement that a message asks to be remembered. "Remember
// when we met?" begins like one and is a question: it has none.
func asked(message string) (string, bool) {
	m := request.FindStringSubmatch(message)
	if m == nil {
		return "", false
	}
	statement := strings.TrimSpace(agreed.ReplaceAllString(m[1], ""))
	if statement == "" || wonders(statement) {
		return "", false
	}
	return statement, true
}

var (
	// agreed asks for a yes to what stands before, and makes no question of it.
	agreed = regexp.MustCompile(`(?i)(?:[,，]\s*(?:ok(?:ay)?|please|(?:will|would|can|could) you|好吗|好么|好不好|行吗|行么|行不行|可以吗|可以么)|(?:好|行|可以)(?:吗|么))\s*[?？。.!！]*\s*$`)
	// particle is how a Chinese question ends without its mark.
	particle = regexp.MustCompile(`(?:吗|嘛|[^什怎那这多要]么)\s*[。.!！~～]*\s*$`)
	// answered is where an answer begins: "who deploys: Ann".
	answered = regexp.MustCompile(`[:：,，;；—–]|\s-\s`)
)

// wonders reports whether what should be remembered is a question, or only
// points at something that it doesn't say ("how this is done").
func wonders(statement string) bool {
	if text.Asks(statement) || particle.MatchString(statement) {
		return true
	}
	return text.Wonders(statement) && !answered.MatchString(statement)
}
