package slack

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// checkSections checks what a message with buttons must be: its text, all of
// it, in sections that Slack takes.
func checkSections(t *testing.T, text string) {
	t.Helper()
	all := sections(text)
	balanced := strings.Count(text, fenceMark)%2 == 0
	for i, s := range all {
		if n := utf8.RuneCountInString(s); n > maxSection || !utf8.ValidString(s) {
			t.Errorf("section %d has %d characters, valid: %v", i, n, utf8.ValidString(s))
		}
		if balanced && strings.Count(s, fenceMark)%2 != 0 {
			t.Errorf("section %d leaves a code block open", i)
		}
	}
	bare := strings.NewReplacer("\n", "", fenceMark, "")
	if got, want := bare.Replace(strings.Join(all, "\n")), bare.Replace(text); got != want {
		t.Errorf("%d of %d characters are left", len(got), len(want))
	}
}

func TestSections(t *testing.T) {
	for name, text := range map[string]string{
		"short":       "hi",
		"one line":    strings.Repeat("x", 7000),
		"wide":        strings.Repeat("é", 4000),
		"words":       strings.Repeat("some words ", 600),
		"code":        "```\n" + strings.Repeat("a line of code\n", 400) + "```\nafter",
		"a long link": strings.Repeat("y ", 1450) + "<https://a.example/" + strings.Repeat("z", 200) + "|a label>" + strings.Repeat(" w", 500),
	} {
		t.Run(name, func(t *testing.T) { checkSections(t, text) })
	}
	for _, s := range sections(strings.Repeat("y ", 1450) + "<https://a.example/" + strings.Repeat("z", 200) + "|a label>" + strings.Repeat(" w", 500)) {
		if strings.Count(s, "<") != strings.Count(s, ">") {
			t.Error("a link is cut")
		}
	}
}

// FuzzSections: whatever the text, it comes whole and fits.
func FuzzSections(f *testing.F) {
	f.Add("```", "a <b|c> ", 900)
	f.Add("é\n", "```\nx", 1200)
	f.Fuzz(func(t *testing.T, head, body string, n int) {
		text := head + strings.Repeat(body, max(0, min(n, 8000/(len(body)+1))))
		if utf8.ValidString(text) && strings.Count(text, "`")%3 == 0 && !strings.Contains(text, "````") {
			checkSections(t, text)
		}
	})
}
