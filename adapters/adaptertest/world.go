package adaptertest

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"talaria/core/chat"
)

// Harness opens worlds.
type Harness struct {
	// New opens an empty world that lasts as long as t. The adapter logs to
	// log and is not running yet.
	New func(t *testing.T, log *slog.Logger) World
}

// World is one adapter and the platform around it. Every field is required,
// but for those whose comment names what the platform or the adapter lacks.
type World struct {
	Adapter chat.Adapter
	Secrets []string // must not occur in any error or log

	// Thread is one in Shared. Both are zero where all conversations are direct.
	Direct, Shared, Thread chat.Address
	Person, Guest          chat.Identity // Guest is no full member of Shared
	// Fails are the ways in which a writing call can fail, empty for all.
	Fails []chat.ErrorKind
	// Once says that what a Run was given is not told again: its end takes along
	// what was not kept by then.
	Once bool

	// Say has Person say the text to the bot (in a shared place it mentions
	// the bot), and returns the message's id.
	Say func(place chat.Address, text string) (message string)
	// SayAsBot makes the platform tell the bot of a message of its own.
	SayAsBot func(place chat.Address, text string)
	// Press has Person press the button with the label. The condition that it
	// returns holds once the person's client has stopped waiting.
	Press func(place chat.Address, message, label string) (answered func() bool)
	// Acknowledged reports whether the platform will not tell of the message
	// again.
	Acknowledged func(message string) bool
	// Await returns nil once the condition holds; it looks again whenever
	// something changed on the platform.
	Await func(ctx context.Context, condition func() bool) error
	// Shown are the bot's messages of a place (of its thread, if it has one),
	// in order.
	Shown func(place chat.Address) []Shown
	// Fail makes the next writing call fail in this way.
	Fail func(kind chat.ErrorKind)
	// Upload puts a file on the platform. For chat.Downloader.
	Upload func(content []byte) chat.Attachment
	// Break makes the account's credentials invalid; nil where there are none.
	Break func()
	// Breaches are the calls that the platform took but that must not be made.
	Breaches func() []string
}

// Shown is a message as a reader sees it.
type Shown struct {
	ID, Text string
}

// patience bounds each wait. It is far above what anything takes.
const patience = 3 * time.Minute

// bench is a world with a recorder, and what they have said.
type bench struct {
	World
	t    *testing.T
	ctx  context.Context
	log  *Log
	errs []error
}

// open opens a world, and checks when the test ends that no secret got out
// and nothing was sent that must not be.
func open(t *testing.T, h Harness) *bench {
	t.Helper()
	log := NewLog()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	b := &bench{
		World: h.New(t, log.Logger(slog.LevelDebug)),
		t:     t, ctx: ctx, log: log,
	}
	t.Cleanup(func() {
		cancel()
		for _, err := range b.errs {
			b.checkSecrets("an error", err.Error())
		}
		b.checkSecrets("the log", log.String())
		for _, breach := range b.Breaches() {
			t.Errorf("breach: %s", breach)
		}
	})
	return b
}

// shared is a shared place, or the only one where there is none.
func (b *bench) shared() chat.Address { return cmp.Or(b.Shared, b.Direct) }

// fails tells whether a writing call can fail in this way.
func (b *bench) fails(kind chat.ErrorKind) bool {
	return len(b.Fails) == 0 || slices.Contains(b.Fails, kind)
}

func (b *bench) checkSecrets(where, text string) {
	for _, secret := range b.Secrets {
		if strings.Contains(text, secret) {
			b.t.Errorf("a secret is in %s", where)
		}
	}
}

// run runs the adapter until stop is called or the test ends. stop waits for
// it and fails the test if it returns an error.
func (b *bench) run(h chat.Handler) (stop func()) {
	ctx, cancel := context.WithCancel(b.ctx)
	done := make(chan error, 1)
	go func() { done <- b.Adapter.Run(ctx, h) }()
	stop = sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-done:
			if err != nil {
				b.t.Errorf("Run ended with an error: %v", err)
			}
		case <-time.After(patience):
			b.t.Error("Run does not end with its context")
		}
	})
	b.t.Cleanup(stop)
	return stop
}

func (b *bench) await(what string, condition func() bool) {
	b.t.Helper()
	if err := b.Await(b.ctx, condition); err != nil {
		b.t.Fatalf("waiting for %s: %v", what, err)
	}
}

// post renders a post and sends its parts, and returns their receipts.
func (b *bench) post(place chat.Address, p chat.Post) []chat.Receipt {
	b.t.Helper()
	var receipts []chat.Receipt
	for i, part := range b.Adapter.Render(p) {
		r, err := b.Adapter.Send(b.ctx, chat.Delivery{Key: key(i), Address: place, Payload: part.Payload})
		if err != nil {
			b.t.Fatalf("send part %d: %v", i, b.note(err))
		}
		receipts = append(receipts, r)
	}
	return receipts
}

func key(i int) string { return fmt.Sprintf("turn-1/%03d", i) }

// note keeps an error, to look for secrets in it.
func (b *bench) note(err error) error {
	if err != nil {
		b.errs = append(b.errs, err)
	}
	return err
}

// Recorder is a chat.Handler that keeps what it gets.
type Recorder struct {
	// Answer decides what Handle returns for the n-th call with an event,
	// counted from 1 for each key; nil keeps everything.
	Answer func(e chat.Event, n int) error

	mu     sync.Mutex
	calls  map[string]int
	events []chat.Event
	got    chan struct{}
}

// NewRecorder returns a Recorder that keeps everything.
func NewRecorder() *Recorder {
	return &Recorder{calls: map[string]int{}, got: make(chan struct{})}
}

// Handle implements chat.Handler.
func (r *Recorder) Handle(_ context.Context, e chat.Event) error {
	r.mu.Lock()
	r.calls[e.Key()]++
	n := r.calls[e.Key()]
	r.mu.Unlock()
	if r.Answer != nil {
		if err := r.Answer(e, n); err != nil {
			return err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
	close(r.got)
	r.got = make(chan struct{})
	return nil
}

// Events returns the kept events once there are n of them.
func (r *Recorder) Events(ctx context.Context, t *testing.T, n int) []chat.Event {
	t.Helper()
	for {
		r.mu.Lock()
		events, got := r.events[:len(r.events):len(r.events)], r.got
		r.mu.Unlock()
		if len(events) >= n {
			return events
		}
		select {
		case <-got:
		case <-ctx.Done():
			t.Fatalf("%d events came, not %d", len(events), n)
		}
	}
}
