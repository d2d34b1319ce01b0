package slack

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"talaria/adapters/inbound"
	"talaria/core/chat"
)

// intake takes deliveries, however they come, and hands over what they come
// to.
type intake struct {
	me     account
	people *people
	keep   func(context.Context, chat.Event) error // returns nil once the event is kept
	answer func(context.Context, chat.Event) bool  // reports whether a form was opened for it
	log    *slog.Logger
	lanes  *inbound.Lanes
	drops  *inbound.Drops
	trail  trail

	mu      sync.Mutex
	flights map[string][]func(error) // deliveries under way, and who waits for each
	kept    recent                   // deliveries whose acknowledgement may have been lost
}

// take deals with one delivery. done is called exactly once, with nil when it
// may be acknowledged: its event is kept, or there is none.
func (in *intake) take(ctx context.Context, raw json.RawMessage, done func(error)) {
	item := normalize(raw, in.me, nil)
	if item.Reason != "" {
		in.drops.Note(item.Reason, func() string { return kindOfDelivery(raw) })
		done(nil)
		return
	}
	e := item.Event
	if in.me.team != "" && e.Address.Workspace != in.me.team {
		in.log.Warn("delivery for another workspace dropped", "platform", Platform, "workspace", e.Address.Workspace)
		done(nil)
		return
	}
	id := delivery(e)
	if !in.begin(id, done) {
		return
	}
	in.lanes.Add(ctx, e.Address.Chat, func(ctx context.Context) {
		in.finish(id, in.hand(ctx, raw, e))
	})
}

// delivery names a delivery: the same when Slack brings it again, another for
// the mention that comes beside the message.
func delivery(e chat.Event) string { return e.Keys[len(e.Keys)-1] }

// begin notes a delivery as under way. It reports false where it is already:
// then done waits for that one; or where it is kept: then it is done with.
func (in *intake) begin(id string, done func(error)) bool {
	in.mu.Lock()
	kept := in.kept.has(id)
	waiting, there := in.flights[id]
	if !kept {
		in.flights[id] = append(waiting, done)
	}
	in.mu.Unlock()
	if kept {
		done(nil)
	}
	return !kept && !there
}

func (in *intake) finish(id string, err error) {
	in.mu.Lock()
	waiting := in.flights[id]
	delete(in.flights, id)
	if err == nil {
		in.kept.add(id)
	}
	in.mu.Unlock()
	for _, done := range waiting {
		done(err)
	}
}

// hand hands over what raw comes to, with the names of those it names and what
// Slack says of its author.
func (in *intake) hand(ctx context.Context, raw json.RawMessage, e chat.Event) error {
	e = in.introduce(ctx, raw, e)
	now := time.Now().UTC()
	if e.At.IsZero() {
		e.At = now // Slack doesn't tell when a command was typed
	}
	if e.Interaction != nil && e.Interaction.Expires.IsZero() {
		e.Interaction.Expires = now.Add(responseLife)
	}
	if in.answer(ctx, e) {
		return nil
	}
	if err := in.keep(ctx, e); err != nil {
		return err
	}
	in.trail.note(e)
	return nil
}

// introduce puts names into the event. Where Slack doesn't tell them in time,
// ids stand for them.
func (in *intake) introduce(ctx context.Context, raw json.RawMessage, e chat.Event) chat.Event {
	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	ids := append(mentionedIn(raw), e.Author.Identity.ID)
	if names := in.people.names(ctx, in.me, ids); len(names) > 0 {
		e = normalize(raw, in.me, names).Event
	}
	return in.vouch(ctx, e)
}

// vouch adds what Slack says of the author. If it can't be had, the gate asks
// by itself who is a member.
func (in *intake) vouch(ctx context.Context, e chat.Event) chat.Event {
	id := e.Author.Identity.ID
	if !userID.MatchString(id) || e.Author.Self || e.Author.Bot {
		return e
	}
	known, err := in.people.look(ctx, in.me.team, id)
	if err == nil {
		e.Author.Guest = e.Author.Guest || !known.full
		e.Author.Name = cmp.Or(e.Author.Name, known.name)
		e.Author.Language = cmp.Or(e.Author.Language, known.lang)
	}
	return e
}

// kindOfDelivery names the kind of what was not understood.
func kindOfDelivery(raw json.RawMessage) string {
	var d struct {
		Type    string `json:"type"`
		Payload struct {
			Type  string                `json:"type"`
			Event struct{ Type string } `json:"event"`
		} `json:"payload"`
		Event struct{ Type string } `json:"event"`
	}
	read(raw, &d)
	return cmp.Or(d.Payload.Event.Type, d.Event.Type, d.Payload.Type, d.Type, "none")
}
