package outbox_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"talaria/core/chat"
	"talaria/gateway/inbox"
	"talaria/gateway/outbox"
	"talaria/storage"
)

// platform is a chat platform that keeps the truth of what it shows.
type platform struct {
	placeholder bool
	limits      chat.Limits

	mu     sync.Mutex
	order  []string          // message ids
	texts  map[string]string // by message id
	byKey  map[string]string // message ids by idempotency key
	calls  int
	script func(call int, op string) fault
}

// fault is what happens to a call.
type fault struct {
	err    *chat.Error
	before bool // the call has no effect at all
	crash  func()
}

const dots = "…"

func newPlatform() *platform {
	return &platform{texts: map[string]string{}, byKey: map[string]string{}, script: func(int, string) fault { return fault{} }}
}

func (p *platform) Platform() string                              { return "test" }
func (p *platform) Run(ctx context.Context, _ chat.Handler) error { <-ctx.Done(); return nil }
func (p *platform) Limits() chat.Limits                           { return p.limits }
func (p *platform) Render(post chat.Post) []chat.Part {
	if post.Markdown == "" {
		return nil
	}
	var parts []chat.Part
	for rest := post.Markdown; rest != ""; {
		n := min(len(rest), 40)
		parts = append(parts, chat.Part{Payload: quoted(rest[:n]), Text: rest[:n]})
		rest = rest[n:]
	}
	return parts
}

func quoted(s string) json.RawMessage {
	data, _ := json.Marshal(s)
	return data
}

func (p *platform) Placeholder() *chat.Part {
	if !p.placeholder {
		return nil
	}
	return &chat.Part{Payload: quoted(dots), Text: dots}
}

func (p *platform) Send(ctx context.Context, d chat.Delivery) (chat.Receipt, error) {
	return p.call(ctx, "send", func() string {
		if id := p.byKey[d.Key]; id != "" && p.limits.Idempotent > 0 {
			return id
		}
		id := fmt.Sprint("m", len(p.order)+1)
		p.order = append(p.order, id)
		p.byKey[d.Key] = id
		p.texts[id] = unquote(d.Payload)
		return id
	})
}

func (p *platform) Edit(ctx context.Context, d chat.Delivery) (chat.Receipt, error) {
	return p.call(ctx, "edit", func() string {
		p.texts[d.Message] = unquote(d.Payload)
		return d.Message
	})
}

func (p *platform) Typing(ctx context.Context, _ chat.Address) error {
	_, err := p.call(ctx, "typing", func() string { return "" })
	return err
}

func unquote(data json.RawMessage) string {
	var s string
	_ = json.Unmarshal(data, &s)
	return s
}

// call performs an effect with whatever fault the script has for it.
func (p *platform) call(ctx context.Context, op string, effect func() string) (chat.Receipt, error) {
	if ctx.Err() != nil {
		return chat.Receipt{}, &chat.Error{Kind: chat.Transient, Op: op, Err: ctx.Err()}
	}
	p.mu.Lock()
	p.calls++
	f := p.script(p.calls, op)
	var r chat.Receipt
	if !f.before {
		r = chat.Receipt{Message: effect(), At: time.Now()}
	}
	p.mu.Unlock()
	if f.crash != nil {
		f.crash()
	}
	if f.err != nil {
		return chat.Receipt{}, f.err
	}
	return r, nil
}

// shown returns the texts of all messages, in order.
func (p *platform) shown() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []string
	for _, id := range p.order {
		out = append(out, p.texts[id])
	}
	return out
}

// replica is one process: an outbox over the store, with the shard's lease.
type replica struct {
	box    *outbox.Outbox
	shard  *inbox.Shard
	store  *storage.Store
	cancel context.CancelFunc
	gained chan *inbox.Shard
	held   atomic.Pointer[inbox.Shard] // from before anything is sent
	over   chan struct{}

	drain   time.Duration      // how long it may take to close
	closing func(*inbox.Shard) // what happens meanwhile; may be nil
}

// crash ends the replica in the middle of a call.
func (r *replica) crash() {
	r.cancel()
	<-r.held.Load().Context().Done()
}

var here = chat.Address{Platform: "test", Chat: "c1"}

// start brings a replica up and waits until it holds the shard.
func start(t *testing.T, store *storage.Store, a chat.Adapter, cfg outbox.Config, born ...func(*replica)) *replica {
	t.Helper()
	cfg.Adapters, cfg.Log = map[string]chat.Adapter{"test": a}, cmp.Or(cfg.Log, slog.New(slog.DiscardHandler))
	r := &replica{box: outbox.New(cfg), store: store, gained: make(chan *inbox.Shard, 1), over: make(chan struct{})}
	shards := inbox.NewShards(store, "r", cfg.Log)
	ctx, cancel := context.WithCancel(t.Context())
	r.cancel = cancel
	for _, tell := range born {
		tell(r)
	}
	go func() {
		defer close(r.over)
		_ = shards.Run(ctx, r, r.drain)
	}()
	<-shards.Assigned()
	shards.Wake(storage.ShardOf(here.Platform, here.Workspace, here.Chat))
	r.shard = <-r.gained
	return r
}

func (r *replica) Open(s *inbox.Shard) {
	r.held.Store(s)
	_ = r.box.Recover(s.Context(), r.store, s)
	r.gained <- s
}
func (r *replica) Take(*inbox.Shard, uint64, inbox.Envelope) {}
func (r *replica) Close(s *inbox.Shard) {
	if r.closing != nil {
		r.closing(s)
	}
}

// die ends the replica as a crash would: nothing more is written or sent.
func (r *replica) die() {
	r.cancel()
	<-r.over
	r.box.Wait()
}

// say queues an answer and starts its sending.
func (r *replica) say(t *testing.T, turn, text string) {
	t.Helper()
	m := r.box.Compose(outbox.Say{Turn: turn, Address: here, Post: chat.Post{Markdown: text}})
	b := r.shard.Batch()
	r.box.Queue(b, m)
	if _, err := r.shard.Commit(t.Context(), b); err != nil && !errors.Is(err, storage.ErrFenced) {
		t.Fatal(err)
	}
	r.box.Send(r.shard, m)
}
