package agent_test

import (
	"context"
	"encoding/json"
	"fmt"

	"talaria/core/agent"
	"talaria/core/chat"
)

func ExampleLoop_Run() {
	m := script(use(call("1", "add", `{"a":2,"b":3}`)), say("It is five."))
	add := tool{
		spec: agent.Spec{
			Name: "add", Effect: agent.Read,
			Schema: json.RawMessage(`{"type":"object","required":["a","b"],"properties":{"a":{"type":"number"},"b":{"type":"number"}}}`),
		},
		do: func(_ context.Context, in agent.Invocation) (agent.Result, error) {
			var args struct{ A, B float64 }
			err := json.Unmarshal(in.Args, &args)
			return agent.Result{Text: fmt.Sprint(args.A + args.B), Origin: chat.TrustedTool}, err
		},
	}
	loop := agent.New(agent.Config{Model: m})
	answer, err := loop.Run(context.Background(), agent.Turn{
		ID:    "turn-1",
		Input: agent.Message{Role: agent.User, Text: "2 and 3?", Origin: chat.Member},
		Tools: []agent.Tool{add},
	}, agent.Hooks{
		Progress: func(label string) { fmt.Println("using", label) },
		Record: func(_ context.Context, entries ...agent.Entry) error {
			fmt.Println("recorded", len(entries))
			return nil
		},
	})
	fmt.Println(answer.Text, answer.Ending, err)
	// Output:
	// recorded 1
	// recorded 1
	// using add
	// recorded 1
	// recorded 1
	// It is five. answered <nil>
}
