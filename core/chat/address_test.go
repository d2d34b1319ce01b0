package chat_test

import (
	"testing"

	"talaria/core/chat"
)

func TestAddressesAreReadAsTheyWereWritten(t *testing.T) {
	for _, a := range []chat.Address{
		{Platform: "telegram", Chat: "-100"},
		{Platform: "slack", Workspace: "T1", Chat: "C1", Thread: "17.4"},
		{Platform: "a/b", Workspace: "#:%", Chat: "%2F", Thread: "x#y"},
		{},
	} {
		if got, ok := chat.ParseAddress(a.String()); !ok || got != a {
			t.Errorf("%q is read as %+v, %v", a, got, ok)
		}
	}
	for _, s := range []string{"", "a/b", "a/b/c/d", "a/b/c#", "a/b/c#d#e", "a:b/c/d"} {
		if got, ok := chat.ParseAddress(s); ok {
			t.Errorf("%q is read as %+v", s, got)
		}
	}
}
