package telegram_test

import (
	"encoding/json"
	"log/slog"
	"testing"

	simulator "talaria/adapters/fake/telegram"
	"talaria/adapters/telegram"
	"talaria/core/chat"
)

// BenchmarkSend is one message each, from callers side by side, to a server on
// loopback that shares the machine.
func BenchmarkSend(b *testing.B) {
	server := simulator.New(b, simulator.Options{NoFlood: true})
	server.Say(1, 1, "hello")
	a, err := telegram.New(telegram.Config{Token: server.Token(), APIURL: server.URL()}, slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	part := a.Render(chat.Post{Markdown: "the **answer** is 42"})[0]
	d := chat.Delivery{Address: chat.Address{Platform: telegram.Platform, Chat: "1"}, ReplyTo: "1", Payload: json.RawMessage(part.Payload)}
	b.ReportAllocs()
	b.SetParallelism(32)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := a.Send(b.Context(), d); err != nil {
				b.Error(err)
			}
		}
	})
}
