package markdown_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"talaria/adapters/markdown"
)

// hostile inputs make naive parsers and splitters quadratic, or worse.
func hostile(size int) map[string]string {
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	half := func(a, b string) string {
		return strings.Repeat(a, size/2/len(a)) + strings.Repeat(b, size/2/len(b))
	}
	return map[string]string{
		"one word":                "x" + fill("x"),
		"words":                   fill("lorem ipsum "),
		"short lines":             fill("a\n"),
		"paragraphs":              fill("a\n\n"),
		"open emphasis":           fill("*a_ "),
		"nested emphasis":         half("*a **b ", " c** d*"),
		"open brackets":           fill("["),
		"nested brackets":         half("[", "]"),
		"links":                   fill("[a](http://b.c) "),
		"links within brackets":   "[" + fill("[a](b)") + "]",
		"open link":               fill("[a]("),
		"back-ticks":              fill("`a``b```c````d"),
		"open tags":               fill("<a "),
		"tags":                    fill("<b>x"),
		"paired tags":             half("<b>", "</b>"),
		"comments":                fill("<!--"),
		"quotes":                  fill("> "),
		"quotes and blank lines":  half("> ", "\n"),
		"lists":                   fill("- "),
		"lists and blank lines":   half("- ", "\n"),
		"ordered lists":           half("1. ", "\n"),
		"wide table":              "|" + strings.Repeat("a|", 20) + "\n|" + strings.Repeat("-|", 20) + "\n" + fill("x\n"),
		"wider table":             half("|a", "\n|-"),
		"many tables":             fill("a|b\n-|-\nc\n\n"),
		"footnotes":               half("[^a] ", "\n[^a]: x\n"),
		"references":              half("[a]: http://b.c\n", "[a] "),
		"addresses":               fill("http://a.b/c "),
		"one address":             "http://a.b/" + fill("c"),
		"scheme":                  fill("http://"),
		"entities":                fill("&amp;"),
		"combining":               "e" + fill("\u0301"),
		"joiners":                 fill("👩\u200d"),
		"flags":                   fill("🇺🇸"),
		"code block":              "```\n" + fill("code\n"),
		"one line of code":        "```\n" + fill("c"),
		"fences":                  fill("```\n\n"),
		"styled words":            fill("**b** "),
		"styles without blanks":   fill("**b**_i_"),
		"back-slashes":            fill("\\"),
		"file names":              fill("a.md "),
		"dots":                    fill("."),
		"emoji codes":             fill(":a"),
		"headings":                fill("# a\n"),
		"escape sequences":        fill("\x1b]0;"),
		"invalid":                 fill("\xff\xfea"),
		"nul":                     fill("\x00"),
		"carriage returns":        fill("\r"),
		"full-width punctuation":  fill("**。**"),
		"setext":                  fill("a\n=\n"),
		"html lines":              fill("<div>\n"),
		"definitions in brackets": fill("[a]: <b\n"),
	}
}

// TestHostileInputIsBounded renders what is split into messages, and for one
// platform, since its parsing is the same for all, what is too long to be split.
func TestHostileInputIsBounded(t *testing.T) {
	split, parsed := 10<<10, platforms[:1]
	if os.Getenv("TALARIA_TORTURE") != "" {
		split, parsed = 20<<10, platforms
	}
	for name, md := range hostile(split) {
		t.Run(name, func(t *testing.T) { renderInTime(t, md, platforms) })
	}
	for name, md := range hostile(1 << 20) {
		t.Run(name+" of a mebibyte", func(t *testing.T) { renderInTime(t, md, parsed) })
	}
}

func renderInTime(t *testing.T, md string, platforms []string) {
	t.Helper()
	const patience = 10 * time.Minute // on a slow and busy machine; what is quadratic takes hours
	start := time.Now()
	for _, platform := range platforms {
		parts, err := markdown.Render(platform, md)
		if err != nil {
			t.Fatal(err)
		}
		if problem := broken(platform, parts); problem != "" {
			t.Errorf("%s: %s", platform, problem)
		}
	}
	if took := time.Since(start); took > patience {
		t.Errorf("took %v", took)
	}
}

func TestHugeAnswerGoesAlongAsFile(t *testing.T) {
	md := strings.Repeat("A line of the log.\n", 10<<20/19)
	for _, platform := range platforms {
		parts, err := markdown.Render(platform, md)
		if err != nil {
			t.Fatal(err)
		}
		if len(parts) != 2 || parts[1].File == nil || parts[1].File.Text != md {
			t.Errorf("%s: %d parts, or the file is not whole", platform, len(parts))
		}
	}
}
