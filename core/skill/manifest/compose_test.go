package manifest_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"talaria/core/skill/manifest"
)

// anyText is a text as a field may have it: something in it, no blanks at its ends.
func anyText() *rapid.Generator[string] {
	raw := rapid.OneOf(
		rapid.StringMatching(`[a-zA-Z0-9 :#,'"\[\]{}&*!|>%@\\-]{1,30}`),
		rapid.StringN(1, 30, -1),
		rapid.SampledFrom([]string{"yes", "Null", "1.10", "2026-01-01", "- x", "a: b", "~", "<<", "---", "日报", "x\ny", "it's \"so\""}),
	)
	printable := rapid.Map(raw, func(s string) string {
		return strings.TrimSpace(strings.Map(func(c rune) rune {
			if c != '\n' && unicode.IsControl(c) {
				return -1
			}
			return c
		}, strings.ToValidUTF8(s, "?")))
	})
	return printable.Filter(func(s string) bool { return s != "" && strings.IndexAny(s, "“„‘«”") != 0 })
}

func anyList() *rapid.Generator[[]string] {
	return rapid.Custom(func(t *rapid.T) []string {
		list := rapid.SliceOfNDistinct(anyText(), 0, 3, rapid.ID).Draw(t, "list")
		if len(list) == 0 {
			return nil
		}
		return list
	})
}

func TestComposedFieldsAreReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, list := func(name string) string { return anyText().Draw(t, name) }, func(name string) []string { return anyList().Draw(t, name) }
		f := manifest.Fields{
			Name:        rapid.StringMatching(`[a-z0-9]{1,8}(-[a-z0-9]{1,8}){0,3}`).Draw(t, "name"),
			Description: text("description"), Version: text("version"), Author: text("author"), License: text("license"), Category: text("category"),
			Tags: list("tags"), Triggers: list("triggers"), Tools: list("tools"), RelatedSkills: list("related"),
			Permissions: manifest.Permissions{
				Hosts: rapid.SampledFrom([][]string{nil, {"*"}, {"a.example", "b.example"}}).Draw(t, "hosts"), Schedules: rapid.Bool().Draw(t, "schedules"),
				Memory: rapid.Bool().Draw(t, "memory"), Scripts: rapid.Bool().Draw(t, "scripts"),
			},
			Platforms: rapid.SampledFrom([][]string{nil, {"linux"}, {"darwin", "slack"}}).Draw(t, "platforms"),
			Requires:  manifest.Requires{Tools: list("tools needed"), Bins: list("bins"), Env: list("env"), Skills: list("skills")},
			Body:      text("body") + "\n",
		}
		if rapid.Bool().Draw(t, "configured") {
			f.Config = []manifest.Option{{Key: text("key"), Description: text("what"), Default: text("default")}, {Key: text("key")}}
			f.Tests = []manifest.Test{{Script: text("script"), Args: list("args"), Expect: text("expected")}, {Script: text("script")}}
		}
		m, messages, err := manifest.Read(manifest.Compose(f), f.Name)
		if err != nil {
			t.Fatal(err, string(manifest.Compose(f)))
		}
		if diff := cmp.Diff(f, m.Fields); diff != "" {
			t.Fatalf("%s\n%s", diff, manifest.Compose(f))
		}
		if manifest.Worst(messages) != manifest.OK || m.Unknown != nil {
			t.Fatalf("%v %v", messages, m.Unknown)
		}
	})
}

func ExampleCompose() {
	fmt.Print(string(manifest.Compose(manifest.Fields{
		Name:        "tea-round",
		Description: "Ask who wants tea: black, green or none.",
		Triggers:    []string{"tea", "kettle"},
		Permissions: manifest.Permissions{Schedules: true},
		Body:        "1. Ask.\n2. Count.\n",
	})))
	// Output:
	// ---
	// name: tea-round
	// description: "Ask who wants tea: black, green or none."
	// metadata:
	//   talaria:
	//     triggers: [tea, kettle]
	//     permissions:
	//       schedules: true
	// ---
	//
	// 1. Ask.
	// 2. Count.
}

func ExampleRead() {
	m, messages, err := manifest.Read([]byte("---\nname: Tea Round\ndescription: Ask around: who wants tea?\n---\n\n1. Ask.\n"), "tea-round")
	fmt.Println(m.Name, "-", m.Description, err)
	for _, message := range messages {
		fmt.Println(message.Level, message.Text)
	}
	// Output:
	// tea-round - Ask around: who wants tea? <nil>
	// warn "description" has a value that must be in quotes to be YAML; it was read as text
	// warn The name "Tea Round" is not of small letters, digits and hyphens; it is kept as "tea-round"
}
