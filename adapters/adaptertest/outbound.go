package adaptertest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"talaria/core/chat"
)

func splitting(b *bench) {
	limit := b.Adapter.Limits().Text
	if limit == 0 {
		b.t.Fatal("no limit is known")
	}
	var text strings.Builder
	for i := 0; text.Len() < 3*limit; i++ {
		fmt.Fprintf(&text, "Sentence %d has 🦊 and <angles> & **bold** words. ", i)
	}
	parts := b.Adapter.Render(chat.Post{Markdown: text.String()})
	if len(parts) < 3 {
		b.t.Errorf("%d units in %d parts", text.Len(), len(parts))
	}
	b.post(b.Direct, chat.Post{Markdown: text.String()})
	if shown := b.Shown(b.Direct); len(shown) != len(parts) {
		b.t.Errorf("%d of %d parts shown", len(shown), len(parts))
	}
}

func empty(b *bench) {
	for _, md := range []string{"", " \n\t", "\u200b"} {
		if parts := b.Adapter.Render(chat.Post{Markdown: md}); len(parts) > 0 {
			b.t.Errorf("%q is rendered as %d parts", md, len(parts))
		}
	}
}

func replyToNothing(b *bench) {
	part := b.Adapter.Render(chat.Post{Markdown: "an answer"})[0]
	gone := b.post(b.Direct, chat.Post{Markdown: "soon gone"})[0].Message
	if r, ok := b.Adapter.(chat.Remover); ok {
		if err := r.Remove(b.ctx, b.Direct, gone); err != nil {
			b.t.Fatal(b.note(err))
		}
	}
	if _, err := b.Adapter.Send(b.ctx, chat.Delivery{Key: key(9), Address: b.Direct, ReplyTo: gone, Payload: part.Payload}); err != nil {
		b.t.Errorf("send: %v", b.note(err))
	}
}

func failures(b *bench) {
	part := b.Adapter.Render(chat.Post{Markdown: "an answer"})[0]
	for i, kind := range []chat.ErrorKind{
		chat.RateLimited, chat.UnknownOutcome, chat.Permanent, chat.NotAllowed, chat.Gone,
	} {
		b.Fail(kind)
		_, err := b.Adapter.Send(b.ctx, chat.Delivery{Key: key(i), Address: b.Shared, Payload: part.Payload})
		var e *chat.Error
		if !errors.As(b.note(err), &e) {
			b.t.Errorf("%s: the error is %v", kind, err)
			continue
		}
		if e.Kind != kind || e.Op == "" {
			b.t.Errorf("%s: the error is of kind %q: %v", kind, e.Kind, err)
		}
		if kind == chat.RateLimited && e.RetryAfter <= 0 {
			b.t.Errorf("no wait is told: %v", err)
		}
	}
}

// find has a delivery fail without a clear outcome, and reads back what became
// of it.
func find(b *bench) {
	finder, ok := b.Adapter.(chat.Finder)
	if !ok {
		return
	}
	r := NewRecorder()
	b.run(r)
	question := b.Say(b.Shared, "are you there?")
	place := r.Events(b.ctx, b.t, 1)[0].Address
	d := chat.Delivery{Key: key(1), Address: place, ReplyTo: question, Payload: b.Adapter.Render(chat.Post{Markdown: "an *answer*"})[0].Payload}
	if _, found, err := finder.Find(b.ctx, d); found || b.note(err) != nil {
		b.t.Errorf("before it was sent it is found: %v, %v", found, err)
	}
	b.Fail(chat.UnknownOutcome)
	if _, err := b.Adapter.Send(b.ctx, d); b.note(err) == nil {
		b.t.Fatal("the send did not fail")
	}
	shown := b.Shown(place)
	receipt, found, err := finder.Find(b.ctx, d)
	if b.note(err) != nil || found != (len(shown) == 1) {
		b.t.Fatalf("found: %v, %v; shown: %v", found, err, shown)
	}
	if found && receipt.Message != shown[0].ID {
		b.t.Errorf("found as %q, not %q", receipt.Message, shown[0].ID)
	}
}

