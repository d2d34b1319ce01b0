package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"talaria/core/model/modeltest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// shell runs commands in a folder of its own.
type shell struct {
	t       *testing.T
	dir     string
	environ []string
	in      string
}

func newShell(t *testing.T, environ ...string) *shell {
	dir := t.TempDir()
	store := "TALARIA_STORAGE_URL=sqlite:" + filepath.Join(dir, "t.db")
	return &shell{t: t, dir: dir, environ: append([]string{store, "TALARIA_WEB_LISTEN=off"}, environ...)}
}

// run returns what a command wrote and its exit code.
func (s *shell) run(args ...string) (stdout, stderr string, code int) {
	var out, err bytes.Buffer
	p := &process{
		in: strings.NewReader(s.in), out: &out, err: &err, environ: s.environ,
		interrupts: &interrupts{c: make(chan struct{}, 1)},
	}
	code = p.run(s.t.Context(), args)
	return out.String(), err.String(), code
}

func TestExitCodes(t *testing.T) {
	cases := map[string]struct {
		args   []string
		in     string
		code   int
		stderr string
	}{
		"help":               {[]string{"--help"}, "", 0, ""},
		"help of one":        {[]string{"render", "-h"}, "", 0, ""},
		"version":            {[]string{"version"}, "", 0, ""},
		"no such command":    {[]string{"dance"}, "", 2, `talaria: there is no command "dance"; see talaria --help`},
		"a mistyped command": {[]string{"docter"}, "", 2, `talaria: there is no command "docter"; did you mean doctor?`},
		"a mistyped family":  {[]string{"stroe", "check"}, "", 2, `talaria: there is no command "stroe"; did you mean store?`},
		"no such flag":       {[]string{"version", "--loud"}, "", 2, "talaria: version: flag provided but not defined: -loud"},
		"missing argument":   {[]string{"store", "backup"}, "", 2, "talaria: store backup: FILE is missing"},
		"missing id":         {[]string{"jobs", "show"}, "", 2, "talaria: jobs show: ID is missing; talaria jobs list shows them"},
		"a command's help":   {[]string{"help", "skills"}, "", 0, ""},
		"a family":           {[]string{"store"}, "", 0, ""},
		"none of a family":   {[]string{"jobs", "dance"}, "", 2, `talaria: there is no command "jobs dance"; there are jobs parse, jobs list, jobs show, jobs pause, jobs resume, jobs run, jobs delete, jobs set`},
		"fewer than none":    {[]string{"traces", "list", "--limit", "-1"}, "", 2, `talaria: traces list: invalid value "-1" for flag -limit: write a whole number, 1 or more`},
		"no reports":         {[]string{"reflection", "list", "--limit=-1"}, "", 2, `talaria: reflection list: invalid value "-1" for flag -limit: write a whole number, 1 or more`},
		"no results":         {[]string{"search", "--top", "0", "x"}, "", 2, `talaria: search: invalid value "0" for flag -top: write a whole number, 1 or more`},
		"config behind":      {[]string{"skills", "list", "--config", "/nowhere.toml"}, "", 2, "talaria: /nowhere.toml: there is no such file; name another one with --config or TALARIA_CONFIG, or neither to run with the defaults"},
		"one too many":       {[]string{"version", "x"}, "", 2, `talaria: version: unexpected "x"; see talaria --help`},
		"no such file":       {[]string{"render", "/nowhere"}, "", 2, "talaria: open /nowhere: no such file or directory"},
		"no such config":     {[]string{"store", "check", "--config", "/nowhere.toml"}, "", 2, "talaria: /nowhere.toml: there is no such file; name another one with --config or TALARIA_CONFIG, or neither to run with the defaults"},
		"no such platform":   {[]string{"render", "--platform", "icq"}, "x", 2, ""},
		"no store":           {[]string{"store", "check"}, "", 1, ""},
		"nobody runs":        {[]string{"status"}, "", 1, ""},
		"no line of JSON":    {[]string{"render", "--jsonl"}, "{\"id\":1,\"platform\":\"slack\"}\nx\n", 2, "talaria: line 2: no JSON: invalid character 'x' looking for beginning of value"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := newShell(t)
			s.in = c.in
			_, stderr, code := s.run(c.args...)
			if code != c.code {
				t.Errorf("exit code %d, want %d; stderr %q", code, c.code, stderr)
			}
			if c.code != 0 && strings.Count(stderr, "\n") != 1 {
				t.Errorf("stderr is not one line: %q", stderr)
			}
			if c.stderr != "" && stderr != c.stderr+"\n" {
				t.Errorf("stderr %q, want %q", stderr, c.stderr)
			}
		})
	}
}

