package main

import (
	"context"
	"errors"

	"talaria/gateway/app"
)

// serveCommand runs the bot.
func serveCommand() command {
	return command{name: "serve", help: "Run the bot (the default).", run: serve}
}

// serve serves the configured platforms until a signal comes, or the terminal
// chat where there are none.
func serve(ctx context.Context, p *process, _ []string) error {
	cfg, err := p.load()
	if err != nil {
		return err
	}
	o := app.Options{Config: cfg, Log: p.logger(cfg)}
	switch {
	case !cfg.Adapters.Any() && p.stdin() != nothing:
		o.Console = p.console(cfg, o.Log)
	case !cfg.Adapters.Any():
		o.Log.Warn("no platform has a token and there is no terminal: nobody can write to the bot; talaria setup tells how to add one")
	}
	return run(ctx, o)
}

// run runs the program with its listeners around it.
func run(ctx context.Context, o app.Options) (err error) {
	l, err := newListeners(ctx, o.Config, o.Log)
	if err != nil {
		return err
	}
	o.Ready = l.ready
	a, err := assemble(ctx, o)
	if err != nil {
		return errors.Join(err, l.close())
	}
	l.show(a)
	stop := l.serve(ctx)
	defer stop()
	return errors.Join(a.Run(ctx), a.Close())
}

// assemble puts the program together, if its store may be served.
func assemble(ctx context.Context, o app.Options) (*app.App, error) {
	a, err := app.New(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(a.CheckLive(ctx), a.CheckConsole(ctx)); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}
