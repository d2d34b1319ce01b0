package discord_test

import (
	"encoding/json"
	"log/slog"
	"strconv"
	"sync/atomic"
	"testing"

	"talaria/adapters/discord"
	simulator "talaria/adapters/fake/discord"
	"talaria/core/chat"
)

// BenchmarkSend is one message each, from callers side by side, to a server on
// loopback that shares the machine.
func BenchmarkSend(b *testing.B) {
	server := simulator.New(b, simulator.Options{NoRates: true})
	server.Direct(direct, ada)
	question := server.Say(ada, direct, "hello")
	a, err := discord.New(discord.Config{Token: server.Token(), APIURL: server.URL()}, slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	part := a.Render(chat.Post{Markdown: "the **answer** is 42"})[0]
	d := chat.Delivery{Address: chat.Address{Platform: discord.Platform, Chat: direct}, ReplyTo: question, Payload: json.RawMessage(part.Payload)}
	b.ReportAllocs()
	b.SetParallelism(32)
	var key atomic.Int64
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			d := d
			d.Key = strconv.FormatInt(key.Add(1), 10)
			if _, err := a.Send(b.Context(), d); err != nil {
				b.Error(err)
			}
		}
	})
}
