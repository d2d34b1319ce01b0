package slack_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	simulator "talaria/adapters/fake/slack"
	"talaria/adapters/slack"
	"talaria/core/chat"
)

// BenchmarkReceive is a message from a person's saying it to its being
// acknowledged, the simulator included.
func BenchmarkReceive(b *testing.B) {
	for _, mode := range []slack.Mode{slack.Socket, slack.HTTP} {
		b.Run(string(mode), func(b *testing.B) { receive(b, mode) })
	}
}

func receive(b *testing.B, mode slack.Mode) {
	var target http.Handler
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { target.ServeHTTP(w, r) }))
	defer front.Close()
	opts := simulator.Options{NoLimits: true, Tries: -1, Minute: time.Millisecond}
	if mode == slack.HTTP {
		opts.Callback = front.URL
	}
	server, err := simulator.Start(opts)
	if err != nil {
		b.Fatal(err)
	}
	defer server.Close()
	const channels = 64
	for i := range channels {
		server.Channel(fmt.Sprintf("C0%03d", i), ada)
	}
	a, err := slack.New(slack.Config{
		BotToken: server.BotToken(), AppToken: server.AppToken(), SigningSecret: server.SigningSecret(), Mode: mode, APIURL: server.URL(),
	}, slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	target = a
	ctx, cancel := context.WithCancel(b.Context())
	done := make(chan error, 1)
	go func() { done <- a.Run(ctx, handler(func(context.Context, chat.Event) error { return nil })) }()
	settled := func() {
		if err := server.Await(b.Context(), func() bool { return server.Unacknowledged() == 0 }); err != nil {
			b.Fatal(err)
		}
	}
	server.Say(ada, "C0000", "up?")
	settled()
	b.ResetTimer() // and no b.Loop: what is under way after the last turn counts too
	for i := range b.N {
		server.Say(ada, fmt.Sprintf("C0%03d", i%channels), "hello there")
	}
	settled()
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
	cancel()
	if err := <-done; err != nil {
		b.Error(err)
	}
}
