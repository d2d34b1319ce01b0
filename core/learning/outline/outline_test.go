package outline_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talaria/core/learning/outline"
)

const body = `Brew tea.

## When to use it

For guests.

## Steps

1. Boil water.
2. Pour.

` + "```sh\n# Pitfalls\nkettle on\n```" + `

## 注意

- 水要烧开

## When not to use

- For coffee.
`

func TestPartsAreFoundByTheirHeadings(t *testing.T) {
	for part, want := range map[outline.Part]bool{
		outline.When: true, outline.Steps: true, outline.Pitfalls: true, outline.Limits: true, outline.Template: true,
		outline.Rules: false, outline.Success: false, outline.Parameters: false,
	} {
		if got := outline.Has(body, part); got != want {
			t.Errorf("has %q: %v", part, got)
		}
	}
	if n := outline.CountSteps(body); n != 2 {
		t.Errorf("%d steps", n)
	}
	if diff := cmp.Diff([]string{"Brew tea.", "For guests.", "Boil water.", "Pour.", "水要烧开", "For coffee."}, outline.Items(body)); diff != "" {
		t.Error(diff)
	}
}

func TestAddingKeepsWhatIsThere(t *testing.T) {
	for _, c := range []struct {
		part outline.Part
		want string
	}{
		{outline.Pitfalls, "- 水要烧开\n- Warm\n\n## When not to use"},
		{outline.Limits, "- For coffee.\n- Warm\n"},
		{outline.When, "For guests.\n\n- Warm\n\n## Steps"},
		{outline.Rules, "- For coffee.\n\n## Rules\n\n- Warm\n"},
	} {
		got := outline.Add(body, c.part, "Warm")
		if !strings.Contains(got, c.want) {
			t.Errorf("%s:\n%s", c.part, got)
		}
		if rest := strings.Replace(got, "- Warm\n", "", 1); !strings.HasPrefix(rest, "Brew tea.") || !strings.HasSuffix(got, "\n") || strings.HasSuffix(got, "\n\n") {
			t.Errorf("%s: the ends are\n%q", c.part, got)
		}
	}
	if got := outline.Add("", outline.Rules, "one\n## two"); got != "## Rules\n\n- one ## two\n" {
		t.Errorf("a new body: %q", got)
	}
	if got := outline.Add(body, outline.Rules); got != body {
		t.Error("nothing added changed something")
	}
}

func FuzzAdd(f *testing.F) {
	f.Add(body, "Warm")
	f.Add("```\n## Rules", "x")
	f.Add("## Rules", "")
	f.Fuzz(func(t *testing.T, b, line string) {
		got := outline.Add(b, outline.Rules, line)
		if len(got) <= len(strings.TrimRight(b, "\n")) {
			t.Errorf("%q became %q", b, got)
		}
	})
}

func TestAPointIsPutLast(t *testing.T) {
	const body = "# Tea\n\n## Rules\n\n- green first\n- black first\n\n## Steps\n\n1. green first\n2. pour\n"
	if got, want := outline.Last(body, outline.Rules, "green first"), strings.Replace(body, "- green first\n- black first\n", "- black first\n- green first\n", 1); got != want {
		t.Errorf("%q", got)
	}
	for _, point := range []string{"black first", "white first", "", "pour"} { // last, nowhere, nothing, elsewhere
		if got := outline.Last(body, outline.Rules, point); got != body {
			t.Errorf("%q: %q", point, got)
		}
	}
}

// TestANewPartIsHeadedAsTheOthersAre: a skill in Chinese stays one, and each
// heading is known again as the part that it is.
func TestANewPartIsHeadedAsTheOthersAre(t *testing.T) {
	for _, p := range append(outline.Expected(), outline.Template, outline.Rules, outline.Related) {
		body := outline.Add("# 泡茶\n\n## 步骤 1\n\n1. 烧水\n", p, "茶")
		if !outline.Has(body, p) || strings.Contains(body, "## "+string(p)+"\n") {
			t.Errorf("%s is added as\n%s", p, body)
		}
		if body := outline.Add("# 泡茶\n\n## Brewing\n\n1. 烧水\n", p, "茶"); !strings.Contains(body, "## "+string(p)+"\n") {
			t.Errorf("%s is added as\n%s", p, body)
		}
	}
}
