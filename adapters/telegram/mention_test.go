package telegram_test

import (
	"encoding/json"
	"testing"

	"talaria/core/chat"
)

func TestNamesInATextNotifyNobody(t *testing.T) {
	r := newRig(t, nil)
	for md, want := range map[string]string{
		"ask @durov, @everyone and (@here)":             "ask ＠durov, ＠everyone and (＠here)",
		"🦊 **@durov** `@durov` @a_b1":                   "🦊 ＠durov @durov ＠a_b1",
		"mail ops@example.com":                          "mail ops@example.com",
		"see https://example.com/@durov/1 and /@durov":  "see https://example.com/@durov/1 and /＠durov",
		"```\n@durov\n```\nx.@durov":                    "@durov\n\nx.＠durov",
		"@ alone, @x short, @@durov double, 大家@durov 好": "@ alone, @x short, @＠durov double, 大家@durov 好",
	} {
		parts := r.adapter.Render(chat.Post{Markdown: md})
		var sent struct{ Text string }
		if err := json.Unmarshal(parts[0].Payload, &sent); err != nil {
			t.Fatal(err)
		}
		if sent.Text != want {
			t.Errorf("%q became %q, want %q", md, sent.Text, want)
		}
	}
}
