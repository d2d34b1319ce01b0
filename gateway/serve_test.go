package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talaria/core/model/modeltest"
	"talaria/storage/redis/redistest"
)

// withModel is a shell whose model repeats what it is told.
func withModel(t *testing.T, environ ...string) *shell {
	t.Helper()
	server := modeltest.Start(modeltest.Echo(), modeltest.Options{})
	t.Cleanup(server.Close)
	return newShell(t, append(environ,
		"TALARIA_MODEL_PROVIDER=openai", "TALARIA_MODEL_NAME=echo", "TALARIA_MODEL_BASE_URL="+server.URL()+"/v1")...)
}

func TestChatThroughAPipe(t *testing.T) {
	s := withModel(t)
	s.in = "good morning\n/status\nsecond *line*\n"
	out, stderr, code := s.run("chat")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	for _, part := range []string{"good morning", "second"} {
		if !strings.Contains(out, part) {
			t.Errorf("no answer to %q:\n%s", part, out)
		}
	}
	if strings.Contains(out, "level=") {
		t.Errorf("the log is among the answers:\n%s", out)
	}
}

func TestTheShellReachesAChatInTheTerminal(t *testing.T) {
	s := withModel(t)
	r := s.serve("chat")
	for _, args := range [][]string{{"status"}, {"skills"}, {"journey"}} {
		if out, stderr, code := s.run(args...); code != 0 || out == "" {
			t.Errorf("%v: exit code %d: %s%s", args, code, out, stderr)
		}
	}
	r.end()
}

func TestInASharedStoreTheTerminalIsNobodysUnlessItIsNamed(t *testing.T) {
	s := withModel(t, "TALARIA_STORAGE_URL="+redistest.Start(t, redistest.Options{}).URL(), "TALARIA_STORAGE_DIR="+t.TempDir())
	s.in = "good morning\n"
	for _, args := range [][]string{{"chat"}, {"serve"}, {"skills"}} {
		_, stderr, code := s.run(args...)
		if code != 1 || !strings.Contains(stderr, `admins = ["console"]`) {
			t.Errorf("%v: exit code %d: %s", args, code, stderr)
		}
	}
	s.environ = append(s.environ, "TALARIA_PEOPLE_ADMINS=console")
	if out, stderr, code := s.run("chat"); code != 0 || !strings.Contains(out, "good morning") {
		t.Errorf("exit code %d: %s%s", code, out, stderr)
	}
}

// watched is an output on which a text can be waited for.
type watched struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{}
}

func newWatched() *watched { return &watched{more: make(chan struct{}, 1)} }

// Write implements io.Writer.
func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text.Write(p)
	select {
	case w.more <- struct{}{}:
	default:
	}
	return len(p), nil
}

func (w *watched) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// await returns what was written once it holds the text.
func (w *watched) await(ctx context.Context, text string) (string, error) {
	for {
		if got := w.String(); strings.Contains(got, text) {
			return got, nil
		}
		select {
		case <-w.more:
		case <-ctx.Done():
			return "", fmt.Errorf("no %q in:\n%s", text, w.String())
		}
	}
}

// serving is a running "talaria serve" with a pipe for its terminal.
type serving struct {
	*shell
	input *io.PipeWriter
	out   *watched
	log   *watched
	stop  context.CancelFunc
	code  chan int
}

func (s *shell) serve(args ...string) *serving {
	s.t.Helper()
	in, input := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	r := &serving{shell: s, input: input, out: newWatched(), log: newWatched(), stop: cancel, code: make(chan int, 1)}
	p := &process{in: in, out: r.out, err: r.log, environ: s.environ, interrupts: &interrupts{c: make(chan struct{}, 1)}}
	go func() { r.code <- p.run(ctx, args) }()
	s.t.Cleanup(func() {
		cancel()
		input.Close()
	})
	if _, err := r.log.await(s.t.Context(), "msg=ready"); err != nil {
		s.t.Fatal(err)
	}
	return r
}

// end stops it as a signal would, and returns its exit code.
func (r *serving) end() int {
	r.stop()
	code := <-r.code
	r.input.Close()
	return code
}

