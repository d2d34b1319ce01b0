package slack

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"talaria/adapters/adaptertest"
	"talaria/adapters/inbound"
	"talaria/core/chat"
)

// helper is the account in testdata/inbound, and named are people there.
var (
	helper = account{team: "T42", user: "U42HELPER", bot: "B42", app: "A42"}
	named  = map[string]string{"UADA": "Ada", "UBEN": "Ben"}
)

// TestGolden holds each delivery of testdata/inbound against what it comes to.
func TestGolden(t *testing.T) {
	adaptertest.Golden(t, func(raw json.RawMessage) inbound.Item { return normalize(raw, helper, named) })
}

// FuzzNormalize: whatever comes, a delivery is an event with keys or is
// dropped with a reason, never a panic.
func FuzzNormalize(f *testing.F) {
	for _, raw := range adaptertest.Recorded(f) {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		item := normalize(raw, helper, named)
		adaptertest.CheckItem(t, item)
		if e := item.Event; e.Author.Anonymous && e.Kind == chat.Message {
			t.Errorf("message of nobody: %+v", e)
		}
	})
}

// FuzzText: reading loses no text but mentions, and mints no token.
func FuzzText(f *testing.F) {
	f.Add("<@U42HELPER> a &lt;!here&gt; `<@U42HELPER>` <https://a.example|b> ```x")
	f.Add("< <> <a| ``` `")
	f.Fuzz(func(t *testing.T, s string) {
		r := reader{me: helper, names: named}
		text, mentioned := r.mrkdwn(s)
		if mentioned && !strings.Contains(s, "<@U42HELPER") {
			t.Errorf("%q mentions the bot", s)
		}
		if !strings.ContainsAny(s, "<&`") && text != s {
			t.Errorf("%q became %q", s, text)
		}
	})
}

func TestRecentForgetsTheOldest(t *testing.T) {
	var r recent
	for i := range maxRecent + 2 {
		r.add(fmt.Sprint(i))
		r.add(fmt.Sprint(i))
	}
	if r.has("0") || r.has("1") || !r.has("2") || !r.has(fmt.Sprint(maxRecent+1)) || len(r.there) != maxRecent {
		t.Errorf("%d names, 0: %v, 2: %v", len(r.there), r.has("0"), r.has("2"))
	}
}
