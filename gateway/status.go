package main

import (
	"context"
	"fmt"

	"talaria/gateway/control"
)

// statusCommand asks the running bot.
type statusCommand struct{}

// Run prints what the running bot says of itself, one line for each thing.
func (statusCommand) Run(ctx context.Context, p *process) error {
	cfg, err := p.load()
	if err != nil {
		return err
	}
	c, err := control.Dial(ctx, cfg.Storage.Socket())
	if err != nil {
		return err
	}
	defer c.Close()
	var facts []control.Fact
	if err := c.Call(ctx, control.Status, nil, &facts); err != nil {
		return err
	}
	for _, f := range facts {
		fmt.Fprintf(p.out, "%-12s %s\n", f.Name, f.Value)
	}
	return nil
}