func TestServe(t *testing.T) {
	s := withModel(t, "TALARIA_WEB_LISTEN=127.0.0.1:0")
	r := s.serve()
	if _, err := fmt.Fprintln(r.input, "good morning"); err != nil {
		t.Fatal(err)
	}
	if _, err := r.out.await(t.Context(), "good morning"); err != nil {
		t.Error(err)
	}
	out, stderr, code := s.run("status")
	if code != 0 || !strings.Contains(out, "takes messages") {
		t.Errorf("status: exit code %d: %s%s", code, out, stderr)
	}
	if out, stderr, code := s.run("health"); code != 0 || out != "ready\n" {
		t.Errorf("health: exit code %d: %s%s", code, out, stderr)
	}
	if code := r.end(); code != 0 {
		t.Errorf("exit code %d: %s", code, r.log)
	}
	if _, _, code := s.run("health"); code != 1 {
		t.Errorf("health of a bot that stopped: exit code %d", code)
	}
}

func TestServeEndsWithItsInput(t *testing.T) {
	r := withModel(t).serve()
	r.input.Close()
	if code := <-r.code; code != 0 {
		t.Errorf("exit code %d: %s", code, r.log)
	}
}

func TestStoreIsServedOnce(t *testing.T) {
	s := withModel(t)
	r := s.serve()
	if _, stderr, code := s.run("chat"); code != 1 || !strings.Contains(stderr, "another talaria serves this store") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	if out, stderr, code := s.run("store", "check"); code != 0 {
		t.Errorf("check beside a running bot: exit code %d: %s%s", code, out, stderr)
	}
	r.end()
}

func TestRestoredStoreIsSilentUntilItIsTheLiveOne(t *testing.T) {
	from, to := withModel(t), withModel(t)
	file := from.dir + "/backup"
	if _, stderr, code := from.run("chat"); code != 0 { // makes the store
		t.Fatal(stderr)
	}
	for _, step := range []struct {
		s    *shell
		args []string
		code int
	}{
		{from, []string{"store", "backup", file}, 0},
		{to, []string{"store", "restore", file}, 0},
		{to, []string{"chat"}, 1},
		{to, []string{"serve"}, 1},
		{to, []string{"store", "live"}, 0},
		{to, []string{"chat"}, 0},
	} {
		if out, stderr, code := step.s.run(step.args...); code != step.code {
			t.Errorf("%v: exit code %d, want %d: %s%s", step.args, code, step.code, out, stderr)
		}
	}
}

func TestWhoWasForgottenSinceTheBackupStaysForgotten(t *testing.T) {
	const canary = "zanzibarquokka"
	from := withModel(t)
	file := filepath.Join(from.dir, "backup")
	chat := func(line string) string {
		from.in = line + "\n"
		out, stderr, code := from.run("chat")
		if code != 0 {
			t.Fatalf("%s: exit code %d: %s", line, code, stderr)
		}
		return out
	}
	chat("my word is " + canary)
	if _, stderr, code := from.run("store", "backup", file); code != 0 {
		t.Fatal(stderr)
	}
	code := regexp.MustCompile("/forget me [a-z0-9]{8}").FindString(chat("/forget me"))
	if out := chat(code); !strings.Contains(out, "You are forgotten") {
		t.Fatalf("%q: %s", code, out)
	}

	old := "sqlite:" + filepath.Join(from.dir, "t.db")
	for name, c := range map[string]struct {
		flags []string
		told  string
		back  bool
	}{
		"alone":                   {nil, "are back", true},
		"replacing the old store": {[]string{"--replaces", old}, "people who were forgotten since and stay so: 1\n", false},
		"named by a variable":     {[]string{"--replaces=$OLD_STORE"}, "people who were forgotten since and stay so: 1\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			to := newShell(t, "OLD_STORE="+old)
			out, stderr, code := to.run(append([]string{"store", "restore", file}, c.flags...)...)
			if code != 0 || !strings.Contains(out, c.told) {
				t.Errorf("exit code %d: %s%s", code, out, stderr)
			}
			data, err := os.ReadFile(filepath.Join(to.dir, "t.db"))
			if back := bytes.Contains(data, []byte(canary)); back != c.back || err != nil {
				t.Errorf("in the file: %t, %v", back, err)
			}
		})
	}
	for _, wrong := range []string{"old.db", "$NOWHERE", "sqlite:" + filepath.Join(from.dir, "none.db")} {
		to := newShell(t)
		if out, stderr, code := to.run("store", "restore", file, "--replaces", wrong); code == 0 || stderr == "" {
			t.Errorf("%s: exit code %d: %s", wrong, code, out)
		}
	}
}

func TestInterruptsAreForWhoWantsThem(t *testing.T) {
	i := &interrupts{c: make(chan struct{}, 1)}
	var got []bool
	got = append(got, i.take())
	c := i.want()
	got = append(got, i.take(), i.take())
	<-c
	got = append(got, i.take())
	if d := cmp.Diff([]bool{false, true, false, true}, got); d != "" {
		t.Error(d)
	}
}
