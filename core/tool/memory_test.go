package tool_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/tool"
)

// notebook writes down what it is told.
type notebook struct{ said []string }

func (n *notebook) note(format string, args ...any) (string, error) {
	n.said = append(n.said, fmt.Sprintf(format, args...))
	return "kept", nil
}

func (n *notebook) Add(_ context.Context, text, kind string, o chat.Origin) (string, error) {
	return n.note("add %q %s %s", text, kind, o)
}

func (n *notebook) Replace(_ context.Context, old, text string, o chat.Origin) (string, error) {
	return n.note("replace %q %q %s", old, text, o)
}

func (n *notebook) Remove(_ context.Context, old string, o chat.Origin) (string, error) {
	return n.note("remove %q %s", old, o)
}

func TestMemoryPassesOnWhereAStatementComesFrom(t *testing.T) {
	tests := []struct {
		name, args, spoken string
		context            chat.Origin
		want               string
	}{
		{"clean turn", `{"action":"add","text":"Likes tea"}`, "I like tea", chat.Member, `add "Likes tea" work member`},
		{"nothing seen", `{"action":"add","text":"x"}`, "", chat.Self, `add "x" work member`},
		{"after a page", `{"action":"add","text":"Likes tea","kind":"profile"}`, "read that page", chat.External, `add "Likes tea" profile external`},
		{"after a page, but said", `{"action":"add","text":"I like  green tea."}`, "Remember: i like GREEN tea!", chat.External, `add "I like  green tea." work member`},
		{"after a page, said in Chinese", `{"action":"add","text":"我喜欢绿茶"}`, "请记住我喜欢绿茶。", chat.External, `add "我喜欢绿茶" work member`},
		{"part of a word is not said", `{"action":"add","text":"art"}`, "my heart", chat.External, `add "art" work external`},
		{"part of a word, then the word", `{"action":"add","text":"art"}`, "my heart is in art", chat.External, `add "art" work member`},
		{"after a tool", `{"action":"replace","old":"a","text":"b"}`, "", chat.TrustedTool, `replace "a" "b" trusted tool`},
		{"removing after a page", `{"action":"remove","old":"secret rule"}`, "", chat.External, `remove "secret rule" external`},
		{"removing as said", `{"action":"remove","old":"tea"}`, "forget tea", chat.External, `remove "tea" member`},
		{"only punctuation", `{"action":"add","text":"..."}`, "...", chat.External, `add "..." work external`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := &notebook{}
			one := bound(t, &tool.Set{}, tool.Binding{Principal: member, Memory: n}, "memory")
			if _, err := invoke(t, one, tt.args, agent.Invocation{Context: tt.context, Spoken: tt.spoken}); err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(n.said, ";"); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestMemoryRefusesWhatMakesNoSense(t *testing.T) {
	n := &notebook{}
	one := bound(t, &tool.Set{}, tool.Binding{Principal: member, Memory: n}, "memory")
	for _, args := range []string{
		`{"action":"add"}`, `{"action":"add","text":" "}`, `{"action":"replace","text":"a"}`, `{"action":"replace","old":"a"}`,
		`{"action":"remove"}`, `{"action":"forget","text":"a","old":"b"}`, `{"action":"add","text":"a","kind":"skill"}`, `{"action":7}`,
	} {
		if _, err := invoke(t, one, args, agent.Invocation{}); err == nil || len(n.said) > 0 {
			t.Errorf("%s: %v, %q", args, err, n.said)
		}
	}
}

// shelf finds the words it is asked for.
type shelf struct{}

func (shelf) Search(_ context.Context, query string, limit int) ([]tool.Hit, error) {
	switch query {
	case "nothing":
		return nil, nil
	case "broken":
		return nil, errors.New("index unavailable")
	}
	at := time.Date(2030, 1, 2, 3, 4, 0, 0, time.UTC)
	return []tool.Hit{
		{At: at, Place: "#plans", Snippet: fmt.Sprintf("%s, %d", query, limit), Link: "https://chat.example/1", Origin: chat.Member},
		{At: at, Place: "here", Snippet: "a page said", Origin: chat.External},
	}, nil
}

func TestSessionSearch(t *testing.T) {
	one := bound(t, &tool.Set{}, tool.Binding{Principal: member, Searcher: shelf{}}, "session_search")
	res, err := invoke(t, one, `{"query":"budget","limit":99}`, agent.Invocation{})
	want := "1. 2030-01-02 03:04 UTC, #plans https://chat.example/1\nbudget, 20\n\n2. 2030-01-02 03:04 UTC, here \na page said"
	if err != nil || res.Text != want || res.Origin != chat.External {
		t.Errorf("%q from %s, %v", res.Text, res.Origin, err)
	}
	if res, err := invoke(t, one, `{"query":"nothing"}`, agent.Invocation{}); err != nil || !strings.Contains(res.Text, "Nothing was found") {
		t.Errorf("%q, %v", res.Text, err)
	}
	for _, args := range []string{`{"query":" "}`, `{"query":"broken"}`, `{"query":7}`} {
		if _, err := invoke(t, one, args, agent.Invocation{}); err == nil {
			t.Errorf("%s: no error", args)
		}
	}
}

func TestTime(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	one := bound(t, &tool.Set{Now: noon}, tool.Binding{Principal: member, Zone: berlin}, "time")
	for args, want := range map[string]string{
		`{}`:                        "Monday, 2030-03-04 13:00:00 +01:00 Europe/Berlin",
		`{"zone":"Asia/Kathmandu"}`: "Monday, 2030-03-04 17:45:00 +05:45 Asia/Kathmandu",
	} {
		if res, err := invoke(t, one, args, agent.Invocation{}); err != nil || res.Text != want {
			t.Errorf("%s: %q, %v", args, res.Text, err)
		}
	}
	for _, zone := range []string{"Mars/Base", "../../etc/passwd", "Local"} {
		if res, err := invoke(t, one, `{"zone":"`+zone+`"}`, agent.Invocation{}); err == nil {
			t.Errorf("%s: %q", zone, res.Text)
		}
	}
}
