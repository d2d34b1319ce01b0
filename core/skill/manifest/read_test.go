package manifest_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talaria/core/skill/manifest"
)

// file is a SKILL.md of a front matter.
func file(front string) string { return "---\n" + front + "\n---\n\n# Steps\n\n1. Begin.\n" }

func TestWellFormedFrontMatterIsReadWithoutComplaint(t *testing.T) {
	for name, c := range map[string]struct{ front, description string }{
		"plain":               {"name: kettle\ndescription: Boil water.", "Boil water."},
		"other order":         {"description: Boil water.\nname: kettle", "Boil water."},
		"continued":           {"name: kettle\ndescription: Boil\n  water.", "Boil water."},
		"literal":             {"name: kettle\ndescription: |\n  Boil.\n   More.\n", "Boil.\n More."},
		"folded":              {"name: kettle\ndescription: >-\n  Boil\n  water.\n\n  Then pour.", "Boil water.\nThen pour."},
		"double quotes":       {`name: "kettle"` + "\n" + `description: "Boil: \"soft\" or \u00b0C"`, `Boil: "soft" or °C`},
		"single quotes":       {"name: 'kettle'\ndescription: 'It''s hot'", "It's hot"},
		"comments":            {"# about\nname: kettle # short\n\ndescription: Boil.\n# end", "Boil."},
		"brackets":            {`{"name": "kettle", "description": "Boil."}`, "Boil."},
		"windows line breaks": {"name: kettle\r\ndescription: Boil.\r", "Boil."},
		"alias":               {"name: kettle\ndescription: &d Boil.\nsummary: *d", "Boil."},
		"other scripts":       {"name: kettle\ndescription: 烧水，然后泡茶 ☕ עם חלב", "烧水，然后泡茶 ☕ עם חלב"},
		"key of two words":    {"name: kettle\ndescription: Boil.\n\nmy notes: many", "Boil."},
		"list at the margin":  {"name: kettle\ndescription: Boil.\ntags:\n- a\n- b", "Boil."},
	} {
		t.Run(name, func(t *testing.T) {
			m, messages, err := manifest.Read([]byte(file(c.front)), "kettle")
			if err != nil || len(messages) > 0 {
				t.Fatalf("%v, %v", messages, err)
			}
			if m.Name != "kettle" || m.Description != c.description {
				t.Errorf("name %q, description %q", m.Name, m.Description)
			}
		})
	}
}

