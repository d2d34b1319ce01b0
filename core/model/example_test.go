package model_test

import (
	"context"
	"fmt"
	"log/slog"

	"talaria/core/agent"
	"talaria/core/model"
	"talaria/core/model/modeltest"
	"talaria/core/model/openai"
	"talaria/core/model/rehearsal"
)

// The endpoint is down, so the next model answers.
func Example() {
	server := modeltest.Start(modeltest.Always(modeltest.Answer{Fault: modeltest.Overloaded}), modeltest.Options{})
	defer server.Close()
	chain := model.NewChain(slog.New(slog.DiscardHandler), model.Policy{Tries: 1},
		openai.New(openai.Config{Name: "some-model", BaseURL: server.URL() + "/v1", Client: server.Client()}),
		rehearsal.Model{})

	request := agent.Request{Messages: []agent.Message{{Role: agent.User, Text: "What is 15% of 80?"}}}
	for delta, err := range chain.Stream(context.Background(), request) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Print(delta.Text)
	}
	// Output: 15% of 80 = 12
}
