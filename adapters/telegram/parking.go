package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"talaria/core/chat"
	"talaria/core/sleep"
)

const (
	// parkAfter is the attempts after which an event that can't be kept is parked:
	// about three seconds. It must not be lost, and must not hold up the rest.
	parkAfter = 5
	// parkingLots bounds the parked events: they are one small record. When
	// all are taken, the offset stays where it is.
	parkingLots = 64
	// parkedRetry is the time between two rounds of trying parked events again.
	parkedRetry = 5 * time.Minute
)

// errNoParking is returned where nothing can be parked.
var errNoParking = errors.New("no room for parked events")

// parking keeps events that the Handler refuses again and again while it takes
// others. Telegram can't set a single update aside: what is not confirmed
// holds up everything a hundred updates behind it.
type parking struct {
	store chat.Checkpoint // nil: nothing can be parked
	log   *slog.Logger

	mu     sync.Mutex
	events []chat.Event
}

// parkedState is the checkpoint's content.
type parkedState struct {
	Parked []chat.Event `json:"parked"`
}

// load reads what an earlier run has parked.
func (p *parking) load(ctx context.Context) error {
	if p.store == nil {
		return nil
	}
	data, err := p.store.Load(ctx)
	if err != nil || data == nil {
		return err
	}
	var state parkedState
	if err := json.Unmarshal(data, &state); err != nil {
		return fmt.Errorf("read parked events: %w", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.events = state.Parked
	return nil
}

// putAside parks an event that was refused parkAfter times. Parking fails while
// the store is down, so that nothing is parked for that alone.
func (p *parking) putAside(ctx context.Context, e chat.Event, attempt int) bool {
	return attempt >= parkAfter && p.add(ctx, e) == nil
}

// add parks e. After an error it is not parked.
func (p *parking) add(ctx context.Context, e chat.Event) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.store == nil || len(p.events) >= parkingLots {
		return errNoParking
	}
	return p.save(ctx, append(slices.Clone(p.events), e))
}

// save makes events the parked ones. The lock is held.
func (p *parking) save(ctx context.Context, events []chat.Event) error {
	data, err := json.Marshal(parkedState{Parked: events})
	if err != nil {
		return fmt.Errorf("write parked events: %w", err)
	}
	if err := p.store.Save(ctx, data); err != nil {
		return fmt.Errorf("write parked events: %w", err)
	}
	p.events = events
	return nil
}

// list returns the parked events.
func (p *parking) list() []chat.Event {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.events)
}

// retry hands the parked events over now and then until ctx ends.
func (p *parking) retry(ctx context.Context, hand func(context.Context, chat.Event) error) {
	for {
		for _, e := range p.list() {
			if hand(ctx, e) == nil {
				p.release(ctx, e)
			}
		}
		if !sleep.For(ctx, parkedRetry) {
			return
		}
	}
}

// release forgets e, which is kept now. If that can't be written it will be
// handed over again and found to be known.
func (p *parking) release(ctx context.Context, e chat.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	rest := slices.DeleteFunc(slices.Clone(p.events), func(o chat.Event) bool { return o.Key() == e.Key() })
	if err := p.save(ctx, rest); err != nil {
		p.log.Error("parked event not released", "platform", Platform, "key", e.Key(), "err", err)
	}
}
