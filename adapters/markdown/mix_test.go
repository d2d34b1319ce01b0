package markdown_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"talaria/adapters/markdown"
)

// tokens are what markup is made of, and what gets in its way.
var tokens = []string{
	"*", "**", "_", "__", "~~", "`", "``", "```", "~~~", "[", "](", "](https://a.example/c)", "!", ")", "|", "\\", "$", "&",
	"<", "<b>", "</b>", "<br>", "<a href=\"http://x.example\">", "</a>", "<summary>", "</summary>", "<!-- x -->",
	"# ", "- ", "1. ", "> ", "    ", "\t", "| ", "|---|---|\n", "\n", "\n", "\n\n", "\r\n", " ", " ", " ",
	"a", "b", "word", "字", "。", "é", "👩‍👩‍👧", "\u200b", "\x1b[1m", "\xff", "&amp;", "@here", ":tada:", "a.md",
	"https://x.example/z_z_", "javascript:", "[^1]", "[^1]: n", "[x]", "[x]: http://q.example",
}

func TestAnyMixOfMarkupIsWellFormed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		md := strings.Join(rapid.SliceOfN(rapid.SampledFrom(tokens), 1, 60).Draw(t, "tokens"), "")
		for _, platform := range platforms {
			parts, err := markdown.Render(platform, md)
			if err != nil {
				t.Fatal(err)
			}
			if problem := broken(platform, parts); problem != "" {
				t.Fatalf("%s: %s of %q", platform, problem, md)
			}
			preview(t, platform, md)
		}
	})
}