func TestUsualMistakesAreRepairedAndTold(t *testing.T) {
	for name, c := range map[string]struct{ front, name, description, message string }{
		"colon":                 {"name: kettle\ndescription: Boil it. Use when: tea, coffee.", "kettle", "Boil it. Use when: tea, coffee.", "quotes"},
		"colon, continued":      {"name: kettle\ndescription: Boil it. Use when: tea\n  or coffee.", "kettle", "Boil it. Use when: tea or coffee.", "text"},
		"at":                    {"name: kettle\ndescription: @home boiling", "kettle", "@home boiling", "quotes"},
		"back-tick":             {"name: kettle\ndescription: `boil` water", "kettle", "`boil` water", "quotes"},
		"star":                  {"name: kettle\ndescription: *very* hot", "kettle", "*very* hot", "quotes"},
		"exclamation":           {"name: kettle\ndescription: !hot water", "kettle", "!hot water", "quotes"},
		"quote not closed":      {"name: kettle\ndescription: \"Boil water\nversion: 2", "kettle", "Boil water", "text"},
		"quotes inside":         {"name: kettle\ndescription: \"Say \"tea\" first\"", "kettle", `Say "tea" first`, "text"},
		"apostrophe":            {"name: kettle\ndescription: 'It's hot'", "kettle", "It's hot", "text"},
		"not indented":          {"name: kettle\ndescription: Boil\nwater.", "kettle", "Boil water.", "key by key"},
		"other key broken":      {"name: kettle\ndescription: Boil.\nhint: [a] [b]", "kettle", "Boil.", "hint"},
		"metadata broken":       {"name: kettle\ndescription: Boil.\nmetadata: {\"a\": [}", "kettle", "Boil.", "metadata"},
		"tabs":                  {"name: kettle\ndescription: Boil.\nmetadata:\n\thermes:\n\t\ttags: [a]", "kettle", "Boil.", "tabs"},
		"key twice":             {"name: kettle\ndescription: Old.\ndescription: Boil.", "kettle", "Boil.", "twice"},
		"key in capitals":       {"Name: kettle\ndescription: Boil.", "kettle", "Boil.", `"name"`},
		"typographic quotes":    {"name: “kettle”\ndescription: „Boil.“", "kettle", "Boil.", "typographic"},
		"comment in the text":   {"name: kettle\ndescription: Boil for guest #2 only", "kettle", "Boil for guest", "comment"},
		"description a number":  {"name: kettle\ndescription: 100", "kettle", "100", "no text"},
		"metadata as text":      {"name: kettle\ndescription: Boil.\nmetadata: '{\"a\": {\"b\": 1}}'", "kettle", "Boil.", "written as text"},
		"folded on its line":    {"name: kettle\ndescription: > Boil\n  water.", "kettle", "Boil water.", "text"},
		"broken list":           {"name: kettle\ndescription: Boil.\ntriggers:\n  - @tea\n  - a: b: c", "kettle", "Boil.", "triggers"},
		"hash behind a colon":   {"name: kettle\ndescription: Boil for: guest #2", "kettle", "Boil for: guest #2", "quotes"},
		"key indented":          {" name: kettle\ndescription: Boil.", "kettle", "Boil.", "key by key"},
		"block scalar kept":     {"name: kettle\ndescription: Boil.\nmetadata:\n  note: |\n    a: b: c\n  hint: d: e", "kettle", "Boil.", "metadata"},
		"escape in description": {`name: kettle` + "\n" + `description: "Bo\e[31mil."`, "kettle", "Bo[31mil.", "control"},

		"name with blanks":    {"name: Tea Kettle!\ndescription: Boil.", "tea-kettle", "Boil.", "kept as"},
		"name with capitals":  {"name: Kettle\ndescription: Boil.", "kettle", "Boil.", "kept as"},
		"name with accents":   {"name: Théière\ndescription: Boil.", "theiere", "Boil.", "kept as"},
		"name of other signs": {"name: 水壶\ndescription: Boil.", "kettle", "Boil.", "kept as"},
		"name of two signs":   {"name: 水壶 v2\ndescription: Boil.", "kettle", "Boil.", "kept as"},
		"name too long":       {"name: " + strings.Repeat("ab-", 30) + "\ndescription: Boil.", strings.Repeat("ab-", 21) + "a", "Boil.", "64"},
		"name a number":       {"name: 365\ndescription: Boil.", "365", "Boil.", "no text"},
		"name a date":         {"name: 2026-01-01\ndescription: Boil.", "2026-01-01", "Boil.", "no text"},
		"name a device":       {"name: lpt1\ndescription: Boil.", "lpt1", "Boil.", "Windows"},
		"name of its owner":   {"name: acme/kettle\ndescription: Boil.", "acme-kettle", "Boil.", "kept as"},
		"name not the folder": {"name: boiler\ndescription: Boil.", "boiler", "Boil.", "folder"},
		"no name":             {"description: Boil.", "kettle", "Boil.", "folder"},
		"name a list":         {"name: [kettle]\ndescription: Boil.", "kettle", "Boil.", "no text"},
	} {
		t.Run(name, func(t *testing.T) {
			m, messages, err := manifest.Read([]byte(file(c.front)), "kettle")
			if err != nil {
				t.Fatal(err)
			}
			if m.Name != c.name || m.Description != c.description {
				t.Errorf("name %q, description %q", m.Name, m.Description)
			}
			if manifest.Worst(messages) != manifest.Warn || !strings.Contains(texts(messages), c.message) {
				t.Errorf("messages %v", messages)
			}
		})
	}
}

func texts(messages []manifest.Message) string {
	var out strings.Builder
	for _, m := range messages {
		out.WriteString(m.Text + "\n")
	}
	return out.String()
}

