package lane_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/skill/match"
	"talaria/core/trace"
	"talaria/gateway/command"
	"talaria/gateway/inbox"
	"talaria/gateway/lane"
	"talaria/gateway/outbox"
	"talaria/storage"
	"talaria/storage/sqlite"
)

// heardBack is a platform that says when a message was sent.
type heardBack struct {
	platform
	sent chan struct{}
}

func (p *heardBack) Send(ctx context.Context, d chat.Delivery) (chat.Receipt, error) {
	r, err := p.platform.Send(ctx, d)
	p.sent <- struct{}{}
	return r, err
}

// reading is a tool with a long result.
type reading struct{}

func (reading) Spec() agent.Spec {
	return agent.Spec{Name: "slow", Effect: agent.Read, Schema: json.RawMessage(`{"type":"object"}`)}
}

func (reading) Call(context.Context, agent.Invocation) (agent.Result, error) {
	return agent.Result{Text: strings.Repeat("one more line of a long result\n", 300)}, nil
}

// BenchmarkReply is the time from a message's arrival to its answer being
// handed to the platform, with one tool call: with and without what happens to
// be observed. The difference must drown in the noise.
func BenchmarkReply(b *testing.B) {
	b.Run("unobserved", func(b *testing.B) { replies(b, false) })
	b.Run("observed", func(b *testing.B) { replies(b, true) })
}

func replies(b *testing.B, observed bool) {
	d, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "t.db"), sqlite.Options{})
	if err != nil {
		b.Fatal(err)
	}
	store := storage.New(d)
	defer store.Close()
	log := slog.New(slog.DiscardHandler)
	chats := &heardBack{platform{shown: map[string][]string{}}, make(chan struct{}, 1)}
	adapters := map[string]chat.Adapter{"test": chats}
	loop := agent.New(agent.Config{Model: &model{answers: stopping(callSlowOnce)}, Log: log})
	cfg := lane.Config{
		Store: store, Outbox: outbox.New(outbox.Config{Adapters: adapters, Log: log}), Agent: loop, Briefing: briefing{tools: []agent.Tool{reading{}}},
		Adapters: adapters, Log: log, Commands: command.NewTable(command.ForSession()), Upkeep: func(context.Context, chat.Event) error { return nil },
	}
	ctx, stop := context.WithCancel(b.Context())
	over := make(chan struct{}, 2)
	if observed {
		r := learning.New(learning.Config{Enabled: true, Store: store, Redactor: trace.NewRedactor(nil), Alike: match.RequestSimilarity, Log: log})
		cfg.Recorder = r
		go func() { r.Run(ctx); over <- struct{}{} }()
	} else {
		over <- struct{}{}
	}
	lanes := lane.New(cfg)
	shards := inbox.NewShards(store, "r", log)
	in := inbox.New(store, everybody{}, shards, log)
	go func() { _ = shards.Run(ctx, lanes, time.Second); over <- struct{}{} }()
	<-shards.Assigned()
	n := 0
	for b.Loop() {
		n++
		e := chat.Event{
			Kind: chat.Message, Keys: []string{fmt.Sprint("k", n)}, Message: fmt.Sprint(n), Text: fmt.Sprint("look at number ", n), Direct: true, At: time.Now(),
			Origin: chat.Member, Addressed: chat.ByDM, Address: chat.Address{Platform: "test", Chat: fmt.Sprint("c", n%50)},
			Author: chat.Author{Identity: chat.Identity{Platform: "test", ID: fmt.Sprint("c", n%50)}},
		}
		if err := in.Handle(b.Context(), e); err != nil {
			b.Fatal(err)
		}
		<-chats.sent
	}
	stop()
	<-over
	<-over
	cfg.Outbox.Wait()
	loop.Wait()
}
