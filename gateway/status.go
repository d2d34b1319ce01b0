package main

import (
	"context"
	"fmt"

	"talaria/gateway/config"
	"talaria/gateway/control"
)

// statusCommand asks the running bot.
func statusCommand() command {
	return command{name: "status", help: "What the running bot says of itself.", run: status}
}

// status prints one line for each thing.
func status(ctx context.Context, p *process, _ []string) error {
	cfg, err := p.load()
	if err != nil {
		return err
	}
	facts, err := running(ctx, cfg)
	if err != nil {
		return err
	}
	for _, f := range facts {
		fmt.Fprintf(p.out, "%-12s %s\n", f.Name, f.Value)
	}
	return nil
}

// running asks the bot that serves this configuration here what it says of
// itself; control.ErrNotRunning where there is none.
func running(ctx context.Context, cfg config.Config) ([]control.Fact, error) {
	c, err := control.Dial(ctx, cfg.Storage.Socket())
	if err != nil {
		return nil, err
	}
	defer c.Close()
	var facts []control.Fact
	if err := c.Call(ctx, control.Status, nil, &facts); err != nil {
		return nil, err
	}
	return facts, nil
}