func TestOddFilesAreReadAndTold(t *testing.T) {
	good := file("name: kettle\ndescription: Boil.")
	for name, c := range map[string]struct{ file, message string }{
		"blank lines first": {"\n\n" + good, "blanks before"},
		"closed by dots":    {"---\nname: kettle\ndescription: Boil.\n...\n\nText.\n", "dots"},
		"no body":           {"---\nname: kettle\ndescription: Boil.\n---\n", "nothing below"},
		"old line ends":     {strings.ReplaceAll(good, "\n", "\r"), "old Macs"},
		"conflict in text":  {good + "\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n", "merge conflict"},
		"long description":  {file("name: kettle\ndescription: " + strings.Repeat("é", manifest.MaxDescription+1)), "1024"},
	} {
		t.Run(name, func(t *testing.T) {
			m, messages, err := manifest.Read([]byte(c.file), "kettle")
			if err != nil || m.Name != "kettle" || !strings.Contains(texts(messages), c.message) {
				t.Errorf("%q: %v, %v", m.Name, messages, err)
			}
		})
	}
}

func TestUnusableFilesAreRefusedWithTheReason(t *testing.T) {
	good := file("name: kettle\ndescription: Boil.")
	for name, c := range map[string]struct{ file, reason string }{
		"empty":                 {"", "empty"},
		"blank":                 {" \n\n", "empty"},
		"no front matter":       {"# Kettle\n\nBoil.\n", "no front matter"},
		"fence":                 {"```yaml\nname: kettle\n```\n", "code fence"},
		"five dashes":           {"-----\nname: kettle\n-----\n", "5 dashes"},
		"toml":                  {"+++\nname = 'kettle'\n+++\n", "TOML"},
		"not closed":            {"---\nname: kettle\ndescription: Boil.\n\nText.\n", "not closed"},
		"closed by a rule":      {"---\nname: kettle\ndescription: Boil.\n\n# Steps\n\n1. Begin.\n\n---\n\nMore.\n", "never closed"},
		"closed by a far rule":  {"---\nname: kettle\n\nSome words.\n\n---\n", "never closed"},
		"utf-16":                {"\xff\xfe-\x00-\x00-\x00", "UTF-16"},
		"latin-1":               {strings.Replace(good, "Boil", "Br\xfchen", 1), "UTF-8"},
		"zero byte":             {good + "\x00", "zero byte"},
		"conflict":              {file("name: kettle\n<<<<<<< HEAD\ndescription: a\n=======\ndescription: b\n>>>>>>> x"), "merge conflict"},
		"a list":                {file("- name: kettle"), "no list of keys"},
		"a text":                {file("kettle"), "no list of keys"},
		"nothing":               {file(""), "empty"},
		"no description":        {file("name: kettle"), "no description"},
		"description empty":     {file("name: kettle\ndescription: \"  \""), "empty"},
		"description null":      {file("name: kettle\ndescription:"), "empty"},
		"description a list":    {file("name: kettle\ndescription: [Boil]"), "no text"},
		"name up":               {file("name: ../../bin/kettle\ndescription: Boil."), "path"},
		"name absolute":         {file("name: /srv/kettle\ndescription: Boil."), "path"},
		"name on a drive":       {file(`name: D:\kettle` + "\ndescription: Boil."), "path"},
		"name at home":          {file("name: ~/kettle\ndescription: Boil."), "path"},
		"name up, encoded":      {file("name: '%2E%2E%2Fkettle'\ndescription: Boil."), "path"},
		"name up, wide":         {file("name: ．．／kettle\ndescription: Boil."), "path"},
		"past the limit":        {good + strings.Repeat("é", manifest.MaxFile), "100000 characters"},
		"front matter too long": {file("name: kettle\ndescription: Boil.\n" + strings.Repeat("k: v\n", 8000)), "within"},
	} {
		t.Run(name, func(t *testing.T) {
			m, messages, err := manifest.Read([]byte(c.file), "kettle")
			if !errors.Is(err, manifest.ErrRefused) || manifest.Worst(messages) != manifest.Refuse {
				t.Fatalf("read as %q with %v, %v", m.Name, messages, err)
			}
			if last := messages[len(messages)-1].Text; !strings.Contains(last, c.reason) || last != err.Error() {
				t.Errorf("reason %q, error %q", last, err)
			}
		})
	}
}

