package markdown_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"talaria/adapters/markdown"
)

// composer writes random answers out of numbered words and addresses, so that
// a test can tell whether all of them arrive, whole and in order. The blocks
// are drawn, so that a failure shrinks; the words in them only follow a seed.
type composer struct {
	t     *rapid.T
	rand  *rand.Rand
	words int
	urls  int
}

func (c *composer) pick(label string, n int) int { return rapid.IntRange(0, n-1).Draw(c.t, label) }

func (c *composer) choose(from ...string) string { return from[c.rand.IntN(len(from))] }

func (c *composer) word() string {
	c.words++
	return fmt.Sprintf("w%dx", c.words)
}

func (c *composer) url() string {
	c.urls++
	return fmt.Sprintf("https://e.example/u%dx/%s?a=1&b=(2)", c.urls, strings.Repeat("p", c.rand.IntN(60)))
}

// text is n words, some of them styled, in between other scripts and marks.
func (c *composer) text(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(c.choose(" ", " ", " ", ", ", ". ", "\n", "！"))
		}
		switch c.rand.IntN(14) {
		case 0:
			fmt.Fprintf(&b, "**%s %s**", c.word(), c.word())
		case 1:
			fmt.Fprintf(&b, "*%s*", c.word())
		case 2:
			fmt.Fprintf(&b, "~~%s **%s** *%s*~~", c.word(), c.word(), c.word())
		case 3:
			fmt.Fprintf(&b, "`%s && <%s>`", c.word(), c.word())
		case 4:
			fmt.Fprintf(&b, "[%s **%s**](<%s>)", c.word(), c.word(), c.url())
		case 5:
			b.WriteString(c.url() + " ")
		case 6:
			b.WriteString(c.word() + "👩‍👩‍👧‍👦**ｘ：**字" + c.word())
		case 7:
			b.WriteString(c.choose("a & b", "<b", "2 * 3", "a_b", "||s||", "~5", "# x", "> y", "@everyone"))
		default:
			b.WriteString(c.word())
		}
	}
	return b.String()
}

func (c *composer) block() string {
	switch c.pick("block", 8) {
	case 0:
		return "## " + strings.ReplaceAll(c.text(3), "\n", " ")
	case 1:
		return c.list()
	case 2:
		return "> " + strings.ReplaceAll(c.text(c.pick("quoted", 120)+1), "\n", "\n> ")
	case 3:
		return c.code()
	case 4:
		return c.table()
	default:
		return c.text(c.pick("words", 300) + 1)
	}
}

func (c *composer) list() string {
	var b strings.Builder
	for i := range c.pick("items", 40) + 1 {
		fmt.Fprintf(&b, "%s%s %s\n", strings.Repeat("  ", c.rand.IntN(3)), []string{"-", "1."}[i%2],
			strings.ReplaceAll(c.text(c.rand.IntN(8)+1), "\n", " "))
	}
	return b.String()
}

func (c *composer) code() string {
	var b strings.Builder
	b.WriteString("```go\n")
	for range c.pick("lines", 120) + 1 {
		fmt.Fprintf(&b, "%sif %s && <%s> {}\n", strings.Repeat("\t", c.rand.IntN(3)), c.word(), c.word())
	}
	return b.String() + "```"
}

func (c *composer) table() string {
	var b strings.Builder
	b.WriteString("| Head | Other |\n|---|--:|\n")
	wide := strings.Repeat("y", c.pick("width", 2)*70)
	for range c.pick("rows", 80) + 1 {
		fmt.Fprintf(&b, "| %s %s | %s |\n", c.word(), wide, c.word())
	}
	return b.String()
}

var (
	wordPattern = regexp.MustCompile(`w\d+x`)
	urlPattern  = regexp.MustCompile(`https://e\.example/u\d+x/p*\?a=1&(?:amp;)?b=(?:\(2\)|%282%29)`)
)

func TestPartsKeepAllTextWithinLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := composer{t: t, rand: rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))}
		var blocks []string
		for range c.pick("blocks", 12) + 1 {
			blocks = append(blocks, c.block())
		}
		md := strings.Join(blocks, "\n\n")
		for _, platform := range platforms {
			parts, err := markdown.Render(platform, md)
			if err != nil {
				t.Fatal(err)
			}
			if problem := broken(platform, parts); problem != "" {
				t.Fatalf("%s: %s", platform, problem)
			}
			if got := words(parts); !attachedWhole(parts) && !slices.Equal(got, c.wanted()) {
				t.Fatalf("%s: %d words in, these out: %v", platform, c.words, got)
			}
			if n := addresses(parts); !attachedWhole(parts) && n != c.urls {
				t.Fatalf("%s: %d addresses in, %d out", platform, c.urls, n)
			}
		}
	})
}

func (c *composer) wanted() []string {
	var all []string
	for i := range c.words {
		all = append(all, fmt.Sprintf("w%dx", i+1))
	}
	return all
}

// attachedWhole tells whether the answer was too long for messages.
func attachedWhole(parts []markdown.Part) bool {
	last := parts[len(parts)-1]
	return last.File != nil && last.File.Name == "answer.md"
}

func words(parts []markdown.Part) []string {
	var all []string
	for _, p := range parts {
		all = append(all, wordPattern.FindAllString(p.Text, -1)...)
		if p.File != nil {
			all = append(all, wordPattern.FindAllString(p.File.Text, -1)...)
		}
	}
	return all
}

// addresses counts the different addresses that arrive whole.
func addresses(parts []markdown.Part) int {
	found := map[string]bool{}
	for _, p := range parts {
		text := p.Text
		for _, e := range p.Entities {
			text += " " + e.URL
		}
		for _, u := range urlPattern.FindAllString(text, -1) {
			found[strings.SplitN(u, "/", 5)[3]] = true
		}
	}
	return len(found)
}
