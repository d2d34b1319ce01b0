package modeltest

import (
	"fmt"
	"iter"

	"talaria/core/agent"
)

// Gathered is what came of a stream.
type Gathered struct {
	Pieces []string // of text
	agent.Message
	Usage agent.Usage
	Stop  agent.Stop
	Err   error
}

// Gather reads a stream to its end. It panics where the stream breaks the
// contract of agent.Model itself, whatever the endpoint did: two ends, none, or
// something after an end.
func Gather(stream iter.Seq2[agent.Delta, error]) Gathered {
	g := Gathered{Message: agent.Message{Role: agent.Assistant}}
	for d, err := range stream {
		if g.Stop != "" || g.Err != nil {
			panic(fmt.Sprintf("modeltest: the stream goes on after its end: %+v, %v", d, err))
		}
		if err != nil {
			g.Err = err
			continue
		}
		if d.Text != "" {
			g.Pieces = append(g.Pieces, d.Text)
			g.Text += d.Text
		}
		if d.Call != nil {
			g.Calls = append(g.Calls, *d.Call)
		}
		if d.Usage != nil {
			g.Usage = *d.Usage
		}
		if d.Opaque != nil {
			g.Opaque = d.Opaque
		}
		g.Stop = d.Stop
	}
	if g.Stop == "" && g.Err == nil {
		panic("modeltest: the stream ended without a reason")
	}
	return g
}
