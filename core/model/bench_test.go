package model_test

import (
	"testing"

	"talaria/core/agent"
	"talaria/core/model/anthropic"
	"talaria/core/model/modeltest"
	"talaria/core/model/openai"
	"talaria/core/model/rehearsal"
)

// BenchmarkStream is a whole short answer: client, socket and scripted
// endpoint together.
func BenchmarkStream(b *testing.B) {
	server := modeltest.Start(modeltest.Echo(), modeltest.Options{Keep: -1})
	defer server.Close()
	for name, m := range map[string]agent.Model{
		"openai":    openai.New(openai.Config{Name: "m", BaseURL: server.URL() + "/v1", Client: server.Client()}),
		"anthropic": anthropic.New(anthropic.Config{Name: "m", BaseURL: server.URL(), Client: server.Client()}),
		"rehearsal": rehearsal.Model{},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if g := modeltest.Gather(m.Stream(b.Context(), modeltest.Hello())); g.Err != nil {
					b.Fatal(g.Err)
				}
			}
		})
	}
}
