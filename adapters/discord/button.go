package discord

import (
	"strings"

	"talaria/core/chat"
)

// maxCustomID is the most characters of a component's id
// (discord.com/developers/docs/components/reference#anatomy-of-a-component).
const maxCustomID = 100

// The longest halves of a button's reference, as chat.Button has them.
const (
	maxAction = 24
	maxToken  = 32
)

func customID(b chat.Button) string { return b.Action + ":" + b.Token }

// parseCustomID reads what customID writes, and nothing else.
func parseCustomID(id string) (action, tok string, ok bool) {
	action, tok, ok = strings.Cut(id, ":")
	if !ok || action == "" || len(action) > maxAction || len(tok) > maxToken ||
		strings.IndexFunc(action, notInAction) >= 0 || strings.IndexFunc(tok, notInToken) >= 0 {
		return "", "", false
	}
	return action, tok, true
}

func notInAction(r rune) bool {
	return !(r == '_' || r == '.' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z')
}

func notInToken(r rune) bool {
	return !(r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
}
