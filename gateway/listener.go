package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"talaria/gateway/app"
	"talaria/gateway/config"
	"talaria/gateway/control"
	"talaria/gateway/web"
)

// listeners are the doors beside the chat platforms: the web listener and the
// control socket. They are taken before the program is put together, so that a
// wrong address is told at once.
type listeners struct {
	cfg     config.Config
	log     *slog.Logger
	started time.Time
	health  *web.Health
	metrics *prometheus.Registry
	web     *web.Server     // nil: none
	control *control.Server // nil: none
	app     atomic.Pointer[app.App]
}

func newListeners(ctx context.Context, cfg config.Config, log *slog.Logger) (*listeners, error) {
	l := &listeners{cfg: cfg, log: log, started: time.Now(), health: &web.Health{}, metrics: prometheus.NewRegistry()}
	if err := l.listenWeb(ctx); err != nil {
		return nil, err
	}
	l.listenControl(ctx)
	return l, nil
}

// listenControl takes the control socket if it can. Without it the shell can't
// ask, which is no reason not to answer people.
func (l *listeners) listenControl(ctx context.Context) {
	path := l.cfg.Storage.Socket()
	server, err := control.Listen(ctx, path, l.answer, l.log)
	switch {
	case errors.Is(err, control.ErrInUse):
		l.log.Info("another bot here has the control socket", "path", path)
	case err != nil:
		l.log.Warn("no control socket: talaria status can't ask this bot", "path", path, "err", err)
	default:
		l.control = server
	}
}

func (l *listeners) listenWeb(ctx context.Context) error {
	if l.cfg.Web.Listen == config.Off {
		return nil
	}
	o := web.Options{Config: l.cfg.Web, Health: l.health, Metrics: l.metrics, Log: l.log}
	o.Config.Hosts = l.cfg.WebHosts()
	server, err := web.Listen(ctx, o)
	// Nobody asked for the default address: a second bot on this machine takes
	// another port rather than not starting.
	if errors.Is(err, syscall.EADDRINUSE) && l.cfg.Web.Listen == config.Default().Web.Listen {
		o.Config.Listen = "127.0.0.1:0"
		if server, err = web.Listen(ctx, o); err == nil {
			l.tellOtherPort(ctx, server.Addr())
		}
	}
	if err != nil {
		return err
	}
	l.web = server
	l.log.Info("web", "address", "http://"+server.Addr())
	return nil
}

// tellOtherPort says that the listener is not where it is looked for: a warning
// where there is a platform, since then somebody may watch over the bot there.
func (l *listeners) tellOtherPort(ctx context.Context, address string) {
	level := slog.LevelInfo
	if l.cfg.Adapters.Any() {
		level = slog.LevelWarn
	}
	l.log.Log(ctx, level, "the default web port is in use, so another one was taken; set [web] listen for one of your own",
		"in_use", l.cfg.Web.Listen, "taken", address)
}

// show puts the program's own things behind the doors, before they serve.
func (l *listeners) show(a *app.App) {
	l.app.Store(a)
	l.health.Add("store", a.Probe)
	l.health.Add("platforms", a.Platforms)
	l.metrics.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	l.metrics.MustRegister(a.Metrics()...)
	for name, hook := range a.Hooks() {
		l.web.Mount(name, hook) // the configuration is refused where there is a hook and no listener
	}
}

// ready is called once messages are taken.
func (l *listeners) ready() { l.health.SetReady(true) }

// serve answers until the returned function is called, which waits for the
// end. Readiness ends with ctx: then a drain begins.
func (l *listeners) serve(ctx context.Context) (stop func()) {
	serving, cancel := context.WithCancel(context.WithoutCancel(ctx))
	drain := context.AfterFunc(ctx, func() { l.health.SetReady(false) })
	var wg sync.WaitGroup
	if l.web != nil {
		wg.Go(func() { l.report("web", l.web.Serve(serving)) })
	}
	if l.control != nil {
		wg.Go(func() { l.report("control", l.control.Serve(serving)) })
	}
	return func() {
		drain()
		cancel()
		wg.Wait()
	}
}

func (l *listeners) report(what string, err error) {
	if err != nil {
		l.log.Error("listener stopped; the bot goes on", "listener", what, "err", err)
	}
}

// close gives up listeners that never served.
func (l *listeners) close() error {
	var errs []error
	if l.web != nil {
		errs = append(errs, l.web.Close())
	}
	if l.control != nil {
		errs = append(errs, l.control.Close())
	}
	return errors.Join(errs...)
}

// answer answers the control socket.
func (l *listeners) answer(ctx context.Context, r control.Request) (any, error) {
	switch r.Verb {
	case control.Status:
		return l.facts(ctx), nil
	case control.Typed:
		return l.typed(ctx, r)
	}
	return nil, fmt.Errorf("there is no %q", r.Verb)
}

// typed runs a chat command for the shell.
func (l *listeners) typed(ctx context.Context, r control.Request) (any, error) {
	a := l.app.Load()
	if a == nil {
		return nil, errors.New("the bot is not up yet; try again in a moment")
	}
	var t app.Typed
	if err := r.Decode(&t); err != nil {
		return nil, err
	}
	return a.Command(ctx, t)
}

// facts describe the process.
func (l *listeners) facts(ctx context.Context) []control.Fact {
	facts := []control.Fact{
		{Name: "version", Value: version()},
		{Name: "process", Value: fmt.Sprintf("%d, for %s", os.Getpid(), time.Since(l.started).Round(time.Second))},
		{Name: "store", Value: l.cfg.Storage.Shown()},
		{Name: "web", Value: l.address()},
	}
	if a := l.app.Load(); a != nil {
		facts = append(facts, control.Fact{Name: "platforms", Value: strings.Join(a.Connected(), ", ")})
	}
	report := l.health.Report(ctx)
	for _, p := range report.Parts {
		if !p.OK {
			facts = append(facts, control.Fact{Name: p.Name, Value: p.Error})
		}
	}
	state := "takes messages"
	if !report.Ready {
		state = "is not ready"
	}
	return append(facts, control.Fact{Name: "state", Value: state})
}

func (l *listeners) address() string {
	if l.web == nil {
		return config.Off
	}
	return "http://" + l.web.Addr()
}
