package foreign_test

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"talaria/core/skill/foreign"
	"talaria/core/skill/manifest"
)

// skill is a SKILL.md of a name.
func skill(name string) string {
	return "---\nname: " + name + "\ndescription: What " + name + " is for.\n---\n\n# " + name + "\n"
}

// tree makes files of texts by path.
func tree(texts map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for p, text := range texts {
		out[p] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	return out
}

// hermesHome is laid out as a Hermes agent does it.
func hermesHome() map[string]string {
	return map[string]string{
		"config.yaml":                              "model: x\nskills:\n  disabled: [bin-days, none]\n  config:\n    papers: {max: 10}\n    home:\n      street: \"Am Ring: 3\"\n",
		".env":                                     "KEY=not-for-us\n",
		"state.db":                                 "\x00\x01",
		"SOUL.md":                                  "Be kind.\n",
		"skills/.bundled_manifest":                 "arxiv-reader:0a1b2c\nplain-notes:ffff\n",
		"skills/.hub/lock.json":                    `{"version": 1, "installed": {"bin-days": {"source": "somewhere"}}}`,
		"skills/.hub/quarantine/bad/SKILL.md":      skill("bad"),
		"skills/.archive/old-ways/SKILL.md":        skill("old-ways"),
		"skills/_org/acme/on-call/SKILL.md":        skill("on-call"),
		"skills/research/DESCRIPTION.md":           "Reading papers.\n",
		"skills/research/arxiv-reader/SKILL.md":    skill("arxiv-reader"),
		"skills/research/arxiv-reader/scripts/q":   "#!/bin/sh\n",
		"skills/home/bin-days/SKILL.md":            skill("bin-days"),
		"skills/home/bin-days/references/SKILL.md": "kept as a file",
		"skills/deploy-notes/SKILL.md":             skill("deploy-notes"),
		"skills/broken/SKILL.md":                   "no front matter\n",
		"skills/.usage.json": `{
			"deploy-notes": {"use_count": 7, "view_count": 9, "patch_count": 2, "created_by": "agent", "pinned": true,
				"state": "stale", "created_at": "2026-03-01T08:00:00.5+00:00", "last_used_at": "2026-04-02T10:30:00+02:00", "extra": [1]},
			"gone": {"use_count": 1}}`,
		"memories/MEMORY.md": "The build runs on port 8080.\n§\nUse tabs,\nnot blanks § ever.\n§\nThe build runs on port 8080.\n§\n",
		"memories/USER.md":   "Prefers short answers.\r\n§\r\nLives in Graz.\r\n",
		"pending/memory/ab12.json": `{"id": "ab12", "subsystem": "memory", "action": "add", "summary": "add to memory: x",
			"origin": "background_review", "created_at": 1772000100.25, "payload": {"action": "add", "target": "memory", "content": "x"}}`,
		"pending/skills/cd34.json": `{"id": "cd34", "subsystem": "skills", "summary": "patch", "created_at": 1772000000, "payload": {"action": "patch", "name": "deploy-notes"}}`,
		"pending/skills/zz.json":   `{"id": `,
		"cron/jobs.json": `{"jobs": [
			{"id": "j1", "name": "Morning", "prompt": "Sum up the news", "skills": ["deploy-notes"], "skill": "deploy-notes",
			 "schedule": {"kind": "cron", "expr": "0 9 * * 1-5", "display": "0 9 * * 1-5"}, "schedule_display": "0 9 * * 1-5",
			 "enabled": true, "deliver": "telegram", "workdir": "/srv"},
			{"id": "j2", "name": "Often", "prompt": "Look", "schedule": {"kind": "interval", "minutes": 90}, "enabled": false},
			"nonsense"], "updated_at": "2026-04-01T00:00:00Z"}`,
		"profiles/coder/skills/x/SKILL.md": skill("x"),
	}
}

func TestHermesHomeIsReadWhole(t *testing.T) {
	home := foreign.Read(tree(hermesHome()))

	type brief struct {
		Path, Name, Category string
		Made                 foreign.Maker
		State                foreign.State
		Files                int
		Refused              bool
	}
	var got []brief
	for _, f := range home.Skills {
		got = append(got, brief{f.Path, f.Manifest.Name, f.Category, f.Made, f.State, len(f.Bundle), f.Refused()})
	}
	want := []brief{
		{"skills/.archive/old-ways", "old-ways", "", foreign.Unknown, foreign.Archived, 1, false},
		{"skills/_org/acme/on-call", "on-call", "", foreign.External, foreign.Active, 1, false},
		{"skills/broken", "", "", foreign.Unknown, foreign.Active, 0, true},
		{"skills/deploy-notes", "deploy-notes", "", foreign.Agent, foreign.Stale, 1, false},
		{"skills/home/bin-days", "bin-days", "home", foreign.External, foreign.Disabled, 2, false},
		{"skills/research/arxiv-reader", "arxiv-reader", "research", foreign.Bundled, foreign.Active, 2, false},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("skills (-want +got):\n%s", diff)
	}

	settings := []foreign.Setting{{Key: "papers.max", Value: "10"}, {Key: "home.street", Value: "Am Ring: 3"}}
	if diff := cmp.Diff(settings, home.Settings); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}

	cards := []foreign.Card{
		{Kind: foreign.Work, Text: "The build runs on port 8080.", File: "memories/MEMORY.md"},
		{Kind: foreign.Work, Text: "Use tabs,\nnot blanks § ever.", File: "memories/MEMORY.md"},
		{Kind: foreign.Profile, Text: "Prefers short answers.", File: "memories/USER.md"},
		{Kind: foreign.Profile, Text: "Lives in Graz.", File: "memories/USER.md"},
	}
	if diff := cmp.Diff(cards, home.Cards); diff != "" {
		t.Errorf("cards (-want +got):\n%s", diff)
	}

	pending := []foreign.Pending{
		{ID: "cd34", About: "skills", Action: "patch", Summary: "patch", Created: time.Unix(1772000000, 0).UTC()},
		{ID: "ab12", About: "memory", Action: "add", Summary: "add to memory: x", By: "background_review", Created: time.Unix(1772000100, 250e6).UTC()},
	}
	if diff := cmp.Diff(pending, home.Pending, cmpopts.IgnoreFields(foreign.Pending{}, "Record")); diff != "" {
		t.Errorf("pending (-want +got):\n%s", diff)
	}

	jobs := []foreign.Job{
		{ID: "j1", Name: "Morning", Prompt: "Sum up the news", Schedule: "0 9 * * 1-5", Deliver: "telegram", Skills: []string{"deploy-notes"}, Enabled: true},
		{ID: "j2", Name: "Often", Prompt: "Look", Schedule: "every 90m"},
	}
	if diff := cmp.Diff(jobs, home.Jobs, cmpopts.IgnoreFields(foreign.Job{}, "Record")); diff != "" {
		t.Errorf("jobs (-want +got):\n%s", diff)
	}
	if !strings.Contains(string(home.Jobs[0].Record), `"workdir": "/srv"`) || !strings.Contains(string(home.Pending[1].Record), `"content": "x"`) {
		t.Error("a record lost what we don't read")
	}
}

