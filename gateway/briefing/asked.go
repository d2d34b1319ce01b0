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
	// wondering are the words that ask where nothing follows that answers them.
	wondering = regexp.MustCompile(`(?i)^(?:what|when|where|who|whose|which|how|why|whether)\b|` +
		`什么|怎么|哪|谁|多少|何时|几(?:点|号|月|天|个|岁|时|年|周)|是不是|有没有|能不能|会不会|可不可以|对不对|要不要|该不该|用不用`)
	// telling are the same words where they ask for nothing: what has to be looked
	// after, what holds whichever it is, and what is not much.
	telling = regexp.MustCompile(`(?i)^when \w+ing\b|(?:检查|确认|核对|核实|查|看|问|注意|留意|取决于|不管|无论|不论)[^,，。]*|` +
		`(?:什么|谁|怎么|哪|多少)[^,，]{0,4}?[都也]|没有?(?:什么|谁)|好几|十几|几[十百千万]`)
	// answered is where an answer begins: "who deploys: Ann".
	answered = regexp.MustCompile(`[:：,，;；—–]|\s-\s`)
)

// wonders reports whether what should be remembered is a question, or only
// points at something that it doesn't say ("how this is done").
func wonders(statement string) bool {
	if text.Asks(statement) || particle.MatchString(statement) {
		return true
	}
	at := wondering.FindStringIndex(telling.ReplaceAllString(statement, ""))
	return at != nil && !answered.MatchString(statement)
}