func TestNoFolderAndNoNameIsRefused(t *testing.T) {
	for _, front := range []string{"description: Boil.", "name: 水壶\ndescription: Boil."} {
		if m, _, err := manifest.Read([]byte(file(front)), ""); !errors.Is(err, manifest.ErrRefused) {
			t.Errorf("%q is called %q, %v", front, m.Name, err)
		}
	}
}

func TestGrowingFrontMatterIsRefusedCheaply(t *testing.T) {
	level := func(name, below string) string {
		return name + ": &" + name + " [" + strings.Repeat(below+",", 9) + "]\n"
	}
	aliases := "l0: &l0 [" + strings.Repeat("lol,", 9) + "]\n"
	for _, l := range []string{"1", "2", "3", "4", "5", "6", "7", "8"} {
		aliases += level("l"+l, "*l"+string(l[0]-1))
	}
	for name, front := range map[string]string{
		"aliases":      aliases,
		"long aliases": "a: &a " + strings.Repeat("x", 8000) + "\nb: [" + strings.Repeat("*a,", 2500) + "]",
		"brackets":     "a: " + strings.Repeat("[", 8000),
		"braces":       "a: " + strings.Repeat("{a: ", 3000),
		"dashes":       "a:\n  " + strings.Repeat("- ", 7000) + "x",
		"questions":    strings.Repeat("? ", 7000) + "x",
	} {
		t.Run(name, func(t *testing.T) {
			data := []byte(file("name: kettle\ndescription: Boil.\n" + front))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, messages, err := manifest.Read(data, "kettle")
			runtime.ReadMemStats(&after)
			if !errors.Is(err, manifest.ErrRefused) || !strings.Contains(texts(messages), "beyond all measure") {
				t.Errorf("%v, %v", messages, err)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 50<<20 {
				t.Errorf("%d bytes were used", used)
			}
		})
	}
}

func TestBytesAreKeptAsTheyCame(t *testing.T) {
	for _, data := range []string{
		"\xef\xbb\xbf---\r\nname: kettle\r\n# note\r\ndescription: Boil: now\r\n---  \r\n\r\ntext", file("version: 1.10\nname: kettle\ndescription:   Boil."),
		"broken", "\xff\x00",
	} {
		m, _, _ := manifest.Read([]byte(data), "kettle")
		if diff := cmp.Diff(data, string(m.Bytes())); diff != "" {
			t.Error(diff)
		}
	}
}

func TestFieldsOfHermes(t *testing.T) {
	m, messages, err := manifest.Read([]byte(file(`name: paper-digest
description: Digest new papers.
version: 1.10
author: Ann
license: MIT
platforms: [macos, Linux]
prerequisites:
  env_vars: [OLD_KEY]
  commands: [curl]
required_environment_variables:
  - name: PAPERS_KEY
    prompt: Key
metadata:
  hermes:
    tags: [research, reading]
    category: research
    related_skills: [arxiv-reader]
    requires_toolsets: [web]
    requires_tools: [web_search]
    config:
      - key: papers.max
        description: How many
        default: 10
    blueprint:
      schedule: "0 9 * * *"`)), "paper-digest")
	if err != nil || len(messages) > 0 {
		t.Fatal(messages, err)
	}
	want := manifest.Fields{
		Name: "paper-digest", Description: "Digest new papers.", Version: "1.10", Author: "Ann", License: "MIT",
		Category: "research", Tags: []string{"research", "reading"}, Platforms: []string{"darwin", "linux"},
		Requires: manifest.Requires{
			Tools: []string{"web_search", "web"}, Bins: []string{"curl"}, Env: []string{"OLD_KEY", "PAPERS_KEY"},
		},
		Config:        []manifest.Option{{Key: "papers.max", Description: "How many", Default: "10"}},
		RelatedSkills: []string{"arxiv-reader"},
		Permissions:   manifest.Permissions{Schedules: true},
		Body:          "# Steps\n\n1. Begin.\n",
	}
	if diff := cmp.Diff(want, m.Fields); diff != "" {
		t.Error(diff)
	}
}

func TestFieldsOfClaudeAndOpenClaw(t *testing.T) {
	m, messages, err := manifest.Read([]byte(file(`name: pull-review
description: Review a pull request.
when_to_use: somebody asks for a review, or shares a link
allowed-tools: Read, Grep Bash(git log:*), Bash(gh pr view:*)
user-invocable: true
metadata: {"openclaw": {"emoji": "R", "os": ["darwin", "win32"], "requires": {"bins": ["gh"], "anyBins": ["rg", "grep"], "env": ["GH_TOKEN"]}}}`)), "")
	if err != nil || len(messages) > 0 {
		t.Fatal(messages, err)
	}
	want := manifest.Fields{
		Name: "pull-review", Description: "Review a pull request.",
		Triggers:  []string{"somebody asks for a review, or shares a link"},
		Tools:     []string{"Read", "Grep", "Bash(git log:*)", "Bash(gh pr view:*)"},
		Platforms: []string{"darwin", "windows"},
		Requires:  manifest.Requires{Bins: []string{"gh", "rg", "grep"}, Env: []string{"GH_TOKEN"}},
		Body:      "# Steps\n\n1. Begin.\n",
	}
	if diff := cmp.Diff(want, m.Fields); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]manifest.Unknown{{Key: "user-invocable", Text: "user-invocable: true\n"}}, m.Unknown); diff != "" {
		t.Error(diff)
	}
}

