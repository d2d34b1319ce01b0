package adaptertest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"talaria/core/chat"
)

var errStore = errors.New("the store is away")

func directMessage(b *bench) {
	r := NewRecorder()
	b.run(r)
	message := b.Say(b.Direct, "hello there")
	e := r.Events(b.ctx, b.t, 1)[0]
	b.checkSaid(e, b.Direct, message, "hello there")
	if !e.Direct || e.Addressed != chat.ByDM {
		b.t.Errorf("direct %v, addressed by %q", e.Direct, e.Addressed)
	}
}

// mention has the bot called in a shared place. Where there is none, whatever
// is said is said to the bot.
func mention(b *bench) {
	r := NewRecorder()
	b.run(r)
	message := b.Say(b.shared(), "hello there")
	e := r.Events(b.ctx, b.t, 1)[0]
	b.checkSaid(e, b.shared(), message, "hello there")
	direct, by := false, chat.ByMention
	if b.shared() == b.Direct {
		direct, by = true, chat.ByDM
	}
	if e.Direct != direct || e.Addressed != by {
		b.t.Errorf("direct %v, addressed by %q", e.Direct, e.Addressed)
	}
}

// checkSaid checks what every message has. A platform may open a thread for
// what is said in none.
func (b *bench) checkSaid(e chat.Event, place chat.Address, message, text string) {
	b.t.Helper()
	if e.Kind != chat.Message || e.Text != text || e.Message != message {
		b.t.Errorf("kind %q, text %q, message %q; not %q, %q", e.Kind, e.Text, e.Message, text, message)
	}
	if e.Address.Place() != place.Place() {
		b.t.Errorf("place %s, not %s", e.Address, place)
	}
	if e.Author.Identity != b.Person || e.Author.Bot || e.Author.Self || e.Author.Anonymous {
		b.t.Errorf("author %+v", e.Author)
	}
	if e.Key() == "" || e.At.IsZero() || e.Origin != chat.Member {
		b.t.Errorf("key %q, at %v, origin %v", e.Key(), e.At, e.Origin)
	}
}

// thread answers in the thread, and in the conversation where it has none.
func thread(b *bench) {
	place := cmp.Or(b.Thread, b.Direct)
	r := NewRecorder()
	b.run(r)
	b.Say(place, "in here")
	e := r.Events(b.ctx, b.t, 1)[0]
	if e.Address != place {
		b.t.Fatalf("address %s, not %s", e.Address, place)
	}
	b.post(e.Address, chat.Post{Markdown: "and back"})
	if shown := b.Shown(place); len(shown) != 1 || shown[0].Text != "and back" {
		b.t.Errorf("shown in the thread: %v", shown)
	}
}

func ownMessages(b *bench) {
	r := NewRecorder()
	b.run(r)
	b.SayAsBot(b.shared(), "talking to myself")
	message := b.Say(b.shared(), "and now I")
	for _, e := range r.Events(b.ctx, b.t, 1) {
		if e.Message != message && !e.Author.Self {
			b.t.Errorf("own message handed over as %+v", e)
		}
	}
}

func acknowledgement(b *bench) {
	tried, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	r := NewRecorder()
	r.Answer = func(chat.Event, int) error {
		once.Do(func() { close(tried) })
		select {
		case <-release:
			return nil
		default:
			return errStore
		}
	}
	b.run(r)
	message := b.Say(b.Direct, "keep me")
	<-tried
	if b.Acknowledged(message) {
		b.t.Error("acknowledged while it could not be kept")
	}
	close(release)
	b.await("the acknowledgement", func() bool { return b.Acknowledged(message) })
	r.Events(b.ctx, b.t, 1)
}

