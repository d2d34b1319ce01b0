package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"talaria/core/chat"
	"talaria/gateway/outbox"
	"talaria/storage"
)

// Hooks are the doors that platforms and other programs call, by what stands in
// their path.
func (a *App) Hooks() map[string]http.Handler {
	called := map[string]bool{
		"telegram": a.o.Config.Adapters.Telegram.Mode == "webhook",
		"slack":    a.o.Config.Adapters.Slack.Mode == "http",
	}
	hooks := a.triggers()
	for name := range called {
		if hook, ok := a.adapters[name].(http.Handler); ok && called[name] {
			hooks[name] = hook
		}
	}
	return hooks
}

// ErrSilent: the store was restored and not said to be the live one.
var ErrSilent = errors.New("this store was restored from a backup and sends nothing yet; once the one it was copied from is gone, run: talaria store live")

// CheckLive returns ErrSilent where the store must not be served.
func (a *App) CheckLive(ctx context.Context) error {
	live, err := a.store.Live(ctx)
	switch {
	case err != nil:
		return fmt.Errorf("read the store's standing: %w", err)
	case !live:
		return ErrSilent
	}
	return nil
}

// probeFor is how long the trace of a probe stays in the store.
const probeFor = time.Minute

// Probe returns nil while the store takes writes. Reading would not notice a
// full disk.
func (a *App) Probe(ctx context.Context) error {
	b := storage.On(storage.System("health")).PutFor("probe", a.replica, true, storage.Any, probeFor)
	if _, err := a.store.Commit(ctx, b); err != nil {
		return fmt.Errorf("write to the store: %w", err)
	}
	return nil
}

// Platforms returns which platforms are not reached and why, which refuse the
// bot, and which stopped because they can't go on without a person's help; nil
// while all are well.
func (a *App) Platforms(context.Context) error {
	errs := append([]error{a.stopped.join()}, a.outbox.Refused()...)
	probers := able[chat.Prober](a.adapters)
	for _, name := range slices.Sorted(maps.Keys(probers)) {
		if err := probers[name].Probe(); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		}
	}
	return errors.Join(errs...)
}

// Connected are the names of the platforms that the program serves, in order.
func (a *App) Connected() []string { return slices.Sorted(maps.Keys(a.adapters)) }

// Metrics are the program's own numbers.
func (a *App) Metrics() []prometheus.Collector {
	sum := func(name, help string, value func(outbox.Counts) float64) prometheus.Collector {
		o := prometheus.CounterOpts{Name: "talaria_" + name, Help: help}
		return prometheus.NewCounterFunc(o, func() float64 { return value(a.outbox.Counts()) })
	}
	return []prometheus.Collector{
		sum("messages_sent_total", "Messages that a platform took.", func(c outbox.Counts) float64 { return float64(c.Sent) }),
		sum("messages_failed_total", "Messages that were given up; their authors were told.", func(c outbox.Counts) float64 { return float64(c.Failed) }),
		sum("messages_unknown_total", "Messages of which no one knows whether a platform took them.", func(c outbox.Counts) float64 { return float64(c.Unknown) }),
		sum("placeholders_orphaned_total", "Placeholders whose id was lost in a crash.", func(c outbox.Counts) float64 { return float64(c.Orphans) }),
		sum("platform_waits_total", "Waits that a platform asked for.", func(c outbox.Counts) float64 { return float64(c.Waits) }),
		sum("platform_waits_seconds_total", "Time of these waits.", func(c outbox.Counts) float64 { return c.Waiting.Seconds() }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "talaria_shards_held", Help: "Shards that this replica serves, of 256."},
			func() float64 { return float64(len(a.shards.Held())) }),
	}
}
