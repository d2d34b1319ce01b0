package telegram

import (
	"strings"

	"talaria/core/chat"
)

// maxCallbackData is the most bytes of a button's data
// (core.telegram.org/bots/api#inlinekeyboardbutton). An action of 24 and a
// token of 32 bytes, which chat.Button allows, fit with the colon.
const maxCallbackData = 64

// The longest halves of a button's data, as chat.Button has them.
const (
	maxAction = 24
	maxToken  = 32
)

func callbackData(b chat.Button) string { return b.Action + ":" + b.Token }

// parseCallbackData reads what callbackData writes, and nothing else.
func parseCallbackData(data string) (chat.PressData, bool) {
	action, token, ok := strings.Cut(data, ":")
	if !ok || action == "" || len(action) > maxAction || len(token) > maxToken ||
		strings.IndexFunc(action, notInAction) >= 0 || strings.IndexFunc(token, notInToken) >= 0 {
		return chat.PressData{}, false
	}
	return chat.PressData{Action: action, Token: token}, true
}

func notInAction(r rune) bool {
	return !(r == '_' || r == '.' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z')
}

func notInToken(r rune) bool {
	return !(r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
}
