package patch_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"talaria/core/skill/patch"
)

const skill = `---
name: backup
description: Back up the wiki.
---

# Back up the wiki

## When to use
Use it before an upgrade, or when somebody asks.

## Steps
1. Ask the owner of the wiki for a quiet hour.
2. Stop the indexer and wait until it is idle.
3. Copy the pages to the archive host.
4. Start the indexer again.

` + "```sh\nif ready; then\n\tcopy_pages --all\n\tcheck_pages --all\nfi\n```\n"

func TestApply(t *testing.T) {
	for _, c := range []struct {
		name     string
		text     string // skill if empty
		old, new string
		from, to string // what is to change in the text; from empty: old to new
		all      bool
		strategy patch.Strategy
	}{
		{name: "exact", old: "for a quiet hour", new: "for two quiet hours", strategy: patch.Exact},
		{name: "exact goes before near", text: "Say “hi”.\nSay \"hi\".\n", old: `Say "hi".`, new: "Wave.", strategy: patch.Exact},
		{name: "every exact match", text: "a b a\na\n", old: "a", new: "c", all: true, from: "a b a\na\n", to: "c b c\nc\n", strategy: patch.Exact},
		{name: "blanks at line ends", text: "One.  \nTwo.\t\nThree.\n", old: "One.\nTwo.", new: "Two.\nOne.", from: "One.  \nTwo.", to: "Two.\nOne.", strategy: patch.TrailingSpace},
		{name: "blanks at the end of what is quoted", text: "One.\nTwo.\n", old: "One. \nTwo.", new: "1.\n2.", from: "One.\nTwo.", to: "1.\n2.", strategy: patch.TrailingSpace},
		{name: "runs of blanks and tabs", text: "- Ask\tthe   owner first.\n", old: "Ask the owner first.", new: "Ask twice.", from: "Ask\tthe   owner first.", to: "Ask twice.", strategy: patch.InnerSpace},
		{name: "quotes and dots", text: "Say “wait…” and don’t leave.\n", old: `Say "wait..." and don't leave.`, new: "Leave.", from: "Say “wait…” and don’t leave.", to: "Leave.", strategy: patch.Typography},
		{name: "dash and no-break space", text: "Wait 5\u00a0–\u00a010 min.\n", old: "5 - 10 min", new: "7 min", from: "5\u00a0–\u00a010 min", to: "7 min", strategy: patch.Typography},
		{name: "two hyphens for a dash", text: "Wait — then go.\n", old: "Wait -- then", new: "Rest, then", from: "Wait — then", to: "Rest, then", strategy: patch.Typography},
		{name: "width", text: "点击（确定）！\n", old: "点击(确定)!", new: "点击（取消）！", from: "点击（确定）！", to: "点击（取消）！", strategy: patch.Typography},
		{name: "composition", text: "Ask Andre\u0301 first.\n", old: "Ask André first.", new: "Ask Anna first.", from: "Ask Andre\u0301", to: "Ask Anna", strategy: patch.Typography},
		{name: "less indented", old: "copy_pages --all\ncheck_pages --all", new: "copy_pages --all\nif bad; then\n\twarn\nfi", from: "\tcheck_pages --all", to: "\tif bad; then\n\t\twarn\n\tfi", strategy: patch.Indent},
		{name: "more indented", text: "list:\n- a\n- b\n", old: "  - a\n  - b", new: "  - a\n  - c", from: "- b", to: "- c", strategy: patch.Indent},
		{name: "spaces for tabs", text: "x:\n\tif y {\n\t\tz()\n\t}\n", old: "    if y {\n        z()\n    }", new: "    if y {\n        w()\n    }", from: "z()", to: "w()", strategy: patch.Indent},
		{name: "tabs for spaces", text: "x:\n  if y:\n    z()\n", old: "\tif y:\n\t\tz()", new: "\tif y:\n\t\tw()", from: "z()", to: "w()", strategy: patch.Indent},
		{name: "spaces for tabs, and shifted", text: "x:\n\t\tif y {\n\t\t\tz()\n\t\t}\n", old: "if y {\n    z()\n}", new: "if y {\n    w()\n}", from: "z()", to: "w()", strategy: patch.Indent},
		{name: "indented and typographic", text: "  “a”\n    b\n", old: "\"a\"\n  b", new: "\"a\"\n  c", from: "“a”\n    b", to: "\"a\"\n    c", strategy: patch.Indent},
		{name: "blank lines around", text: "One.\nTwo.\n", old: "\n\nTwo.\n\n", new: "\n\nThree.\n\n", from: "Two.", to: "Three.", strategy: patch.Exact},
		{name: "case of a heading", old: "## when to use", new: "## When", from: "## When to use", to: "## When", strategy: patch.Heading},
		{name: "escapes", old: `if ready; then\n\tcopy_pages`, new: `if ready; then\n\tlock\n\tcopy_pages`, from: "then\n\tcopy", to: "then\n\tlock\n\tcopy", strategy: patch.Exact},
		{name: "entities", text: "if a < b && c:\n", old: "if a &lt; b &amp;&amp; c:", new: "if a &gt; b:", from: "if a < b && c:", to: "if a > b:", strategy: patch.Exact},
		{name: "escaped and typographic", text: "Say “a”.\nThen b.\n", old: `Say \"a\".\nThen b.`, new: `Say \"c\".\nThen b.`, from: "“a”", to: `"c"`, strategy: patch.Typography},
		{name: "letters swapped", old: "1. Ask the onwer of the wiki for a quiet hour.", new: "1. Ask nobody.", from: "1. Ask the owner of the wiki for a quiet hour.", to: "1. Ask nobody.", strategy: patch.Slip},
		{name: "a short word misspelt", old: "4. Start teh indexer again.", new: "4. End.", from: "4. Start the indexer again.", to: "4. End.", strategy: patch.Slip},
		{name: "words left out", old: "2. Stop indexer and wait until idle", new: "2. Stop it.", from: "2. Stop the indexer and wait until it is idle.", to: "2. Stop it.", strategy: patch.Slip},
		{name: "a slip among several lines", old: "3. Copy pages to the archive host.\n4. Start the indexer again.", new: "3. Start the indexer again.", from: "3. Copy the pages to the archive host.\n4. Start", to: "3. Start", strategy: patch.Slip},
		{name: "a character of Chinese left out", text: "1. 先确认所有页面已经同步到备份主机\n", old: "1. 先确认所有页面已同步到备份主机", new: "1. 同步", from: "1. 先确认所有页面已经同步到备份主机", to: "1. 同步", strategy: patch.Slip},
		{name: "a front matter that stays readable", old: "description: Back up the wiki.", new: "description: Back up the wiki and its files.", strategy: patch.Exact},
		{name: "line ends of the file", text: "a\r\nb\r\nc\r\n", old: "a\nb", new: "a\nx\nb", from: "a\r\nb", to: "a\r\nx\r\nb", strategy: patch.LineEnds},
		{name: "a byte order mark", text: "\ufeff# A\n\nb\n", old: "# A\n\nb", new: "# A\n\nc", from: "b", to: "c", strategy: patch.Exact},
		{name: "quoted with a byte order mark", text: "\ufeff# A\n", old: "\ufeff# A", new: "\ufeff# B", from: "# A", to: "# B", strategy: patch.Exact},
		{name: "a file without a last line end", text: "a\nb", old: "b\n", new: "c\n", from: "a\nb", to: "a\nc", strategy: patch.Exact},
		{name: "removal", old: "4. Start the indexer again.\n", new: "", strategy: patch.Exact},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := c.text
			if text == "" {
				text = skill
			}
			if c.from == "" {
				c.from, c.to = c.old, c.new
			}
			want := strings.Replace(text, c.from, c.to, 1)
			got, err := patch.Apply(text, patch.Edit{Old: c.old, New: c.new, All: c.all})
			if err != nil || got.Text != want || got.Strategy != c.strategy {
				t.Errorf("by %s, %v:\n%q, want\n%q", got.Strategy, err, got.Text, want)
			}
		})
	}
}

