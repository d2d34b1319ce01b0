package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSkillsAreTakenInAndOut(t *testing.T) {
	s := newShell(t)
	document := []byte("---\r\nname: tea\r\ndescription: Make tea for guests\r\n---\r\n\r\n1. Boil water.\r\n")
	script := []byte("#!/bin/sh\necho 1\n")
	from, to := filepath.Join(s.dir, "from"), filepath.Join(s.dir, "to")
	err := errors.Join(
		os.MkdirAll(filepath.Join(from, "tea", "scripts"), 0o700),
		os.WriteFile(filepath.Join(from, "tea", "SKILL.md"), document, 0o600),
		os.WriteFile(filepath.Join(from, "tea", "scripts", "a.sh"), script, 0o600),
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
		code int
	}{
		{[]string{"skills", "import", from}, "`tea`: a draft", 0},
		{[]string{"skills", "--as", "telegram:1", "list"}, "needs the role", 0}, // who is let in nowhere
		{[]string{"skills", "approve", "tea"}, "Approved", 0},
		{[]string{"skills", "export", "tea", to}, "written: " + filepath.Join(to, "tea"), 0},
		{[]string{"skills", "import", "--approve", filepath.Join(to, "tea")}, "`tea` is here already", 0},
		{[]string{"skills", "import", filepath.Join(s.dir, "nowhere")}, "", 2},
		{[]string{"skills", "import"}, "", 2},
		{[]string{"skills", "export", "tea", to}, "", 1}, // it is there
	} {
		out, stderr, code := s.run(c.args...)
		if code != c.code || !strings.Contains(out, c.want) {
			t.Errorf("%v: %d, %q, %q", c.args, code, out, stderr)
		}
	}
	for name, want := range map[string][]byte{"SKILL.md": document, "scripts/a.sh": script} {
		if got, err := os.ReadFile(filepath.Join(to, "tea", filepath.FromSlash(name))); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s came out as %q, %v", name, got, err)
		}
	}
}
