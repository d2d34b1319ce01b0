package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"talaria/gateway/config"
	"talaria/gateway/control"
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
	address, err := listening(ctx, cfg)
	if err != nil {
		return err
	}
	report, err := web.Query(ctx, address)
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

// listening is the web address of this configuration's bot. The bot itself is
// asked first: it may have had to take another port than the configured one,
// where then somebody else's bot would answer.
func listening(ctx context.Context, cfg config.Config) (string, error) {
	facts, err := running(ctx, cfg)
	switch {
	case errors.Is(err, control.ErrNotRunning):
		return "", err
	case err != nil:
		return cfg.Web.Listen, nil // its socket is another user's
	}
	at := slices.IndexFunc(facts, func(f control.Fact) bool { return f.Name == "web" })
	if at < 0 || facts[at].Value == config.Off {
		return cfg.Web.Listen, nil
	}
	return strings.TrimPrefix(facts[at].Value, "http://"), nil
}
