package main

import (
	"context"
	"fmt"

	"talaria/gateway/config"
	"talaria/gateway/web"
)

// healthCommand asks the running bot's web listener.
func healthCommand() command {
	return command{name: "health", help: "Is the running bot ready? For container health checks.", run: health}
}

// health is an error unless the bot is ready.
func health(ctx context.Context, p *process, _ []string) error {
	cfg, err := p.load()
	if err != nil {
		return err
	}
	if cfg.Web.Listen == config.Off {
		return usageError{fmt.Errorf("web.listen is off, so there is nobody to ask")}
	}
	report, err := web.Query(ctx, cfg.Web.Listen)
	if err != nil {
		return err
	}
	for _, part := range report.Parts {
		if !part.OK {
			fmt.Fprintf(p.out, "%s: %s\n", part.Name, part.Error)
		}
	}
	if !report.Ready {
		fmt.Fprintln(p.out, "not ready")
		return errReported
	}
	fmt.Fprintln(p.out, "ready")
	return nil
}
