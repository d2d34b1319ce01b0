package console_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"talaria/adapters/console"
	"talaria/core/chat"
)

var style = regexp.MustCompile(`\x1b\[[0-9]+m`)

// FuzzRender: whatever an answer holds, a terminal gets text and styles.
func FuzzRender(f *testing.F) {
	for _, seed := range []string{
		"plain", "# head\n\n**bold** _x_ `c` ~~s~~ [l](https://example.com)", "```\ncode\x1b[2J\n```",
		"\x1b]0;title\x07", "\u009b31m", "\u202eabc", "| a | b |\n|---|---|\n| 1 | 2 |", "\r\n\t\x00",
	} {
		f.Add(seed, seed)
	}
	pipe := console.NewPipe(strings.NewReader(""), nil, console.Options{})
	terminal := console.NewTestTerminal(console.TerminalOptions{}, nil, nil, columns, rows)
	f.Fuzz(func(t *testing.T, markdown, label string) {
		post := chat.Post{Markdown: markdown, Buttons: []chat.Button{{Label: label}}, Files: []chat.Upload{{Name: label}}}
		for _, a := range []chat.Adapter{pipe, terminal} {
			for _, part := range a.Render(post) {
				var p struct{ Text string }
				if err := json.Unmarshal(part.Payload, &p); err != nil {
					t.Fatal(err)
				}
				text := p.Text
				if a == terminal {
					text = style.ReplaceAllString(text, "")
				}
				for _, r := range text {
					if unicode.IsControl(r) && r != '\n' || unicode.Is(unicode.Bidi_Control, r) {
						t.Errorf("%q is rendered as %q", markdown, p.Text)
					}
				}
			}
		}
	})
}
