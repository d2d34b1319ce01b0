package markdown_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"talaria/adapters/markdown"
)

func preview(t interface{ Fatal(...any) }, platform, md string) string {
	p, _, err := markdown.Preview(platform, md)
	if err != nil {
		t.Fatal(err)
	}
	if p.Text == "" {
		return ""
	}
	if problem := broken(platform, []markdown.Part{p}); problem != "" {
		t.Fatal(fmt.Sprintf("%s of %q", problem, md))
	}
	return p.Text
}

func TestPreviewOfGrowingProseOnlyGrows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-z]{1,12}[.,]?|[一-十]{1,6}。?`)
		platform := rapid.SampledFrom(platforms).Draw(t, "platform")
		md, shown := "", ""
		for len(md) < 600 {
			md += word.Draw(t, "word") + rapid.SampledFrom([]string{" ", " ", "\n", "\n\n"}).Draw(t, "gap")
			now := preview(t, platform, md)
			if !strings.HasPrefix(now, shown) {
				t.Fatalf("%q became %q", shown, now)
			}
			shown = now
		}
	})
}

func TestPreviewOfOverlongProseStays(t *testing.T) {
	for _, platform := range platforms {
		md := strings.Repeat("Another sentence of a long answer. ", 130)
		want := preview(t, platform, md)
		for range 50 {
			md += "And one more, which is for the next message. "
			if got := preview(t, platform, md); got != want {
				t.Fatalf("%s: changed to %q", platform, got)
			}
		}
	}
}

func TestPreviewShowsNoHalfMarkup(t *testing.T) {
	for _, platform := range platforms {
		final := preview(t, platform, answer)
		for end := range answer {
			got := preview(t, platform, answer[:end])
			for _, raw := range []string{`\*`, "\\`", `\_`, "](h", "\u200b"} {
				if !strings.Contains(final, raw) && strings.Contains(got, raw) {
					t.Fatalf("%s: %q in the preview of %q", platform, raw, answer[max(0, end-40):end])
				}
			}
		}
	}
}

func TestPreviewClosesWhatIsOpen(t *testing.T) {
	for md, want := range map[string]string{
		"a **b":                    "a **b**",
		"a **b *c":                 "a **b _c_**",
		"a **b**":                  "a **b**",
		"a **":                     "a",
		"a *b* *":                  "a _b_",
		"a ~~b c":                  "a ~~b c~~",
		"a `b":                     "a `b`",
		"a `b` `":                  "a `b`",
		"a ``b`":                   "a `b`",
		"**a `b":                   "**a** `b`",
		"see [the docs](https://e": "see the docs",
		"see [":                    "see",
		"see ![":                   "see",
		"text\n-":                  "text",
		"text\n1.":                 "text",
		"text\n\n##":               "text",
		"```go\nx := 1\n``":        "```go\nx := 1\n```",
		"```go\nx := \"**":         "```go\nx := \"**\n```",
		"2 * 3":                    "2 * 3",
		"a_b_":                     "a_b",
		"in\n42":                   "in\n42",
		"x\n\n```\ny\n```\n\n**z":  "x\n\n```\ny\n```\n\n**z**",
	} {
		if got := preview(t, markdown.PlatformDiscord, md); got != want {
			t.Errorf("%q shows %q, want %q", md, got, want)
		}
	}
}