func order(b *bench) {
	const said = 12
	r := NewRecorder()
	var inside atomic.Int32
	r.Answer = func(e chat.Event, n int) error {
		if inside.Add(1) > 1 {
			b.t.Error("two events of one chat at once")
		}
		defer inside.Add(-1)
		if n == 1 && e.Text == "message 3" {
			return errStore
		}
		return nil
	}
	b.run(r)
	var want []string
	for i := range said {
		want = append(want, fmt.Sprintf("message %d", i))
		b.Say(b.Direct, want[i])
	}
	var got []string
	for _, e := range r.Events(b.ctx, b.t, said) {
		got = append(got, e.Text)
	}
	if !slices.Equal(got, want) {
		b.t.Errorf("came as %v", got)
	}
}

func stopWhileKeeping(b *bench) {
	keeping := make(chan struct{}, 1)
	stop := b.run(handlerFunc(func(ctx context.Context, _ chat.Event) error {
		select {
		case keeping <- struct{}{}:
		default:
		}
		<-ctx.Done()
		return ctx.Err()
	}))
	message := b.Say(b.Direct, "not kept yet")
	<-keeping
	stop()
	if b.Acknowledged(message) {
		b.t.Fatal("acknowledged though it was not kept")
	}
	if b.Once {
		return // whoever said it sees that it is over
	}
	r := NewRecorder()
	b.run(r)
	if e := r.Events(b.ctx, b.t, 1)[0]; e.Message != message {
		b.t.Errorf("after the restart came %q", e.Message)
	}
}

type handlerFunc func(context.Context, chat.Event) error

// Handle implements chat.Handler.
func (f handlerFunc) Handle(ctx context.Context, e chat.Event) error { return f(ctx, e) }

func stopWhileIdle(b *bench) {
	r := NewRecorder()
	stop := b.run(r)
	b.Say(b.Direct, "so that it is up")
	r.Events(b.ctx, b.t, 1)
	stop()
}

func press(b *bench) {
	r := NewRecorder()
	b.run(r)
	receipts := b.post(b.shared(), chat.Post{
		Markdown: "may I?",
		Buttons:  []chat.Button{{Label: "Yes", Action: "approve", Token: "tok_1"}, {Label: "No", Action: "deny", Token: "tok_1"}},
	})
	answered := b.Press(b.shared(), receipts[0].Message, "No")
	e := r.Events(b.ctx, b.t, 1)[0]
	b.await("the press to be answered", answered)
	if e.Kind != chat.Press || e.Press == nil || e.Press.Action != "deny" || e.Press.Token != "tok_1" {
		b.t.Fatalf("pressed: %+v", e)
	}
	if e.Author.Identity != b.Person || e.Message != receipts[0].Message || e.Address.Place() != b.shared().Place() || e.Key() == "" {
		b.t.Errorf("press by %v on %q in %s, key %q", e.Author.Identity, e.Message, e.Address, e.Key())
	}
}

// history reads back what was said. Where nothing can be, the platform itself
// keeps what is said while nobody listens.
func history(b *bench) {
	r := NewRecorder()
	historian, ok := b.Adapter.(chat.Historian)
	if !ok {
		message := b.Say(b.Direct, "are you there?")
		b.run(r)
		if e := r.Events(b.ctx, b.t, 1)[0]; e.Message != message {
			b.t.Errorf("came %q, not %q", e.Message, message)
		}
		return
	}
	b.run(r)
	first := b.Say(b.Direct, "one")
	for _, text := range []string{"two", "three"} {
		b.Say(b.Direct, text)
	}
	told := r.Events(b.ctx, b.t, 3)
	read, err := historian.History(b.ctx, b.Direct, first, 10)
	if b.note(err) != nil || len(read) != 2 {
		b.t.Fatalf("%d events were read, %v", len(read), err)
	}
	for i, e := range read {
		if want := told[i+1]; e.Text != want.Text || e.Key() != want.Key() || e.Author.Identity != want.Author.Identity || e.Address != want.Address {
			b.t.Errorf("read as %+v, told as %+v", e, want)
		}
	}
}
