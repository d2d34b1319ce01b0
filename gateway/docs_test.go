package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talaria/gateway/config"
)

// pages are the texts for people, by file.
func pages(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("../docs/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal("no documentation", err)
	}
	out := map[string]string{}
	for _, file := range append(files, "../README.md", "../CONTRIBUTING.md", "../CHANGELOG.md", "../Dockerfile", "../Makefile") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out[file] = string(text)
	}
	return out
}

var variable = regexp.MustCompile(`TALARIA_[A-Z][A-Z_]+[A-Z]`)

// TestDocumentedVariablesExist takes a warning of an unknown variable for a
// mistake of the page that names it.
func TestDocumentedVariablesExist(t *testing.T) {
	for file, text := range pages(t) {
		for _, name := range variable.FindAllString(text, -1) {
			if name == "TALARIA_TORTURE" || name == "TALARIA_LEARNBENCH" { // of the tests
				continue
			}
			_, warnings, _ := config.Load("", []string{name + "=x"})
			if len(warnings) > 0 {
				t.Errorf("%s names %s, which is no key", file, name)
			}
		}
	}
}

var called = regexp.MustCompile("(?m)(?:^ +|`|[a-z0-9] )talaria ((?:[a-z]+[ |`]?)+)")

func TestDocumentedCommandsExist(t *testing.T) {
	known := map[string]bool{}
	for _, c := range commands() {
		known[strings.Fields(c.name)[0]] = true
	}
	found := 0
	for file, text := range pages(t) {
		for _, m := range called.FindAllStringSubmatch(text, -1) {
			found++
			if first := strings.FieldsFunc(m[1], func(r rune) bool { return r == ' ' || r == '`' || r == '|' })[0]; !known[first] {
				t.Errorf("%s names the command %q, which there is not", file, "talaria "+m[1])
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d commands were found", found)
	}
}

var allowedTools = regexp.MustCompile(`allowed-tools: \[([^\]]+)\]`)

// TestToolsOfExampleSkillsExist asks the rules of [tools], which refuse others.
func TestToolsOfExampleSkillsExist(t *testing.T) {
	found := 0
	for file, text := range pages(t) {
		for _, m := range allowedTools.FindAllStringSubmatch(text, -1) {
			found++
			if _, _, err := config.Load("", []string{"TALARIA_TOOLS_ASK=" + m[1]}); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
	if found == 0 {
		t.Error("no example was found")
	}
}

var link = regexp.MustCompile(`\]\(([^)#]+)\)`)

func TestLinksBetweenPagesLeadSomewhere(t *testing.T) {
	for file, text := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), m[1])); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}

// TestCommandsAreAllOnTheirPage compares the page with what /help lists for an
// admin, and with the table of this package.
func TestCommandsAreAllOnTheirPage(t *testing.T) {
	page := pages(t)["../docs/commands.md"]
	for _, c := range commands() {
		if usage := "- `talaria " + strings.TrimSpace(c.name+" "+c.args) + "`"; !c.inner && !strings.Contains(page, usage) {
			t.Errorf("the page has no line that begins with %s", usage)
		}
	}
	s := newShell(t)
	s.in = "/help\n"
	help, stderr, code := s.run("chat")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	if d := cmp.Diff(names(help), names(page)); d != "" {
		t.Errorf("/help (-) and the page (+):\n%s", d)
	}
}

var listed = regexp.MustCompile("(?m)^(?:- `|• )/([a-z]+)")

// names are the chat commands that lines of a list begin with.
func names(text string) (out []string) {
	for _, m := range listed.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

var (
	testName = regexp.MustCompile(`\b(?:Test|Fuzz|Benchmark)[A-Z][A-Za-z0-9]+\b`)
	testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)[A-Z][A-Za-z0-9]+)\(`)
)

func TestNamedTestsExist(t *testing.T) {
	known := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range testFunc.FindAllStringSubmatch(string(source), -1) {
			known[m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range pages(t) {
		for _, name := range testName.FindAllString(text, -1) {
			if !known[name] {
				t.Errorf("%s names %s, which there is not", file, name)
			}
		}
	}
}
