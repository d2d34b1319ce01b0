package console

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"talaria/core/chat"
	"talaria/core/sleep"
)

const (
	handOvers = 6                      // attempts to have a message kept
	firstWait = 200 * time.Millisecond // doubled each time: six seconds in all
)

// deliver hands an event over until it is kept. It gives up in the end: a
// person who waits in front of a screen wants to be told.
func deliver(ctx context.Context, h chat.Handler, e chat.Event) error {
	wait := firstWait
	for try := 1; ; try++ {
		err := h.Handle(ctx, e)
		if err == nil {
			return nil
		}
		if try == handOvers {
			return fmt.Errorf("message not kept: %w", err)
		}
		if !sleep.For(ctx, wait) {
			return ctx.Err()
		}
		wait *= 2
	}
}

// unpack decodes a delivery's payload and saves its file. Nothing is shown once
// ctx has ended.
func (o Options) unpack(ctx context.Context, op string, d chat.Delivery) (payload, error) {
	var p payload
	if err := ctx.Err(); err != nil {
		return p, &chat.Error{Kind: chat.Transient, Op: op, Err: err}
	}
	if err := json.Unmarshal(d.Payload, &p); err != nil {
		return p, &chat.Error{Kind: chat.Permanent, Op: op, Err: err}
	}
	if p.File == nil {
		return p, nil
	}
	where, err := o.save(ctx, d.Address, *p.File)
	if err != nil {
		return p, &chat.Error{Kind: chat.Transient, Op: op, Err: err}
	}
	p.Text = strings.TrimSuffix(where+"\n"+p.Text, "\n")
	return p, nil
}
