package console_test

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"talaria/adapters/console"
	"talaria/core/chat"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// world is what is behind a console in tests: it keeps what it is handed, and
// answers while Idle is waited for.
type world struct {
	adapter chat.Adapter
	answer  func(chat.Event) []chat.Post

	mu     sync.Mutex
	kept   []chat.Event
	queued []chat.Event
	refuse int // so many events are not kept
}

// Handle implements chat.Handler.
func (w *world) Handle(_ context.Context, e chat.Event) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.refuse > 0 {
		w.refuse--
		return context.DeadlineExceeded
	}
	w.kept, w.queued = append(w.kept, e), append(w.queued, e)
	return nil
}

func (w *world) idle(ctx context.Context) error {
	w.mu.Lock()
	queued := w.queued
	w.queued = nil
	w.mu.Unlock()
	for _, e := range queued {
		for _, post := range w.answer(e) {
			if _, err := w.say(ctx, post, ""); err != nil {
				return err
			}
		}
	}
	return nil
}

// say sends a post, or puts it in the place of a message.
func (w *world) say(ctx context.Context, post chat.Post, message string) (string, error) {
	id := message
	for _, part := range w.adapter.Render(post) {
		d := chat.Delivery{Key: "k", Address: console.Address(), Message: message, Payload: part.Payload}
		send := w.adapter.Send
		if message != "" {
			send = w.adapter.(chat.Editor).Edit
		}
		r, err := send(ctx, d)
		if err != nil {
			return "", err
		}
		id = r.Message
	}
	return id, nil
}

func echo(e chat.Event) []chat.Post {
	switch e.Kind {
	case chat.Command:
		return []chat.Post{{Markdown: "command " + e.Command.Name + ": " + e.Command.Args}}
	case chat.Press:
		return []chat.Post{{Markdown: "pressed " + e.Press.Action + " " + e.Press.Token}}
	}
	return []chat.Post{{Markdown: "you said **" + e.Text + "**"}}
}

func (w *world) options(t *testing.T) console.Options {
	return console.Options{Idle: w.idle, Folder: t.TempDir(), Log: slog.New(slog.DiscardHandler)}
}

// pipe runs a Pipe over the whole input and returns what it wrote.
func pipe(t *testing.T, w *world, input string) string {
	t.Helper()
	var out strings.Builder
	p := console.NewPipe(strings.NewReader(input), &out, w.options(t))
	w.adapter = p
	if w.answer == nil {
		w.answer = echo
	}
	if err := p.Run(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
