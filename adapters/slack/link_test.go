package slack

import (
	"testing"

	"talaria/core/chat"
)

func TestLinksLeadIntoTheBotsOwnWorkspace(t *testing.T) {
	var a Adapter
	at := chat.Address{Platform: Platform, Workspace: "T1", Chat: "C1"}
	if got := a.Link(at, "1700000000.000100"); got != "" {
		t.Errorf("before the workspace is known: %q", got)
	}
	a.me.Store(&account{team: "T1", site: "https://acme.slack.com/"})
	if got, want := a.Link(at, "1700000000.000100"), "https://acme.slack.com/archives/C1/p1700000000000100"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	at.Thread = "1600000000.000200"
	want := "https://acme.slack.com/archives/C1/p1700000000000100?cid=C1&thread_ts=1600000000.000200"
	if got := a.Link(at, "1700000000.000100"); got != want {
		t.Errorf("in a thread: got %q, want %q", got, want)
	}
	at.Workspace = "T2"
	if got := a.Link(at, "1700000000.000100"); got != "" {
		t.Errorf("of another workspace: %q", got)
	}
}
