package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// skillsToCheck makes a folder with one skill of each result.
func skillsToCheck(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"kettle": "---\nname: kettle\ndescription: Boil water.\n---\n\nBoil.\n",
		"cup":    "---\nname: Cup\ndescription: \"<b> & tea\"\n---\n\nPour.\n",
		"spoon":  "no front matter\n",
	} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "SKILL.md"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestSkillsCheckLines(t *testing.T) {
	dir := skillsToCheck(t)
	s := newShell(t)
	s.in = fmt.Sprintf("{\"id\": 1, \"path\": %q}\n{\"id\": \"b\", \"path\": %q}\n{\"id\": 3, \"path\": %q}\n",
		filepath.Join(dir, "kettle"), filepath.Join(dir, "cup", "SKILL.md"), filepath.Join(dir, "spoon"))
	out, stderr, code := s.run("skills", "check", "--jsonl")
	want := `{"id":1,"result":"ok","name":"kettle","description":"Boil water.","messages":[]}
{"id":"b","result":"warn","name":"cup","description":"<b> & tea","messages":["The name \"Cup\" is not of small letters, digits and hyphens; it is kept as \"cup\""]}
{"id":3,"result":"refuse","name":"","description":"","messages":["There is no front matter: the file must begin with a line of three dashes"]}
`
	if diff := cmp.Diff(want, out); diff != "" || code != exitDone {
		t.Errorf("code %d, %s\n%s", code, stderr, diff)
	}
}

func TestSkillsCheckAnswersForPathsThatAreNotThere(t *testing.T) {
	s := newShell(t)
	s.in = `{"id": 1, "path": "/nowhere/SKILL.md"}` + "\n"
	out, _, code := s.run("skills", "check", "--jsonl")
	if code != exitDone || !strings.Contains(out, `"result":"refuse"`) || !strings.Contains(out, "no such file") {
		t.Errorf("code %d, %s", code, out)
	}
	if _, stderr, code := s.run("skills", "check", "/nowhere"); code != exitUsage || strings.Count(stderr, "\n") != 1 {
		t.Errorf("code %d, %q", code, stderr)
	}
	if _, stderr, code := s.run("skills", "check"); code != exitUsage || strings.Count(stderr, "\n") != 1 {
		t.Errorf("without a path: code %d, %q", code, stderr)
	}
}

func TestSkillsCheckForPeople(t *testing.T) {
	dir := skillsToCheck(t)
	out, _, code := newShell(t).run("skills", "check", filepath.Join(dir, "kettle"), filepath.Join(dir, "cup"), filepath.Join(dir, "spoon"))
	if code != exitDone || strings.Count(out, "\n") != 5 {
		t.Errorf("code %d\n%s", code, out)
	}
	for _, words := range []string{"ok      kettle", "warn    cup", "refuse  -", "kept as \"cup\".\n"} {
		if !strings.Contains(out, words) {
			t.Errorf("%q is missing:\n%s", words, out)
		}
	}
}