func TestApplyRefuses(t *testing.T) {
	for _, c := range []struct {
		name     string
		text     string
		old, new string
		all      bool
		reason   patch.Reason
	}{
		{name: "nothing quoted", old: "", new: "x", reason: patch.EmptyOld},
		{name: "blanks quoted", old: " \n", new: "x", reason: patch.EmptyOld},
		{name: "the same twice", old: "Steps", new: "Steps", reason: patch.NoChange},
		{name: "near, and says so already", text: "Say “a”\n", old: `Say "a"`, new: "Say “a”", reason: patch.NoChange},
		{name: "an empty text", text: "\n", old: "a", new: "b", reason: patch.NotFound},
		{name: "two exact matches", text: "a\na\n", old: "a", new: "b", reason: patch.Ambiguous},
		{name: "matches that overlap", text: "aaa\n", old: "aa", new: "b", all: true, reason: patch.Ambiguous},
		{name: "two near matches", text: "Say “a”.\nSay ‘a’.\nSay “a”.\n", old: `Say "a".`, new: "b", reason: patch.Ambiguous},
		{name: "all, but only near", text: "Say “a”.\nSay “a”.\n", old: `Say "a".`, new: "b", all: true, reason: patch.Ambiguous},
		{name: "two slips", text: "- Copy the pages to the host.\n- Copy pages to that host.\n", old: "- Copy all of it to a host.", new: "b", reason: patch.NotFound},
		{name: "another number", old: "5. Start the indexer again.", new: "x", reason: patch.NotFound},
		{name: "another number within", text: "Retry up to 3 times and then stop.\n", old: "Retry up to 5 times and then stop.", new: "x", reason: patch.NotFound},
		{name: "a number in a longer one", text: "Wait  for 300 seconds.\n", old: "Wait for 30", new: "x", reason: patch.NotFound},
		{name: "another number word", text: "Ask at least two people before this.\n", old: "Ask at least three people before this.", new: "x", reason: patch.NotFound},
		{name: "another unit", text: "Keep the last backup for many days here.\n", old: "Keep the last backup for many weeks here.", new: "x", reason: patch.NotFound},
		{name: "another day", text: "Send the report to everybody on Tuesday.\n", old: "Send the report to everybody on Thursday.", new: "x", reason: patch.NotFound},
		{name: "another address", text: "Open https://a.example.org/x and log in there.\n", old: "Open https://b.example.org/x and log in there.", new: "x", reason: patch.NotFound},
		{name: "another option", text: "Call it with --force and look at it.\n", old: "Call it with --forced and look at it.", new: "x", reason: patch.NotFound},
		{name: "a negation more", text: "Do restart the server after the change.\n", old: "Do not restart the server after the change.", new: "x", reason: patch.NotFound},
		{name: "a contraction", text: "You can restart the server after it.\n", old: "You can't restart the server after it.", new: "x", reason: patch.NotFound},
		{name: "a negation more in Chinese", text: "更新以后不要重启所有的服务器\n", old: "更新以后要重启所有的服务器", new: "x", reason: patch.NotFound},
		{name: "another character of Chinese", text: "请检查上周的所有报告和任务清单\n", old: "请检查本周的所有报告和任务清单", new: "x", reason: patch.NotFound},
		{name: "the opposite by its beginning", text: "Import the pages of the wiki in the night.\n", old: "Export the pages of the wiki in the night.", new: "x", reason: patch.NotFound},
		{name: "the opposite order", text: "Copy the pages before you stop the indexer.\n", old: "Copy the pages after you stop the indexer.", new: "x", reason: patch.NotFound},
		{name: "the other direction", text: "Copy the pages to the archive host at night.\n", old: "Copy the pages from the archive host at night.", new: "x", reason: patch.NotFound},
		{name: "another word", text: "- After the deploy wait until it is quiet.\n", old: "- After the restart wait until it is quiet.", new: "x", reason: patch.NotFound},
		{name: "another short word", text: "- Close the post when it is quiet.\n", old: "- Close the port when it is quiet.", new: "x", reason: patch.NotFound},
		{name: "code, nearly", old: "\tcopy_page --all", new: "x", reason: patch.NotFound},
		{name: "code in a line, nearly", text: "Call `copy a b` and look at the result.\n", old: "Call `copy b a` and look at the result.", new: "x", reason: patch.NotFound},
		{name: "uneven indentation", text: "a:\n  b:\n    c\n", old: "a:\n  b:\n  c", new: "x", reason: patch.NotFound},
		{name: "no name", old: "name: backup\n", new: "", reason: patch.InvalidSkill},
		{name: "an empty name", old: "name: backup", new: "name:", reason: patch.InvalidSkill},
		{name: "no description", old: "description: Back up the wiki.\n", new: "", reason: patch.InvalidSkill},
		{name: "a front matter that is not closed", old: "wiki.\n---\n", new: "wiki.\n", reason: patch.InvalidSkill},
		{name: "a front matter that is no YAML", old: "Back up the wiki.\n---", new: "Back up: the wiki\n---", reason: patch.InvalidSkill},
		{name: "something before the front matter", old: "---\nname", new: "x\n---\nname", reason: patch.InvalidSkill},
		{name: "too large", old: "x", new: strings.Repeat("x", 3<<20), reason: patch.TooLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := c.text
			if text == "" {
				text = skill
			}
			got, err := patch.Apply(text, patch.Edit{Old: c.old, New: c.new, All: c.all})
			refused, ok := errors.AsType[*patch.Refusal](err)
			if !ok || refused.Reason != c.reason {
				t.Errorf("got %v, %+v", err, got)
			}
		})
	}
}

