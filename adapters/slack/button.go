package slack

import (
	"strconv"
	"strings"

	"talaria/core/chat"
)

// The longest halves of a button, as chat.Button has them. Slack would take
// 255 and 2000 characters.
const (
	maxAction = 24
	maxToken  = 32
)

// actionID is the action of the n-th button that has it, from 0. Slack refuses
// a message in which two elements have the same id.
func actionID(action string, n int) string {
	if n == 0 {
		return action
	}
	return action + "#" + strconv.Itoa(n)
}

// parsePress reads what buttons make, and nothing else.
func parsePress(a action) (chat.PressData, bool) {
	name, _, _ := strings.Cut(a.ID, "#")
	p := chat.PressData{Action: name, Token: a.Value, Value: a.Selected.Value}
	if !isAction(name) || len(a.Value) > maxToken || strings.IndexFunc(a.Value, notInToken) >= 0 {
		return chat.PressData{}, false
	}
	return p, true
}

func isAction(s string) bool {
	return s != "" && len(s) <= maxAction && strings.IndexFunc(s, func(r rune) bool {
		return !(r == '_' || r == '.' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z')
	}) < 0
}

func notInToken(r rune) bool {
	return !(r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
}