// away closes nothing of the platform's: the call goes where nobody listens.
func away(b *bench) {
	part := b.Adapter.Render(chat.Post{Markdown: "an answer"})[0]
	b.Fail(chat.Transient)
	_, err := b.Adapter.Send(b.ctx, chat.Delivery{Key: key(1), Address: b.Direct, Payload: part.Payload})
	if b.note(err) == nil || chat.KindOf(err) != chat.Transient {
		b.t.Errorf("the error is of kind %q: %v", chat.KindOf(err), err)
	}
}

func cancelled(b *bench) {
	part := b.Adapter.Render(chat.Post{Markdown: "an answer"})[0]
	ctx, cancel := context.WithCancel(b.ctx)
	cancel()
	_, err := b.Adapter.Send(ctx, chat.Delivery{Key: key(1), Address: b.Direct, Payload: part.Payload})
	if !errors.Is(b.note(err), context.Canceled) {
		b.t.Errorf("the error is %v", err)
	}
	if shown := b.Shown(b.Direct); len(shown) > 0 {
		b.t.Errorf("shown: %v", shown)
	}
}

func edit(b *bench) {
	editor, ok := b.Adapter.(chat.Editor)
	if !ok {
		return
	}
	r := b.post(b.Direct, chat.Post{Markdown: "first"})[0]
	part := b.Adapter.Render(chat.Post{Markdown: "second"})[0]
	for range 2 {
		d := chat.Delivery{Key: key(0), Address: b.Direct, Message: r.Message, Payload: part.Payload}
		got, err := editor.Edit(b.ctx, d)
		if err != nil || got.Message != r.Message {
			b.t.Fatalf("edit: %q, %v", got.Message, b.note(err))
		}
	}
	if shown := b.Shown(b.Direct); len(shown) != 1 || shown[0].Text != "second" || shown[0].ID != r.Message {
		b.t.Errorf("shown: %v", shown)
	}
}

func remove(b *bench) {
	remover, ok := b.Adapter.(chat.Remover)
	if !ok {
		return
	}
	r := b.post(b.Direct, chat.Post{Markdown: "going"})[0]
	if err := remover.Remove(b.ctx, b.Direct, r.Message); err != nil {
		b.t.Fatal(b.note(err))
	}
	if shown := b.Shown(b.Direct); len(shown) > 0 {
		b.t.Errorf("shown: %v", shown)
	}
}

func typing(b *bench) {
	typer, ok := b.Adapter.(chat.Typer)
	if !ok {
		return
	}
	for _, place := range []chat.Address{b.Direct, b.Thread} {
		if err := typer.Typing(b.ctx, place); err != nil {
			b.t.Errorf("typing in %s: %v", place, b.note(err))
		}
	}
}

func download(b *bench) {
	d, ok := b.Adapter.(chat.Downloader)
	if !ok {
		return
	}
	want := bytes.Repeat([]byte("some bytes\x00"), 5000)
	r, err := d.Download(b.ctx, b.Upload(want))
	if err != nil {
		b.t.Fatal(b.note(err))
	}
	defer r.Close()
	got, err := io.ReadAll(r)
	if err != nil || !bytes.Equal(got, want) {
		b.t.Errorf("%d of %d bytes, %v", len(got), len(want), err)
	}
}

func member(b *bench) {
	inviter, ok := b.Adapter.(chat.Inviter)
	if !ok {
		return
	}
	for who, want := range map[chat.Identity]bool{b.Person: true, b.Guest: false} {
		got, err := inviter.Member(b.ctx, b.Shared, who)
		if err != nil || got != want {
			b.t.Errorf("%s is a member: %v, %v", who, got, b.note(err))
		}
	}
}

func healthy(b *bench) {
	checker, ok := b.Adapter.(chat.Checker)
	if !ok {
		return
	}
	for _, f := range checker.Check(b.ctx) {
		b.checkSecrets("a finding", f.What+f.Remedy)
		if !f.OK {
			b.t.Errorf("finding: %+v", f)
		}
	}
}

func credentials(b *bench) {
	b.Break()
	err := b.Adapter.Run(b.ctx, NewRecorder())
	if b.note(err) == nil {
		b.t.Fatal("Run ended without an error")
	}
	checker, ok := b.Adapter.(chat.Checker)
	if !ok {
		return
	}
	bad := 0
	for _, f := range checker.Check(b.ctx) {
		b.checkSecrets("a finding", f.What+f.Remedy)
		if !f.OK && f.Remedy != "" {
			bad++
		}
	}
	if bad == 0 {
		b.t.Error("no finding with a remedy")
	}
}
