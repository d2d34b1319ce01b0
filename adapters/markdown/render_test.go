package markdown_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"talaria/adapters/markdown"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestConstructs shows what becomes of each construct on each platform. In the
// golden files a zero-width space is written {0}.
func TestConstructs(t *testing.T) {
	sources, err := filepath.Glob("testdata/constructs/*.md")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no sources: %v", err)
	}
	for _, source := range sources {
		t.Run(strings.TrimSuffix(filepath.Base(source), ".md"), func(t *testing.T) {
			md, err := os.ReadFile(source)
			if err != nil {
				t.Fatal(err)
			}
			got := renderings(t, string(md))
			golden := strings.TrimSuffix(source, ".md") + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// renderings is an answer in all forms, as a golden file has it.
func renderings(t *testing.T, md string) string {
	t.Helper()
	var b strings.Builder
	for _, platform := range platforms {
		parts, err := markdown.Render(platform, md)
		if err != nil {
			t.Fatal(err)
		}
		if problem := broken(platform, parts); problem != "" {
			t.Errorf("%s: %s", platform, problem)
		}
		for _, p := range parts {
			fmt.Fprintf(&b, "-- %s --\n%s\n", platform, p.Text)
			for _, e := range p.Entities {
				fmt.Fprintf(&b, "%d+%d %s %q%s%s\n", e.Offset, e.Length, e.Type, covered(p.Text, e), spaced(e.URL), spaced(e.Language))
			}
		}
	}
	fmt.Fprintf(&b, "-- plain --\n%s\n", markdown.Plain(md))
	fmt.Fprintf(&b, "-- terminal --\n%s\n", strings.ReplaceAll(markdown.Terminal(md, true), "\x1b", "ESC"))
	return strings.ReplaceAll(b.String(), "\u200b", "{0}")
}

func covered(text string, e markdown.Entity) string {
	units := utf16.Encode([]rune(text))
	return string(utf16.Decode(units[e.Offset : e.Offset+e.Length]))
}

func spaced(s string) string {
	if s == "" {
		return ""
	}
	return " " + s
}

func TestNothingToSeeIsNoPart(t *testing.T) {
	for _, md := range []string{"", " \n\t\n", "\u200b", "&nbsp;", "<!-- note -->", "```\n```", "\x00\x1b[0m"} {
		for _, platform := range platforms {
			parts, err := markdown.Render(platform, md)
			if err != nil {
				t.Fatal(err)
			}
			if len(parts) != 0 {
				t.Errorf("%s %q: %d parts", platform, md, len(parts))
			}
			if _, ok, _ := markdown.Preview(platform, md); ok {
				t.Errorf("%s %q: a preview", platform, md)
			}
		}
	}
}

func TestUnknownPlatformIsAnError(t *testing.T) {
	if _, err := markdown.Render("pigeon", "x"); err == nil {
		t.Error("rendered")
	}
	if _, _, err := markdown.Preview("pigeon", "x"); err == nil {
		t.Error("previewed")
	}
}

func TestLongBlockBecomesFile(t *testing.T) {
	source := strings.Repeat("print('a line of a rather long program')\n", 500)
	md := "Before.\n\n```python\n" + source + "```\n\nAfter.\n\n```python\n" + source + "```\n"
	for _, platform := range platforms {
		parts, err := markdown.Render(platform, md)
		if err != nil {
			t.Fatal(err)
		}
		if len(parts) != 2 || parts[0].File == nil || parts[1].File == nil {
			t.Fatalf("%s: %d parts, want two with files", platform, len(parts))
		}
		want := []markdown.File{{Name: "code.py", Text: source}, {Name: "code-2.py", Text: source}}
		if diff := cmp.Diff(want, []markdown.File{*parts[0].File, *parts[1].File}); diff != "" {
			t.Errorf("%s: %s", platform, diff)
		}
		for i, text := range []string{"Before.", "After."} {
			if !strings.HasPrefix(parts[i].Text, text) {
				t.Errorf("%s: part %d is %q", platform, i, parts[i].Text)
			}
		}
	}
}

func TestLongTableBecomesFile(t *testing.T) {
	md := "| Item | Price |\n|---|--:|\n" + strings.Repeat("| something to be bought | 12 |\n", 900)
	for _, platform := range platforms {
		parts, err := markdown.Render(platform, md)
		if err != nil {
			t.Fatal(err)
		}
		if len(parts) != 1 || parts[0].File == nil || parts[0].File.Name != "table.txt" {
			t.Fatalf("%s: %+v", platform, parts)
		}
		if lines := strings.Count(parts[0].File.Text, "\n"); lines != 902 {
			t.Errorf("%s: %d lines in the file", platform, lines)
		}
	}
}

func TestTooManyPartsBecomeOneAndFile(t *testing.T) {
	md := strings.Repeat("A sentence of an answer that does not end. ", 3000)
	for _, platform := range platforms {
		parts, err := markdown.Render(platform, md)
		if err != nil {
			t.Fatal(err)
		}
		if len(parts) != 2 || parts[1].File == nil {
			t.Fatalf("%s: %d parts", platform, len(parts))
		}
		if diff := cmp.Diff(markdown.File{Name: "answer.md", Text: md}, *parts[1].File); diff != "" {
			t.Errorf("%s: %s", platform, diff)
		}
	}
}

func TestTerminalWithoutColorHasNoSequences(t *testing.T) {
	if got := markdown.Terminal(answer+"\x1b[31m", false); strings.Contains(got, "\x1b") {
		t.Errorf("escape sequence in %q", got)
	}
}

func ExampleTelegram() {
	for _, p := range markdown.Telegram("The **fox** 🦊 reads [docs](https://docs.example)") {
		fmt.Println(p.Text)
		for _, e := range p.Entities {
			fmt.Println(e.Type, e.Offset, e.Length)
		}
	}
	// Output:
	// The fox 🦊 reads docs
	// bold 4 3
	// text_link 17 4
}

func ExampleSlack() {
	for _, p := range markdown.Slack("**Map<K, V>** and `a && b`") {
		fmt.Println(p.Text)
	}
	// Output: *Map&lt;K, V&gt;* and `a &amp;&amp; b`
}

// A label that names another host than the one that it leads to has the address
// behind it; one that names a file or the host itself stays as it is.
func TestALabelMayNotNameAnotherHost(t *testing.T) {
	for md, spelled := range map[string]bool{
		"[bank.com](https://evil.example/x)":                                              true,
		"[Log in at bank.com](https://evil.example/x)":                                    true,
		"[bank.com](https://bank.com.evil.example)":                                       true,
		"[bank.com](https://login.bank.com/x)":                                            false,
		"[socket.io](https://code.example/socketio/socket.io)":                            false,
		"[main.go](https://code.example/blob/main.go), [v1.2](https://code.example/v1.2)": false,
	} {
		for _, part := range markdown.Discord(md) {
			if got := strings.Contains(part.Text, "(<"+"https://") || strings.Contains(part.Text, " (https://"); got != spelled {
				t.Errorf("%q became %q", md, part.Text)
			}
		}
	}
}
