package slack

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"talaria/core/chat"
	"talaria/core/sleep"
)

const (
	// trailPace is the time between two savings of the trail, and trailEnd
	// bounds the last one.
	trailPace = 15 * time.Second
	trailEnd  = 2 * time.Second
	// maxTrail bounds the conversations that are looked into after a gap: apps
	// get about fifty such requests a minute.
	maxTrail = 30
	// maxMissed bounds the messages that are taken from each.
	maxMissed = 200
)

// trail remembers up to where each conversation of the bot's was heard, to be
// read from there after a time in which nobody listened and Slack may have
// given deliveries up. What was said to nobody in particular is not missed.
type trail struct {
	mu   sync.Mutex
	last map[chat.Address]string
}

// heard is one conversation of a trail, as the checkpoint holds it.
type heard struct {
	Address chat.Address `json:"address"`
	Message string       `json:"message"`
}

// note remembers a message, for its thread and for the top level of its place.
func (t *trail) note(e chat.Event) {
	if e.Kind != chat.Message && e.Kind != chat.Command || e.Message == "" || e.Addressed == chat.Ambient {
		return
	}
	t.merge([]heard{{e.Address, e.Message}, {e.Address.Place(), e.Message}})
}

// merge takes up what was heard elsewhere, or earlier.
func (t *trail) merge(all []heard) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last == nil || len(t.last) > 100*maxTrail {
		t.last = map[chat.Address]string{}
	}
	for _, h := range all {
		t.last[h.Address] = max(t.last[h.Address], h.Message)
	}
}

// recent returns the conversations heard last, the latest first.
func (t *trail) recent() []heard {
	t.mu.Lock()
	defer t.mu.Unlock()
	var all []heard
	for a, ts := range t.last {
		all = append(all, heard{a, ts})
	}
	slices.SortFunc(all, func(a, b heard) int {
		return cmp.Or(cmp.Compare(b.Message, a.Message), cmp.Compare(b.Address.Thread, a.Address.Thread))
	})
	return all[:min(len(all), maxTrail)]
}

// catchUp hands over what was said in the bot's conversations since it last
// heard them. What came by a socket after all has the same keys.
func (a *Adapter) catchUp(ctx context.Context, in *intake) {
	for _, h := range in.trail.recent() {
		events, err := a.History(ctx, h.Address, h.Message, maxMissed)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			a.log.Warn("a gap was not read", "platform", Platform, "place", h.Address.String(), "err", err)
			continue
		}
		for _, e := range events {
			in.missed(ctx, e)
		}
	}
}

// missed hands over a message that no delivery told of.
func (in *intake) missed(ctx context.Context, e chat.Event) {
	if e.Author.Self {
		return
	}
	in.lanes.Add(ctx, e.Address.Chat, func(ctx context.Context) {
		if err := in.keep(ctx, in.vouch(ctx, e)); err == nil {
			in.trail.note(e)
		}
	})
}

// Exclusive implements chat.Exclusive. It is empty: any number of replicas may
// run, and they share the checkpoint.
func (a *Adapter) Exclusive() string { return "" }

// UseCheckpoint implements chat.Checkpointed: it holds the trail.
func (a *Adapter) UseCheckpoint(c chat.Checkpoint) { a.checkpoint = c }

// loadTrail takes up the trail that the replicas have saved.
func (a *Adapter) loadTrail(ctx context.Context, t *trail) error {
	if a.checkpoint == nil {
		return nil
	}
	data, err := a.checkpoint.Load(ctx)
	if err != nil || data == nil {
		return err
	}
	var saved []heard
	if err := json.Unmarshal(data, &saved); err != nil {
		return fmt.Errorf("read what was heard last: %w", err)
	}
	t.merge(saved)
	return nil
}

// saveTrail saves the trail. Another replica that saves at the same time may
// get lost; then a little more is read after a gap.
func (a *Adapter) saveTrail(ctx context.Context, t *trail) {
	if a.checkpoint == nil {
		return
	}
	err := a.loadTrail(ctx, t)
	if err == nil {
		data, _ := json.Marshal(t.recent()) // it holds nothing but text
		err = a.checkpoint.Save(ctx, data)
	}
	if err != nil && ctx.Err() == nil {
		a.log.Warn("what was heard last is not saved", "platform", Platform, "err", err)
	}
}

// keepTrail saves the trail now and then until ctx ends.
func (a *Adapter) keepTrail(ctx context.Context, t *trail) {
	for sleep.For(ctx, trailPace) {
		a.saveTrail(ctx, t)
	}
}

// endTrail saves the trail once more, after ctx has ended.
func (a *Adapter) endTrail(ctx context.Context, t *trail) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), trailEnd)
	defer cancel()
	a.saveTrail(ctx, t)
}
