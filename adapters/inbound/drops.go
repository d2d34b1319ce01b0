package inbound

import (
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"

	"talaria/core/chat"
)

// Drops keeps account of the raw events that are not handed over.
type Drops struct {
	platform string
	log      *slog.Logger

	mu      sync.Mutex
	unknown map[string]int // by kind
}

// NewDrops returns an account with nothing in it.
func NewDrops(platform string, log *slog.Logger) *Drops {
	return &Drops{platform: platform, log: log, unknown: map[string]int{}}
}

// Note records that an event was dropped. One of a kind that this version does
// not know is worth a word, once for each kind.
func (d *Drops) Note(r Reason, kind func() string) {
	if r != Unsupported {
		d.log.Debug("event dropped", "platform", d.platform, "reason", r)
		return
	}
	name := kind()
	d.mu.Lock()
	d.unknown[name]++
	first := d.unknown[name] == 1
	d.mu.Unlock()
	if first {
		d.log.Warn("event of a kind that is not supported", "platform", d.platform, "kind", name)
	}
}

// Findings tells which kinds came in that are not supported, if any did.
func (d *Drops) Findings() []chat.Finding {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.unknown) == 0 {
		return nil
	}
	names := slices.Sorted(maps.Keys(d.unknown))
	return []chat.Finding{{OK: true, What: "events of kinds that are not supported came in: " + strings.Join(names, ", ")}}
}