func TestEveryCommandHasHelp(t *testing.T) {
	for _, c := range commands() {
		out, _, code := newShell(t).run(append(strings.Fields(c.name), "--help")...)
		if code != 0 || c.help == "" || !strings.Contains(out, c.help) || !strings.Contains(out, "--config FILE") {
			t.Errorf("%s: exit code %d, help:\n%s", c.name, code, out)
		}
	}
}

func TestListsOfHelpFitATerminal(t *testing.T) {
	out, _, _ := newShell(t).run("--help")
	for line := range strings.Lines(out) {
		if len(line) > 81 {
			t.Errorf("too wide: %q", line)
		}
	}
}

func TestFlagsMayStandBehindArguments(t *testing.T) {
	s := newShell(t)
	file := s.write("a.md", "**bold**")
	before, _, _ := s.run("render", "--platform", "slack", file)
	behind, _, code := s.run("render", file, "--platform", "slack")
	if code != 0 || before != behind || !strings.Contains(behind, "*bold*") {
		t.Errorf("before %q, behind %q", before, behind)
	}
}

func (s *shell) write(name, text string) string {
	s.t.Helper()
	path := filepath.Join(s.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return path
}

func TestRenderLines(t *testing.T) {
	s := newShell(t)
	s.in = `{"id":"a","platform":"telegram","markdown":"**hi** <b>"}
{"id":2,"platform":"slack","markdown":" \u200b"}

{"id":"c","platform":"discord","markdown":"plain","further":true}`
	out, stderr, code := s.run("render", "--jsonl")
	if code != 0 || stderr != "" {
		t.Fatal(code, stderr)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines:\n%s", len(lines), out)
	}
	for n, prefix := range []string{
		`{"id":"a","parts":[{"text":"hi <b>","units":6,"format":"entities","entities":[{"type":"bold","offset":0,"length":2}],"payload":{`,
		`{"id":2,"parts":[]}`,
		`{"id":"c","parts":[{"text":"plain","units":5,`,
	} {
		if !strings.HasPrefix(lines[n], prefix) {
			t.Errorf("line %d is %s", n+1, lines[n])
		}
	}
}

func TestManyAndLongLines(t *testing.T) {
	s := newShell(t)
	var in strings.Builder
	for n := range 1000 {
		fmt.Fprintf(&in, `{"id":%d,"platform":"slack","markdown":"line"}`+"\n", n)
	}
	fmt.Fprintf(&in, `{"id":"long","platform":"slack","markdown":"%s"}`, strings.Repeat("word ", 2<<20))
	s.in = in.String()
	out, stderr, code := s.run("render", "--jsonl")
	if code != 0 || stderr != "" {
		t.Fatal(code, stderr)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 1001 || !strings.HasPrefix(lines[999], `{"id":999,`) || !strings.HasPrefix(lines[1000], `{"id":"long",`) {
		t.Errorf("%d lines", len(lines))
	}
}

func TestNormalizeLines(t *testing.T) {
	s := newShell(t)
	s.in = `{"id":"t","platform":"telegram","context":{},"events":[{"update_id":1,"message":{"message_id":5,"date":1700000000,"chat":{"id":7,"type":"private"},"from":{"id":7,"is_bot":false,"first_name":"Ada"},"text":"hello"}}]}
{"id":"s","platform":"slack","context":{},"events":[]}`
	out, stderr, code := s.run("normalize", "--jsonl")
	if code != 0 || stderr != "" {
		t.Fatal(code, stderr)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], `"text":"hello"`) || !strings.Contains(lines[0], `"dedupe_key":"telegram:7:5"`) {
		t.Errorf("answered:\n%s", out)
	}
	if want := `{"id":"s","turns":[],"ignored":[],"actions":[],"effects":[]}`; lines[1] != want {
		t.Errorf("answered %s", lines[1])
	}
	s.in = `{"id":"x","platform":"icq","events":[]}`
	if _, _, code := s.run("normalize", "--jsonl"); code != 2 {
		t.Errorf("exit code %d for a platform that there is not", code)
	}
}

func TestSearch(t *testing.T) {
	s := newShell(t)
	corpus := s.write("corpus.jsonl", `{"id":"a1","user":"anna","session":"s","text":"we deploy with the blue script"}
{"id":"a2","user":"anna","session":"s","text":"lunch was noodles"}
{"id":"b1","user":"bob","session":"s","text":"the deploy script is green"}
`)
	s.in = `{"id":"q1","user":"bob","query":"deploy"}` + "\n" + `{"id":"q2","user":"carol","query":"deploy"}` + "\n"
	out, stderr, code := s.run("search", "--corpus", corpus, "--top", "5", "--jsonl")
	if d := cmp.Diff("{\"id\":\"q1\",\"ids\":[\"b1\"]}\n{\"id\":\"q2\",\"ids\":[]}\n", out); code != 0 || d != "" {
		t.Errorf("exit code %d, stderr %q\n%s", code, stderr, d)
	}
	out, _, code = s.run("search", "--corpus", corpus, "--user", "anna", "noodles for lunch")
	if code != 0 || !strings.HasPrefix(out, "a2\n") {
		t.Errorf("exit code %d, found %q", code, out)
	}
	for _, args := range [][]string{{"search", "--jsonl"}, {"search", "--corpus", corpus}, {"search", "--corpus", "/nowhere", "--jsonl"}} {
		if _, _, code := s.run(args...); code != 2 {
			t.Errorf("%v: exit code %d", args, code)
		}
	}
}

func TestSearchByMeaning(t *testing.T) {
	e := modeltest.StartEmbeddings("mended garage", "beach holiday")
	t.Cleanup(e.Close)
	s := newShell(t, "TALARIA_MODEL_EMBEDDING_PROVIDER=openai", "TALARIA_MODEL_EMBEDDING_NAME=small", "TALARIA_MODEL_EMBEDDING_BASE_URL="+e.URL())
	corpus := s.write("corpus.jsonl", `{"id":"a1","user":"anna","session":"s","text":"that van, our van, the blue van, is at the beach"}
{"id":"a2","user":"anna","session":"t","text":"the garage of Henri has had the van of my sister's since Friday"}
`)
	for _, want := range []string{"a2\na1\n", "a1\na2\n"} { // the second while it fails
		out, stderr, code := s.run("search", "--corpus", corpus, "--user", "anna", "van mended")
		if code != 0 || out != want || (want[:2] == "a1") != strings.Contains(stderr, "by words alone") {
			t.Errorf("exit code %d, found %q, stderr %q", code, out, stderr)
		}
		e.Answer(modeltest.Failed)
	}
}

func TestDoctorFailsWhereSomethingIsWrong(t *testing.T) {
	s := newShell(t, "TALARIA_AGENT_MAX_CALLS=0")
	out, _, code := s.run("doctor")
	if code != 1 || !strings.Contains(out, "FAILED  config     TALARIA_AGENT_MAX_CALLS: agent.max_calls: 0 is too small") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}
