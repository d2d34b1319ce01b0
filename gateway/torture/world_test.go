package torture

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	fake "talaria/adapters/fake/telegram"
	"talaria/core/model/modeltest"
)

// binary is the program under test, built once. It is built without the race
// detector: it is killed and timed here.
var binary string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "talaria-torture")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "talaria")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-tags=failpoints", "-o", binary, "talaria/gateway")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build the program: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// long reports whether the long forms were asked for.
func long() bool { return os.Getenv("TALARIA_TORTURE") != "" }

// world is what surrounds the program: a platform, a model and a store.
type world struct {
	tb       testing.TB
	dir      string
	telegram *fake.Server
	model    *modeltest.Server
	env      []string

	mu     sync.Mutex
	said   map[int64]map[string]int64 // message ids by chat and word
	number int
}

// newWorld starts a model and, as the platform, a simulated Telegram.
func newWorld(tb testing.TB, store string, flood fake.Options, script modeltest.Script) *world {
	tb.Helper()
	w := bareWorld(tb, store, script)
	var err error
	if w.telegram, err = fake.Start(flood); err != nil {
		tb.Fatal(err)
	}
	w.env = append(w.env,
		"TALARIA_ADAPTERS_TELEGRAM_TOKEN="+w.telegram.Token(),
		"TALARIA_ADAPTERS_TELEGRAM_API_URL="+w.telegram.URL(),
		"TALARIA_ADAPTERS_TELEGRAM_PEOPLE=*",
	)
	tb.Cleanup(func() {
		w.telegram.Close()
		for _, b := range w.telegram.Breaches() {
			tb.Errorf("breach: %s", b)
		}
	})
	return w
}

// bareWorld starts a model; the platform is the caller's.
func bareWorld(tb testing.TB, store string, script modeltest.Script) *world {
	tb.Helper()
	w := &world{tb: tb, dir: tb.TempDir(), said: map[int64]map[string]int64{}}
	w.model = modeltest.Start(script, modeltest.Options{Keep: -1})
	tb.Cleanup(w.model.Close)
	if store == "sqlite" {
		store = "sqlite:" + filepath.Join(w.dir, "talaria.db")
	}
	w.env = append(os.Environ(),
		"TALARIA_MODEL_PROVIDER=openai",
		"TALARIA_MODEL_BASE_URL="+w.model.URL()+"/v1",
		"TALARIA_MODEL_API_KEY=scripted",
		"TALARIA_MODEL_NAME=scripted",
		"TALARIA_STORAGE_URL="+store,
		"TALARIA_STORAGE_DIR="+w.dir,
		"TALARIA_WEB_LISTEN=off",
		"TALARIA_LOG_LEVEL=info",
	)
	return w
}

// say has a person say a word of its own in their direct chat.
func (w *world) say(user int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.number++
	word := fmt.Sprintf("w%d.", w.number)
	in := w.telegram.Speak(fake.Speech{User: user, Chat: user, Text: word})
	if w.said[user] == nil {
		w.said[user] = map[string]int64{}
	}
	w.said[user][word] = in.Message
}

// sayEach has so many people say a word each.
func (w *world) sayEach(people int64) {
	for user := range people {
		w.say(1000 + user)
	}
}

// answers says which message a message of the bot's answers.
func (w *world) answers(m fake.Message) int64 {
	word, ok := strings.CutPrefix(m.Text, "echo: ")
	if !ok {
		return 0
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.said[m.Chat][word]
}

// settled waits until everything said is answered and confirmed, or until
// nothing has changed for a long while, and returns what the platform saw.
func (w *world) settled(patience time.Duration) fake.Tally {
	w.tb.Helper()
	ctx, cancel := context.WithTimeout(w.tb.Context(), patience)
	defer cancel()
	var t fake.Tally
	_ = w.telegram.Await(ctx, func() bool {
		if w.telegram.Unconfirmed() > 0 {
			return false
		}
		t = w.telegram.Tally(w.answers)
		return len(t.Lost) == 0
	})
	return w.telegram.Tally(w.answers)
}

// judge fails the test unless all that was said has one answer, in order.
func (w *world) judge() {
	w.tb.Helper()
	t := w.telegram.Tally(w.answers)
	w.tb.Logf("events=%d answered=%d lost=%d doubled=%d orphans=%d disordered=%d other=%d", t.Said, t.Answered,
		len(t.Lost), len(t.Doubled), len(t.Orphans), len(t.Disordered), len(t.Strays))
	if len(t.Lost) > 0 || len(t.Doubled) > 0 || len(t.Disordered) > 0 || len(t.Strays) > 0 {
		w.tb.Errorf("lost %v, doubled %v, disordered %v, other %v\n%s", t.Lost, t.Doubled, t.Disordered, t.Strays, w.lastLog())
	}
}

// process is one run of the program.
type process struct {
	cmd   *exec.Cmd
	ready time.Duration // from start to its ready line
	over  chan struct{}
	log   *os.File
}

// serve starts the program and waits until it takes messages.
func (w *world) serve(extra ...string) *process {
	w.tb.Helper()
	log, err := os.OpenFile(filepath.Join(w.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		w.tb.Fatal(err)
	}
	p := &process{cmd: exec.Command(binary, "serve"), over: make(chan struct{}), log: log}
	p.cmd.Dir = w.dir
	p.cmd.Env = append(append([]string{}, w.env...), extra...)
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	stderr, err := p.cmd.StderrPipe()
	if err != nil {
		w.tb.Fatal(err)
	}
	began := time.Now()
	if err := p.cmd.Start(); err != nil {
		w.tb.Fatal(err)
	}
	ready := make(chan struct{})
	go p.watch(stderr, ready)
	select {
	case <-ready:
		p.ready = time.Since(began)
	case <-p.over:
		w.tb.Fatalf("the program ended before it was ready:\n%s", w.lastLog())
	case <-time.After(3 * time.Minute):
		w.tb.Fatalf("the program is not ready after three minutes:\n%s", w.lastLog())
	}
	return p
}

// watch copies the program's log, and tells when its ready line is there.
func (p *process) watch(stderr io.Reader, ready chan<- struct{}) {
	lines := bufio.NewScanner(stderr)
	lines.Buffer(nil, 1<<20)
	told := false
	for lines.Scan() {
		line := lines.Text()
		fmt.Fprintln(p.log, line)
		if !told && strings.Contains(line, "msg=ready") {
			told = true
			close(ready)
		}
	}
	_ = p.cmd.Wait()
	_ = p.log.Close()
	close(p.over)
}

// kill ends the program as kill -9 does.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.over
}

// stop ends it as an orderly stop does, and returns how long that took.
func (p *process) stop() time.Duration {
	began := time.Now()
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	<-p.over
	return time.Since(began)
}

// killed reports whether a program that is over was killed.
func (p *process) killed() bool {
	status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

func (w *world) lastLog() string {
	data, err := os.ReadFile(filepath.Join(w.dir, "log"))
	if err != nil {
		return err.Error()
	}
	return string(data[max(0, len(data)-4000):])
}
