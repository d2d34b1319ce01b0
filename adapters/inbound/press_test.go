package inbound_test

import (
	"strings"
	"testing"

	"talaria/adapters/inbound"
	"talaria/core/chat"
)

func TestAReferenceIsReadAsItWasWritten(t *testing.T) {
	for _, b := range []chat.Button{
		{Action: "stop"}, {Action: "ask.yes", Token: "a_B-9"}, {Action: strings.Repeat("a", 24), Token: strings.Repeat("t", 32)},
	} {
		got, ok := inbound.ParseReference(inbound.Reference(b))
		if !ok || got.Action != b.Action || got.Token != b.Token {
			t.Errorf("%+v is read as %+v, %v", b, got, ok)
		}
	}
	for _, foreign := range []string{
		"", "stop", ":token", "STOP:", "stop:a:b", "stop:a b", strings.Repeat("a", 25) + ":", "stop:" + strings.Repeat("t", 33), "st\u200bop:",
	} {
		if got, ok := inbound.ParseReference(foreign); ok {
			t.Errorf("%q is read as %+v", foreign, got)
		}
	}
}
