package app_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	fake "talaria/adapters/fake/telegram"
	"talaria/gateway/app"
	"talaria/gateway/config"
)

// alone is one replica with the embedded store, on Telegram.
func alone(t *testing.T, environ ...string) (*troupe, *fake.Server) {
	t.Helper()
	s := onTelegram(t).(telegramStage)
	w := &troupe{T: t, stage: s}
	cfg, _, err := config.Load("", append(append(s.environ(), "TALARIA_WEB_LISTEN=off",
		"TALARIA_STORAGE_URL=sqlite:"+filepath.Join(t.TempDir(), "t.db")), environ...))
	if err != nil {
		t.Fatal(err)
	}
	w.start(cfg)
	return w, s.Server
}

// private is what the program answers to somebody in the shell, in private.
func (w *troupe) private(who role, t app.Typed) string {
	w.Helper()
	t.As = w.identity(who)
	post, err := w.replicas[0].Command(w.Context(), t)
	if err != nil {
		w.Fatal(err)
	}
	return post.Markdown
}

func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o700), os.WriteFile(to, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// a home as a Hermes agent leaves it.
func hermes(t *testing.T) string {
	skill := func(name, description, more string) string {
		return "---\nname: " + name + "\ndescription: " + description + "\n" + more + "---\n\n# " + name + "\n\n1. Begin.\n"
	}
	return folder(t, map[string]string{
		"config.yaml":                    "skills:\n  disabled: [garden-bed]\n  config:\n    paper:\n      count: 12\n",
		".env":                           "TOKEN=not-for-us\n",
		"skills/research/paper/SKILL.md": skill("paper", "Read new physics papers", "config:\n  - key: paper.count\n    description: how many\n    default: 3\n"),
		"skills/backup/SKILL.md":         skill("backup", "Copy photos to the attic disk", ""),
		"skills/backup/scripts/get.sh":   "#!/bin/sh\necho hi\n",
		"skills/garden-bed/SKILL.md":     skill("garden-bed", "Plan a vegetable bed", ""),
		"skills/.archive/fax/SKILL.md":   skill("fax", "Send a fax to an office", ""),
		"skills/laundry/SKILL.md":        skill("laundry", "Sort the laundry by colour", ""),
		"skills/broken/SKILL.md":         "nothing\n",
		"skills/.usage.json":             `{"laundry": {"use_count": 4, "pinned": true}}`,
		"memories/MEMORY.md":             "The boiler is serviced in May.\n§\npassword = \"hunter2hunter2\"\n",
		"memories/USER.md":               "Prefers short answers.\n",
		"pending/skills/a1.json": `{"id": "a1", "subsystem": "skills", "action": "patch", "summary": "end well", "created_at": 1772000000,
			"payload": {"action": "patch", "name": "laundry", "old_string": "1. Begin.", "new_string": "1. Begin.\n2. End."}}`,
		"pending/memory/b2.json": `{"id": "b2", "subsystem": "memory", "action": "add", "summary": "add a card", "created_at": 1772000001,
			"payload": {"action": "add", "target": "user", "content": "Works from home on Fridays."}}`,
		"pending/memory/c3.json": `{"id": "c3", "subsystem": "memory", "summary": "two at once", "created_at": 1772000002, "payload": {"target": "memory", "operations": [
			{"action": "replace", "old_text": "serviced in May", "content": "The boiler is serviced in June."},
			{"action": "add", "content": "The plumber is called Anna."}]}}`,
		"pending/memory/d4.json": `{"id": "d4", "subsystem": "memory", "summary": "go away", "created_at": 1772000003,
			"payload": {"action": "remove", "target": "memory", "old_text": "no such entry"}}`,
		"pending/skills/e5.json": `{"id": "e5", "subsystem": "skills", "action": "patch", "summary": "tools too", "created_at": 1772000004,
			"payload": {"action": "patch", "name": "not-here", "old_string": "a", "new_string": "b"}}`,
		"cron/jobs.json": `{"jobs": [{"id": "j1", "name": "Morning", "prompt": "Sum up the news", "enabled": true,
			"schedule": {"kind": "cron", "expr": "0 9 * * 1-5"}}]}`,
	})
}

func TestAHermesHomeIsImported(t *testing.T) {
	w, _ := alone(t)
	dir := hermes(t)
	report := w.private(ada, app.Typed{Import: dir, Approve: true})
	for _, want := range []string{
		"`laundry`: in force and pinned, uses there: 4", "`garden-bed`: disabled, as it was", "`fax`: archived, as it was",
		"`laundry`: the change that waited there is a draft", "2 cards remembered", "job \"Morning\"", "0 9 ∗ ∗ 1-5",
		"skills/broken was not taken over", "secrets are not kept", "pending change b2", ".env",
	} {
		if !strings.Contains(report, want) {
			t.Errorf("the report does not say %q", want)
		}
	}
	if strings.Contains(report, "hunter2") || strings.Contains(report, "not-for-us") {
		t.Error("the report tells a secret")
	}
	if t.Failed() {
		t.Log(report)
	}
	for line, want := range map[string]string{
		"skills list": "laundry", "skills show backup scripts/get.sh": "echo hi", "skills config paper": "`paper.count` = `12` (set)", "skills diff laundry": "+2. End.",
		"memory": "The boiler is serviced in May", "skills history fax": "in force",
	} {
		if got := w.private(ada, app.Typed{Line: line}); !strings.Contains(got, want) {
			t.Errorf("%s tells no %q:\n%s", line, want, got)
		}
	}
	w.bringsChanges(t)
	again := w.private(ada, app.Typed{Import: dir, Approve: true})
	if !strings.Contains(again, "`laundry` is here already") {
		t.Errorf("imported twice: %s", again)
	}
	if got := w.private(cy, app.Typed{Line: "skills list"}); strings.Contains(got, "laundry") {
		t.Errorf("somebody else sees them: %s", got)
	}
}

// bringsChanges decides about the changes that waited in the home.
func (w *troupe) bringsChanges(t *testing.T) {
	t.Helper()
	list := w.private(ada, app.Typed{Line: "skills brought"})
	keys := map[string]string{}
	for _, m := range regexp.MustCompile("`([0-9a-f]{16})` of \\w+: (.+)").FindAllStringSubmatch(list, -1) {
		keys[strings.TrimSpace(m[2])] = m[1]
	}
	if memory := w.private(ada, app.Typed{Line: "memory"}); len(keys) != 4 || strings.Contains(memory, "Fridays") {
		t.Fatalf("%v wait of\n%s\nand remembered is\n%s", keys, list, memory)
	}
	for _, step := range [][2]string{
		{"add a card", "Works from home on Fridays"}, {"add a card yes", "Done"}, {"add a card yes", "No change"}, {"two at once yes", "Done"},
		{"go away yes", "can't be done"}, {"go away drop", "Dropped"}, {"tools too yes", "no draft yet|can't be a draft"}, {"tools too maybe", "yes"},
	} {
		line := "skills brought " + step[0]
		for summary, key := range keys {
			line = strings.Replace(line, summary, key, 1)
		}
		if got := w.private(ada, app.Typed{Line: line}); !regexp.MustCompile(step[1]).MatchString(got) {
			t.Errorf("%s: no %q in %s", step[0], step[1], got)
		}
	}
	memory := w.private(ada, app.Typed{Line: "memory"})
	for _, want := range []string{"home on Fridays", "serviced in June", "called Anna"} {
		if !strings.Contains(memory, want) {
			t.Errorf("no %q remembered: %s", want, memory)
		}
	}
	if got := w.private(cy, app.Typed{Line: "skills brought"}); !strings.Contains(got, "No change") {
		t.Errorf("somebody else is asked: %s", got)
	}
	if got := w.tells(0, ada, "skills brought"); !strings.Contains(got, "yours alone") {
		t.Errorf("in a shared place: %s", got)
	}
}

func TestAnImportWithoutApprovalMakesDrafts(t *testing.T) {
	w, _ := alone(t)
	report := w.private(ada, app.Typed{Import: hermes(t)})
	if !strings.Contains(report, "`laundry`: a draft") || strings.Contains(report, "`: in force") {
		t.Error(report)
	}
	if got := w.private(ada, app.Typed{Line: "skills pending"}); !strings.Contains(got, "laundry") {
		t.Error(got)
	}
}

func TestAHomeThatIsSentIsTakenWhole(t *testing.T) {
	t.Parallel()
	w, s := alone(t)
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	err := z.AddFS(os.DirFS(hermes(t)))
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	sent := &fake.File{Name: "home.zip", Data: archive.Bytes()}
	s.Speak(fake.Speech{User: 1, Chat: group, Text: "/skills import", File: sent})
	hears(t, s, group, "(?s)laundry.*yours alone: send it in our direct conversation")
	s.Speak(fake.Speech{User: 1, Chat: 1, Text: "/skills import", File: sent})
	hears(t, s, 1, "(?s)Imported.*`?laundry`?: a draft.*change b2 of memory.*2 cards kept and not used until you confirm them.*job .Morning")
	for line, want := range map[string]string{
		"skills brought": "add a card", "jobs import": "Sum up the news|Morning", "memory": "(?s)serviced in May.*from outside", "skills pending": "laundry",
	} {
		if got := w.private(ada, app.Typed{Line: line}); !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("%s tells no %q:\n%s", line, want, got)
		}
	}
}

