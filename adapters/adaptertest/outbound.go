package adaptertest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"talaria/core/chat"
)

// unlimited is what a platform without a limit takes as one message.
const unlimited = 20000

func splitting(b *bench) {
	limit, least := b.Adapter.Limits().Text, 3
	if limit == 0 {
		limit, least = unlimited, 1
	}
	var text strings.Builder
	for i := 0; text.Len() < 3*limit; i++ {
		fmt.Fprintf(&text, "Sentence %d has 🦊 and <angles> & **bold** words. ", i)
	}
	parts := b.Adapter.Render(chat.Post{Markdown: text.String()})
	if len(parts) < least || limit == unlimited && len(parts) > least {
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
		if !b.fails(kind) {
			continue
		}
		b.Fail(kind)
		_, err := b.Adapter.Send(b.ctx, chat.Delivery{Key: key(i), Address: b.shared(), Payload: part.Payload})
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
// of it. Where nothing can be, there is an edit that can be repeated in place
// of the send, or the one who waits for the outcome is told that it is unknown.
func find(b *bench) {
	finder, ok := b.Adapter.(chat.Finder)
	if !ok {
		b.unclear()
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

// unclear has a message's last writing call fail without a clear outcome.
func (b *bench) unclear() {
	if !b.fails(chat.UnknownOutcome) {
		return // each call's outcome is known
	}
	part := b.Adapter.Render(chat.Post{Markdown: "an answer"})[0]
	d := chat.Delivery{Key: key(1), Address: b.Direct, Payload: part.Payload}
	write := b.Adapter.Send
	if p, ok := b.Adapter.(chat.Placeholder); ok && p.Placeholder() != nil {
		first := d
		first.Payload = p.Placeholder().Payload
		r, err := b.Adapter.Send(b.ctx, first)
		if b.note(err) != nil {
			b.t.Fatal(err)
		}
		d.Message, write = r.Message, b.Adapter.(chat.Editor).Edit
	}
	b.Fail(chat.UnknownOutcome)
	if _, err := write(b.ctx, d); chat.KindOf(b.note(err)) != chat.UnknownOutcome {
		b.t.Errorf("the error is of kind %q: %v", chat.KindOf(err), err)
	}
	if d.Message == "" {
		return
	}
	if _, err := write(b.ctx, d); b.note(err) != nil {
		b.t.Error(err)
	}
	if shown := b.Shown(b.Direct); len(shown) != 1 || shown[0].Text != "an answer" {
		b.t.Errorf("shown: %v", shown)
	}
}

// away closes nothing of the platform's: the call goes where nobody listens.
func away(b *bench) {
	if !b.fails(chat.Transient) {
		return // there is no server
	}
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
		b.whole()
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

// editOfNothing: only a refusal that is permanent has the answer sent anew.
func editOfNothing(b *bench) {
	editor, edits := b.Adapter.(chat.Editor)
	remover, removes := b.Adapter.(chat.Remover)
	if !edits || !removes {
		b.whole() // what is shown can't be lost
		return
	}
	r := b.post(b.shared(), chat.Post{Markdown: "the beginning"})[0]
	if err := remover.Remove(b.ctx, b.shared(), r.Message); err != nil {
		b.t.Fatal(b.note(err))
	}
	part := b.Adapter.Render(chat.Post{Markdown: "the whole"})[0]
	_, err := editor.Edit(b.ctx, chat.Delivery{Key: key(0), Address: b.shared(), Message: r.Message, Payload: part.Payload})
	if b.note(err) == nil || chat.KindOf(err) != chat.Permanent {
		b.t.Errorf("the error is of kind %q: %v", chat.KindOf(err), err)
	}
}

// whole checks that an adapter that can't edit asks for nothing that needs it:
// answers are sent when they are whole, one below the other.
func (b *bench) whole() {
	if p, ok := b.Adapter.(chat.Placeholder); ok && p.Placeholder() != nil {
		b.t.Error("a placeholder would stay")
	}
	for _, text := range []string{"first", "second"} {
		b.post(b.Direct, chat.Post{Markdown: text})
	}
	if shown := b.Shown(b.Direct); len(shown) != 2 || shown[0].Text != "first" || shown[1].Text != "second" {
		b.t.Errorf("shown: %v", shown)
	}
}

// beginning shows the first half of an answer and then all of it.
func beginning(b *bench) {
	preview := func(md string) (chat.Part, bool) {
		parts := b.Adapter.Render(chat.Post{Markdown: md})
		return parts[0], len(parts) > 0
	}
	if p, ok := b.Adapter.(chat.Previewer); ok {
		preview = p.Preview
	}
	half, ok := preview("It is **well be")
	if !ok {
		b.t.Fatal("nothing of it is shown")
	}
	d := chat.Delivery{Key: key(0), Address: b.Direct, Payload: half.Payload}
	if drafter, ok := b.Adapter.(chat.Drafter); ok && drafter.Drafts(b.Direct) {
		if err := drafter.Draft(b.ctx, d); b.note(err) == nil {
			b.showing(0)
			return
		}
		if drafter.Drafts(b.Direct) {
			b.t.Error("a draft was refused, and the next one would be")
		}
	}
	if _, err := b.Adapter.Send(b.ctx, d); b.note(err) != nil {
		b.t.Fatal(err)
	}
	b.showing(1)
}

func (b *bench) showing(n int) {
	b.t.Helper()
	if shown := b.Shown(b.Direct); len(shown) != n {
		b.t.Errorf("%d messages are shown, not %d: %v", len(shown), n, shown)
	}
}

func remove(b *bench) {
	remover, ok := b.Adapter.(chat.Remover)
	if !ok {
		b.whole() // what was said stays, and is followed by what is right
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
	for _, place := range []chat.Address{b.Direct, cmp.Or(b.Thread, b.Direct)} {
		if err := typer.Typing(b.ctx, place); err != nil {
			b.t.Errorf("typing in %s: %v", place, b.note(err))
		}
	}
}

func download(b *bench) {
	d, ok := b.Adapter.(chat.Downloader)
	if !ok {
		if limit := b.Adapter.Limits().Download; limit != 0 {
			b.t.Errorf("files of up to %d bytes can be received, and not fetched", limit)
		}
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
		if b.Shared != (chat.Address{}) {
			b.t.Error("there are shared places, and nobody could be let in")
		}
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
	if b.Break == nil {
		if len(b.Secrets) > 0 {
			b.t.Error("there are secrets, and nobody refuses them")
		}
		return
	}
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
