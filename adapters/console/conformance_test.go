package console_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"talaria/adapters/adaptertest"
	"talaria/adapters/console"
	"talaria/core/chat"
)

func TestConformance(t *testing.T) {
	adaptertest.Run(t, adaptertest.Harness{New: newConsole})
}

func newConsole(t *testing.T, log *slog.Logger) adaptertest.World {
	d := &desk{t: t, typed: make(chan string, 64), changed: make(chan struct{})}
	t.Cleanup(func() { close(d.typed) })
	d.pipe = console.NewPipe(d, writer{d}, console.Options{Idle: d.idle, Folder: t.TempDir(), Log: log})
	return adaptertest.World{
		Adapter:      d.pipe,
		Direct:       console.Address(),
		Person:       console.Person(),
		Fails:        []chat.ErrorKind{chat.Gone},
		Once:         true,
		Say:          d.say,
		SayAsBot:     func(chat.Address, string) {}, // nothing says the bot's words again
		Press:        d.press,
		Acknowledged: d.acknowledged,
		Await:        d.await,
		Shown:        d.shown,
		Fail:         func(chat.ErrorKind) { d.broken = true },
		Breaches:     func() []string { return nil },
	}
}

// desk is what is around a Pipe: lines that are typed, and lines that it wrote.
type desk struct {
	t      *testing.T
	pipe   *console.Pipe
	typed  chan string
	rest   string // of the line that is being read
	broken bool   // what is written goes nowhere

	mu      sync.Mutex // guards the rest
	changed chan struct{}
	last    int      // the number of what has the latest id
	said    []string // ids of what was typed, in order
	done    int      // how many of them are kept
	wrote   []adaptertest.Shown
}

// Read implements io.Reader: what is typed.
func (d *desk) Read(p []byte) (int, error) {
	if d.rest == "" {
		line, ok := <-d.typed
		if !ok {
			return 0, io.EOF
		}
		d.rest = line + "\n"
	}
	n := copy(p, d.rest)
	d.rest = d.rest[n:]
	return n, nil
}

// writer takes what a Pipe writes, one message a call.
type writer struct{ d *desk }

// Write implements io.Writer.
func (w writer) Write(p []byte) (int, error) {
	if w.d.broken {
		return 0, errors.New("nobody reads this any more")
	}
	m := adaptertest.Shown{ID: w.d.pipe.ID(w.d.pipe.Count()), Text: strings.TrimSuffix(string(p), "\n")}
	w.d.change(func() { w.d.wrote = append(w.d.wrote, m) })
	return len(p), nil
}

// change does something and tells those who wait for a change.
func (d *desk) change(do func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	do()
	close(d.changed)
	d.changed = make(chan struct{})
}

// idle is asked for once a message is kept.
func (d *desk) idle(context.Context) error {
	d.change(func() { d.done++ })
	return nil
}

func (d *desk) say(_ chat.Address, text string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.last = max(d.last, d.pipe.Count()) + 1
	id := d.pipe.ID(d.last)
	d.said = append(d.said, id)
	d.typed <- text
	return id
}

// press types the number before the label.
func (d *desk) press(a chat.Address, message, label string) func() bool {
	for _, m := range d.shown(a) {
		for line := range strings.Lines(m.Text) {
			number, ok := strings.CutSuffix(strings.TrimSpace(line), "] "+label)
			if ok && m.ID == message {
				typed := d.say(a, strings.TrimPrefix(number, "["))
				return func() bool { return d.acknowledged(typed) }
			}
		}
	}
	d.t.Fatalf("no button %q under message %s", label, message)
	return nil
}

func (d *desk) shown(chat.Address) []adaptertest.Shown {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.wrote)
}

func (d *desk) acknowledged(message string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	at := slices.Index(d.said, message)
	return at >= 0 && at < d.done
}

func (d *desk) await(ctx context.Context, condition func() bool) error {
	for {
		d.mu.Lock()
		changed := d.changed
		d.mu.Unlock()
		if condition() {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