func TestSkillsAreImportedFromWhatCameWithAMessage(t *testing.T) {
	w, s := alone(t)
	s.Speak(fake.Speech{User: 1, Chat: group, Text: "/skills import", File: &fake.File{Name: "tea.md", Data: []byte(tea("x.txt"))}})
	card := w.hears(0, "(?s)New skill.*teatime.*come from outside")
	w.press(ben, card, "Approve")
	w.becomes(card, "Approved")

	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	for name, text := range map[string]string{"bread/SKILL.md": steps("bread", "it"), "taxes/SKILL.md": steps("taxes", "them")} {
		f, err := z.Create(name)
		if err == nil {
			_, err = f.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	s.Speak(fake.Speech{User: 1, Chat: group, Text: "/skills import", File: &fake.File{Name: "two.zip", Data: archive.Bytes()}})
	w.hears(0, "(?s)bread.*a draft.*taxes.*a draft")
	w.hears(0, "New skill: bread")
	s.Speak(fake.Speech{User: 1, Chat: group, Text: "/skills import", File: &fake.File{Name: "bad.zip", Data: []byte("PK")}})
	w.hears(0, "bad.zip.*can't be read")
}

func TestFoldersOfOthersAreReadOnlyAndWatched(t *testing.T) {
	dir := folder(t, map[string]string{"kitchen/teatime/SKILL.md": tea("outside.txt")})
	w, _ := alone(t, "TALARIA_SKILLS_EXTERNAL="+dir)
	w.command(cy, "teatime")
	w.hears(0, "(?s)I followed the skill.*outside.txt")
	if got := w.tells(0, ben, "skills disable teatime"); !strings.Contains(got, "That did not work") {
		t.Errorf("disabled: %s", got)
	}
	if got := w.tells(0, ben, "skills show teatime"); !strings.Contains(got, "outside.txt") {
		t.Errorf("shown: %s", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "kitchen/teatime/SKILL.md"), []byte(tea("changed-since.txt")), 0o600); err != nil {
		t.Fatal(err)
	}
	w.both("skills show teatime", "changed-since.txt")
}
