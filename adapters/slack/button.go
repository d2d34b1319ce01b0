package slack

import (
	"strconv"
	"strings"

	"talaria/adapters/inbound"
	"talaria/core/chat"
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
	if !inbound.IsPress(p) {
		return chat.PressData{}, false
	}
	return p, true
}
