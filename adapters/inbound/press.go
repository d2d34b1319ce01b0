package inbound

import (
	"strings"

	"talaria/core/chat"
)

// The longest halves of a button, as chat.Button has them.
const (
	maxAction = 24
	maxToken  = 32
)

// Reference is how a button is known on a platform that keeps one text for it:
// "action:token", at most 57 bytes.
func Reference(b chat.Button) string { return b.Action + ":" + b.Token }

// ParseReference reads what Reference writes, and nothing else.
func ParseReference(s string) (chat.PressData, bool) {
	action, token, ok := strings.Cut(s, ":")
	p := chat.PressData{Action: action, Token: token}
	if !ok || !IsPress(p) {
		return chat.PressData{}, false
	}
	return p, true
}

// IsPress reports whether the halves are such as a chat.Button may have: what
// comes in with others is a press on something that is not ours.
func IsPress(p chat.PressData) bool {
	return p.Action != "" && len(p.Action) <= maxAction && strings.IndexFunc(p.Action, notInAction) < 0 &&
		len(p.Token) <= maxToken && strings.IndexFunc(p.Token, notInToken) < 0
}

func notInAction(r rune) bool {
	return !(r == '_' || r == '.' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z')
}

func notInToken(r rune) bool {
	return !(r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
}
