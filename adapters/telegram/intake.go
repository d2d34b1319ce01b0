package telegram

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"talaria/adapters/inbound"
	"talaria/core/chat"
)

// intake takes updates, however they come, and hands over what they come to.
type intake struct {
	me     account
	keep   func(context.Context, chat.Event) error // returns nil once the event is kept
	press  *presses
	log    *slog.Logger
	lanes  *inbound.Lanes
	drops  *inbound.Drops
	albums *albums
}

// take deals with one update. done is called exactly once, with nil when the
// update may be acknowledged: its event is kept, or there is none.
func (in *intake) take(ctx context.Context, raw json.RawMessage, done func(error)) {
	item := normalize(raw, in.me)
	for _, effect := range item.Effects {
		in.press.begin(effect.ID, item)
		in.lanes.Add(ctx, "press "+effect.ID, func(ctx context.Context) { in.press.end(ctx, effect.ID) })
	}
	switch {
	case item.Reason != "" || item.ToOtherBot:
		in.drops.Note(item.Reason, func() string { return kindOf(raw) })
		done(nil)
	case item.Group != "" && item.Event.Kind != chat.Edit:
		in.takePart(ctx, item, done)
	default:
		in.hand(ctx, item.Event, done)
	}
}

// hand hands e over in its chat's lane. Telegram doesn't tell when a button
// was pressed: now is near enough.
func (in *intake) hand(ctx context.Context, e chat.Event, done func(error)) {
	if e.At.IsZero() {
		e.At = time.Now().UTC()
	}
	if e.Interaction != nil && e.Interaction.Expires.IsZero() {
		i := *e.Interaction
		i.Expires = time.Now().UTC().Add(noticeLife)
		e.Interaction = &i
	}
	in.lanes.Add(ctx, e.Address.Chat, func(ctx context.Context) { done(in.keep(ctx, e)) })
}

// takePart adds a part to its album. The album waits for its parts in its
// chat's lane, so that what is said next in the chat stays behind it.
func (in *intake) takePart(ctx context.Context, item inbound.Item, done func(error)) {
	fresh, late := in.albums.add(item.Group, item.Event, done)
	switch {
	case late:
		item.Event.Keys = item.Event.Keys[1:] // the album's own is kept already
		in.hand(ctx, item.Event, done)
	case fresh:
		in.lanes.Add(ctx, item.Event.Address.Chat, func(ctx context.Context) {
			whole, done := in.albums.gather(ctx, item.Group)
			done(in.keep(ctx, whole))
		})
	}
}