func TestUsageIsTakenOverWithItsRecord(t *testing.T) {
	for _, f := range foreign.Read(tree(hermesHome())).Skills {
		if f.Manifest.Name != "deploy-notes" {
			continue
		}
		want := foreign.Usage{
			Uses: 7, Views: 9, Patches: 2,
			Created: time.Date(2026, 3, 1, 8, 0, 0, 500e6, time.UTC), Used: time.Date(2026, 4, 2, 8, 30, 0, 0, time.UTC),
		}
		if diff := cmp.Diff(want, f.Usage, cmpopts.IgnoreFields(foreign.Usage{}, "Record")); diff != "" {
			t.Errorf("usage (-want +got):\n%s", diff)
		}
		if !f.Pinned || !strings.Contains(string(f.Usage.Record), `"extra": [1]`) {
			t.Errorf("pinned %v, record %s", f.Pinned, f.Usage.Record)
		}
		return
	}
	t.Fatal("the skill is missing")
}

func TestWhatStaysBehindIsSaid(t *testing.T) {
	odd := strings.Join(foreign.Read(tree(hermesHome())).Odd, "\n")
	for _, words := range []string{
		`Files in "skills/research"`, "gone", `"pending/skills/zz.json"`, "Job 3", "entry twice",
		".env", "state.db", "SOUL.md", `"profiles/coder"`,
	} {
		if !strings.Contains(odd, words) {
			t.Errorf("nothing is said of %s:\n%s", words, odd)
		}
	}
	if strings.Contains(odd, "not-for-us") {
		t.Error("a secret was read")
	}
}

func TestBrokenFilesCostTheirOwnContentsAlone(t *testing.T) {
	for _, p := range []string{"skills/.usage.json", "skills/.hub/lock.json", "cron/jobs.json", "memories/MEMORY.md", "skills/.bundled_manifest", "config.yaml"} {
		t.Run(p, func(t *testing.T) {
			files := hermesHome()
			files[p] = "\xff{"
			home := foreign.Read(tree(files))
			if len(home.Skills) != 6 || len(home.Pending) != 2 {
				t.Errorf("%d skills, %d pending changes", len(home.Skills), len(home.Pending))
			}
			if !strings.Contains(strings.Join(home.Odd, "\n"), p) {
				t.Errorf("nothing is said: %q", home.Odd)
			}
		})
	}
}

func TestOldFormsAreRead(t *testing.T) {
	home := foreign.Read(tree(map[string]string{
		"skills/a/SKILL.md": skill("a"),
		"MEMORY.md":         "one\n§\ntwo",
		"cron/jobs.json":    `[{"id": "j", "schedule": "every 2h", "skill": "a"}]`,
	}))
	if len(home.Cards) != 2 || len(home.Jobs) != 1 || home.Jobs[0].Schedule != "every 2h" || !home.Jobs[0].Enabled {
		t.Errorf("%+v %+v", home.Cards, home.Jobs)
	}
}