func TestRefusalSaysWhereToLook(t *testing.T) {
	_, err := patch.Apply(skill, patch.Edit{Old: "3. Move the pages to the archive disk.", New: "x"})
	refused, ok := errors.AsType[*patch.Refusal](err)
	if !ok || len(refused.Candidates) == 0 || refused.Candidates[0] != (patch.Candidate{Line: 14, Text: "3. Copy the pages to the archive host."}) {
		t.Fatalf("%v", err)
	}
	if !strings.Contains(err.Error(), "14: 3. Copy") {
		t.Error(err)
	}
	_, err = patch.Apply("a b\nc\na b\n", patch.Edit{Old: "a b", New: "x"})
	if refused, ok = errors.AsType[*patch.Refusal](err); !ok || len(refused.Candidates) != 2 || refused.Candidates[1].Line != 3 {
		t.Error(err)
	}
}

// However large and regular the texts are, the work stays bounded.
func TestApplyIsBounded(t *testing.T) {
	a := strings.Repeat("a", 1<<18)
	for name, e := range map[string]struct{ text, old string }{
		"one letter":     {a, a[:1<<17] + "b"},
		"overlaps":       {a, a[:1<<17]},
		"short lines":    {strings.Repeat("a b c\n", 1<<13), strings.Repeat("a b d\n", 200)},
		"long statement": {strings.Repeat("word and ", 1<<14), strings.Repeat("word or ", 1<<14)},
		"accents":        {"a" + strings.Repeat("\u0301", 1<<14), "b" + strings.Repeat("\u0301", 1<<14)},
	} {
		if _, err := patch.Apply(e.text, patch.Edit{Old: e.old, New: "x"}); err == nil {
			t.Errorf("%s: applied", name)
		}
	}
}

