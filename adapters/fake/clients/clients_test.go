//go:build clients

package clients

import (
	"bufio"
	"context"
	"encoding/json"
	"os/exec"
	"slices"
	"syscall"
	"testing"
	"time"
)

// patience bounds each wait. It is far above what anything takes.
const patience = time.Minute

// line is what a script tells.
type line struct{ Saw, Text string }

// bot is a script that runs.
type bot struct {
	t     *testing.T
	ctx   context.Context
	lines chan line
}

// start runs a script until the test ends, and waits until it is ready.
func start(t *testing.T, script string, args ...string) *bot {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience) // it has to outlive the test, to be told to end
	cmd := exec.CommandContext(ctx, "node", append([]string{script}, args...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	b := &bot{t, ctx, make(chan line, 100)}
	read := make(chan struct{}, 2)
	go func() {
		defer func() { close(b.lines); read <- struct{}{} }()
		for said := bufio.NewScanner(out); said.Scan(); {
			var l line
			if err := json.Unmarshal(said.Bytes(), &l); err != nil {
				t.Errorf("%s said %q", script, said.Text())
			}
			b.lines <- l
		}
	}()
	go func() {
		defer func() { read <- struct{}{} }()
		for said := bufio.NewScanner(stderr); said.Scan(); {
			t.Errorf("%s complained: %s", script, said.Text())
		}
	}()
	t.Cleanup(func() {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		for l := range b.lines {
			t.Errorf("%s told %+v, which nobody waited for", script, l)
		}
		<-read
		<-read
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s ended with %v", script, err)
		}
		cancel()
	})
	b.sees("ready", "")
	return b
}

// sees waits for the next thing that the script tells, which must be this; an
// empty text is any.
func (b *bot) sees(saw, text string) {
	b.t.Helper()
	select {
	case l, ok := <-b.lines:
		if !ok || l.Saw != saw || text != "" && l.Text != text {
			b.t.Fatalf("told %+v, want %s %q", l, saw, text)
		}
	case <-b.ctx.Done():
		b.t.Fatalf("told nothing, want %s %q", saw, text)
	}
}

// world is what the simulators have alike.
type world interface {
	Await(ctx context.Context, there func() bool) error
	Breaches() []string
}

// awaits waits for what the simulator is to see.
func (b *bot) awaits(w world, what string, there func() bool) {
	b.t.Helper()
	if err := w.Await(b.ctx, there); err != nil {
		b.t.Fatalf("%s: %v", what, err)
	}
}

// shown waits for a message among those that the bot sent, and returns it.
func shown[M any](b *bot, w world, what string, sent func() []M, is func(M) bool) (found M) {
	b.t.Helper()
	b.awaits(w, what, func() bool {
		all := sent()
		n := slices.IndexFunc(all, is)
		if n >= 0 {
			found = all[n]
		}
		return n >= 0
	})
	return found
}

// clean fails a test whose calls were not all taken, or broke the peace.
func clean[R any](t *testing.T, w world, refused []R) {
	t.Helper()
	if breaches := w.Breaches(); len(refused)+len(breaches) > 0 {
		t.Errorf("refused %+v, breaches %q", refused, breaches)
	}
}
