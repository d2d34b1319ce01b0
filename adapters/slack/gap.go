package slack

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"talaria/core/chat"
)

const (
	// maxTrail bounds the conversations that are looked into after a gap: apps
	// get about fifty such requests a minute.
	maxTrail = 30
	// maxMissed bounds the messages that are taken from each.
	maxMissed = 200
)

// trail remembers up to where each conversation of the bot's was heard, to be
// read from there after a time without any socket, in which Slack may have
// given deliveries up. What was said to nobody in particular is not missed.
type trail struct {
	mu   sync.Mutex
	last map[chat.Address]string
}

// note remembers a message, for its thread and for the top level of its place.
func (t *trail) note(e chat.Event) {
	if e.Kind != chat.Message && e.Kind != chat.Command || e.Message == "" || e.Addressed == chat.Ambient {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last == nil || len(t.last) > 100*maxTrail {
		t.last = map[chat.Address]string{}
	}
	for _, a := range []chat.Address{e.Address, e.Address.Place()} {
		t.last[a] = max(t.last[a], e.Message)
	}
}

// recent returns the conversations heard last, the latest first.
func (t *trail) recent() ([]chat.Address, map[chat.Address]string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	last := make(map[chat.Address]string, len(t.last))
	var all []chat.Address
	for a, ts := range t.last {
		last[a] = ts
		all = append(all, a)
	}
	slices.SortFunc(all, func(a, b chat.Address) int {
		return cmp.Or(cmp.Compare(last[b], last[a]), cmp.Compare(b.Thread, a.Thread))
	})
	return all[:min(len(all), maxTrail)], last
}

// catchUp hands over what was said in the bot's conversations since it last
// heard them. What came by a socket after all has the same keys.
func (a *Adapter) catchUp(ctx context.Context, in *intake) {
	places, last := in.trail.recent()
	for _, place := range places {
		events, err := a.History(ctx, place, last[place], maxMissed)
		if err != nil {
			a.log.Warn("not all of a gap was read", "platform", Platform, "place", place.String(), "err", err)
			return
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
	in.lanes.add(ctx, e.Address.Chat, func(ctx context.Context) {
		if err := in.keep(ctx, in.vouch(ctx, e)); err == nil {
			in.trail.note(e)
		}
	})
}