func FuzzApply(f *testing.F) {
	f.Add(skill, "2. Stop indexer and wait until idle", "2. Stop.", false)
	f.Add("a\r\n“b”…\r\n", `"b"...`, "c\nd", true)
	f.Add("\ufeff---\nname: a\n---\n", "name: a", "name: b", false)
	f.Add("\ufeff", "\xbf", "\x00", true)
	f.Add("  a\n\tb\n", "a\nb", `\n\t&lt;`, false)
	f.Fuzz(func(t *testing.T, text, old, new string, all bool) {
		got, err := patch.Apply(text, patch.Edit{Old: old, New: new, All: all})
		if err != nil {
			if _, ok := errors.AsType[*patch.Refusal](err); !ok || got.Text != "" {
				t.Fatalf("%v, %q", err, got.Text)
			}
			return
		}
		if got.Count < 1 || got.Count > 1 && !all || got.Text == text {
			t.Fatalf("%d places, %q", got.Count, got.Text)
		}
		if utf8.ValidString(text) && utf8.ValidString(old) && utf8.ValidString(new) && !utf8.ValidString(got.Text) {
			t.Fatalf("%q is cut in the middle of a character", got.Text)
		}
		if strings.HasPrefix(text, "\ufeff") && !strings.HasPrefix(got.Text, "\ufeff") {
			t.Fatal("the byte order mark is lost")
		}
	})
}
