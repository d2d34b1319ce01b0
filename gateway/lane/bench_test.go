package lane_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
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
// handed to the platform, with one tool call: with and without what happens
// being observed. They are measured in turns, so that whatever else the machine
// does meets all alike; what tells is the ratio, not the times, and beside it
// that of two which are not observed: the noise. The observing itself goes on
// beside all: see BenchmarkObserve.
func BenchmarkReply(b *testing.B) {
	rigs := [3]*rig{newRig(b, false), newRig(b, true), newRig(b, false)}
	var took [3][]time.Duration
	for n := 0; b.Loop(); n++ {
		for k := range rigs {
			which := (n + k) % len(rigs)
			took[which] = append(took[which], rigs[which].reply(b, n))
		}
	}
	for k := range took {
		slices.Sort(took[k])
	}
	at := func(k, percent int) float64 { return took[k][len(took[k])*percent/100].Seconds() }
	b.ReportMetric(at(0, 50)*1e6, "µs-median-off")
	b.ReportMetric(at(1, 50)*1e6, "µs-median-on")
	b.ReportMetric(at(1, 50)/at(0, 50), "median-ratio")
	b.ReportMetric(at(1, 99)/at(0, 99), "p99-ratio")
	b.ReportMetric(at(2, 50)/at(0, 50), "median-noise")
	b.ReportMetric(at(2, 99)/at(0, 99), "p99-noise")
}

// rig is the path of a reply.
type rig struct {
	in    *inbox.Inbox
	chats *heardBack
}

func newRig(b *testing.B, observed bool) *rig {
	d, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "t.db"), sqlite.Options{})
	if err != nil {
		b.Fatal(err)
	}
	store := storage.New(d)
	log := slog.New(slog.DiscardHandler)
	chats := &heardBack{platform{shown: map[string][]string{}}, make(chan struct{}, 1)}
	adapters := map[string]chat.Adapter{"test": chats}
	loop := agent.New(agent.Config{Model: &model{answers: stopping(callSlowOnce)}, Log: log})
	cfg := lane.Config{
		Store: store, Outbox: outbox.New(outbox.Config{Adapters: adapters, Log: log}), Agent: loop, Briefing: briefing{tools: []agent.Tool{reading{}}},
		Adapters: adapters, Log: log, Commands: command.NewTable(command.ForSession(nil)), Upkeep: func(context.Context, chat.Event) error { return nil },
	}
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	if observed {
		r := learning.New(learning.Config{Enabled: true, Store: store, Redactor: trace.NewRedactor(nil), Alike: match.RequestSimilarity, Log: log})
		cfg.Recorder = r
		running.Go(func() { r.Run(ctx) })
	}
	lanes := lane.New(cfg)
	shards := inbox.NewShards(store, "r", log)
	running.Go(func() { _ = shards.Run(ctx, lanes, time.Second) })
	b.Cleanup(func() {
		stop()
		running.Wait()
		cfg.Outbox.Wait()
		loop.Wait()
		store.Close()
	})
	<-shards.Assigned()
	return &rig{inbox.New(store, everybody{}, shards, log), chats}
}

// reply has the n-th message answered and returns how long that took.
func (r *rig) reply(b *testing.B, n int) time.Duration {
	chatID := fmt.Sprint("c", n%50)
	e := chat.Event{
		Kind: chat.Message, Keys: []string{fmt.Sprint("k", n)}, Message: fmt.Sprint(n), Text: fmt.Sprint("look at number ", n), Direct: true, At: time.Now(),
		Origin: chat.Member, Addressed: chat.ByDM, Address: chat.Address{Platform: "test", Chat: chatID},
		Author: chat.Author{Identity: chat.Identity{Platform: "test", ID: chatID}},
	}
	began := time.Now()
	if err := r.in.Handle(b.Context(), e); err != nil {
		b.Fatal(err)
	}
	<-r.chats.sent
	return time.Since(began)
}