func TestFolderOfSkills(t *testing.T) {
	home := foreign.Read(tree(map[string]string{
		"README.md":               "about",
		"pdf-forms/SKILL.md":      skill("pdf-forms"),
		"pdf-forms/FORMS.md":      "more",
		"pdf-forms/scripts/f.py":  "print(1)",
		"lower/skill.md":          skill("lower"),
		"deep/er/twin/SKILL.md":   skill("pdf-forms"),
		"node_modules/x/SKILL.md": skill("x"),
	}))
	var paths []string
	for _, f := range home.Skills {
		paths = append(paths, f.Path)
	}
	if diff := cmp.Diff([]string{"deep/er/twin", "lower", "pdf-forms"}, paths); diff != "" {
		t.Error(diff)
	}
	if home.Skills[0].Category != "deep/er" || len(home.Skills[2].Bundle) != 3 {
		t.Errorf("%+v", home.Skills)
	}
	odd := strings.Join(home.Odd, "\n")
	if !strings.Contains(odd, "Two skills are called") || !strings.Contains(odd, `Files in "."`) {
		t.Error(odd)
	}
}

func TestOpenTellsFolderArchiveAndFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tea-timer")
	text := "---\ndescription: It has no name of its own.\n---\n\nBrew.\n"
	write(t, dir, map[string]string{"SKILL.md": text, "references/kinds.md": "green"})

	var packed bytes.Buffer
	b := manifest.Bundle{"SKILL.md": []byte(text)}
	if err := b.Zip(&packed, "tea-timer"); err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(t.TempDir(), "any.zip")
	if err := os.WriteFile(archive, packed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{dir, filepath.Join(dir, "SKILL.md"), archive} {
		home, err := foreign.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(home.Skills) != 1 || home.Skills[0].Manifest.Name != "tea-timer" {
			t.Errorf("%s: %+v", name, home)
		}
	}
	if _, err := foreign.Open(filepath.Join(dir, "missing")); err == nil {
		t.Error("a missing path was opened")
	}
}

func TestArchiveOfAHomeInOneFolder(t *testing.T) {
	files := map[string]string{}
	for p, text := range hermesHome() {
		files["backup/.hermes/"+p] = text
	}
	home, err := foreign.OpenZip(archive(t, files))
	if err != nil {
		t.Fatal(err)
	}
	if len(home.Skills) != 6 || len(home.Cards) != 4 || len(home.Jobs) != 2 {
		t.Errorf("%d skills, %d cards, %d jobs", len(home.Skills), len(home.Cards), len(home.Jobs))
	}
}

func TestLinksAreNotFollowed(t *testing.T) {
	outside := t.TempDir()
	write(t, outside, map[string]string{"SKILL.md": skill("stolen"), "secret": "x\n§\ny"})
	dir := t.TempDir()
	write(t, dir, map[string]string{"skills/own/SKILL.md": skill("own"), "memories/USER.md": "me"})
	for link, target := range map[string]string{"skills/linked": outside, "memories/MEMORY.md": filepath.Join(outside, "secret")} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	home, err := foreign.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(home.Skills) != 1 || len(home.Cards) != 1 || home.Cards[0].Text != "me" {
		t.Errorf("%+v", home)
	}
	if odd := strings.Join(home.Odd, "\n"); !strings.Contains(odd, "skills/linked") {
		t.Error(odd)
	}
}

// write makes files below a folder.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for p, text := range files {
		p = filepath.Join(dir, p)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// archive packs files.
func archive(t *testing.T, files map[string]string) (*bytes.Reader, int64) {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for p, text := range files {
		f, err := w.Create(p)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(out.Bytes()), int64(out.Len())
}

func FuzzHome(f *testing.F) {
	files := hermesHome()
	f.Add(files["config.yaml"], files["skills/.usage.json"], files["cron/jobs.json"], files["pending/memory/ab12.json"], files["memories/MEMORY.md"], files["skills/deploy-notes/SKILL.md"])
	f.Add("skills: {disabled: x, config: [1]}", `{"a": 1}`, `{"jobs": {}}`, `[]`, "§\n§", "---\n---")
	f.Fuzz(func(t *testing.T, config, usage, jobs, pending, memory, text string) {
		files := hermesHome()
		files["skills/.usage.json"], files["cron/jobs.json"], files["pending/memory/ab12.json"] = usage, jobs, pending
		files["config.yaml"] = config
		files["memories/MEMORY.md"], files["skills/deploy-notes/SKILL.md"] = memory, text
		home := foreign.Read(tree(files))
		if len(home.Skills) != 6 {
			t.Errorf("%d skills", len(home.Skills))
		}
		for _, found := range home.Skills {
			if found.Refused() != (found.Bundle == nil) {
				t.Errorf("%q: refused %v with %d files", found.Path, found.Refused(), len(found.Bundle))
			}
		}
		for _, p := range home.Pending {
			for _, e := range p.Entries() {
				if e.Text == "" && e.Old == "" {
					t.Errorf("a step that does nothing: %+v", e)
				}
			}
		}
		for _, c := range home.Cards {
			if c.Text == "" || !strings.Contains(strings.ReplaceAll(files[c.File], "\r\n", "\n"), c.Text) {
				t.Errorf("card %q", c.Text)
			}
		}
	})
}