func TestPermissionsInBothForms(t *testing.T) {
	for front, want := range map[string]manifest.Permissions{
		"permissions: [memory, network]":                              {Hosts: []string{"*"}, Memory: true},
		"permissions: {hosts: [API.example.org], scripts: true}":      {Hosts: []string{"api.example.org"}, Scripts: true},
		"permissions: {schedules: no, memory: false, network: false}": {},
		"permissions: scripts":                                        {Scripts: true},
	} {
		m, _, err := manifest.Read([]byte(file("name: kettle\ndescription: Boil.\n"+front)), "kettle")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, m.Permissions); diff != "" {
			t.Errorf("%s:\n%s", front, diff)
		}
	}
}

func TestBrokenListsKeepTheirOtherItems(t *testing.T) {
	m, _, err := manifest.Read([]byte(file("name: kettle\ndescription: Boil.\ntriggers:\n  - @tea\n  - hot water")), "kettle")
	if diff := cmp.Diff([]string{"@tea", "hot water"}, m.Triggers); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestComplaintsAreFew(t *testing.T) {
	var front strings.Builder
	for i := range 200 {
		fmt.Fprintf(&front, "\nk%d: a: b", i)
	}
	_, messages, err := manifest.Read([]byte(file("name: kettle\ndescription: Boil."+front.String())), "kettle")
	if err != nil || len(messages) > 30 || !strings.Contains(texts(messages), "more that is odd") {
		t.Errorf("%d messages, %v", len(messages), err)
	}
}

func TestUnknownKeysKeepTheirLines(t *testing.T) {
	m, _, err := manifest.Read([]byte(file("priority: HIGH # why\nname: kettle\ntools:\n  - name: pour\n    in: {cup: 1}\ndescription: Boil.")), "kettle")
	if err != nil {
		t.Fatal(err)
	}
	want := []manifest.Unknown{{Key: "priority", Text: "priority: HIGH # why\n"}, {Key: "tools", Text: "tools:\n  - name: pour\n    in: {cup: 1}\n"}}
	if diff := cmp.Diff(want, m.Unknown); diff != "" {
		t.Error(diff)
	}
	if m.Tools != nil {
		t.Errorf("definitions of tools were taken for names: %q", m.Tools)
	}
}
