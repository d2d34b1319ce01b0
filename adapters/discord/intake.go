package discord

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"talaria/adapters/inbound"
	"talaria/adapters/retry"
	"talaria/adapters/wire"
	"talaria/core/chat"
)

// intake takes dispatches and hands over what they come to.
type intake struct {
	adapter *Adapter
	self    account
	session *session
	keeper  *inbound.Keeper
	lanes   *inbound.Lanes
	drops   *inbound.Drops
	log     *slog.Logger
}

// envelope is what is needed of any dispatch before it is read in full.
type envelope struct {
	ID      snowflake               `json:"id"`
	Channel snowflake               `json:"channel_id"`
	Guild   snowflake               `json:"guild_id"`
	Roles   wire.Maybe[[]snowflake] `json:"mention_roles"`
}

// take deals with one dispatch. It doesn't wait: the gateway's reader calls it.
// done is called once everything that it came to is kept.
func (in *intake) take(ctx context.Context, d dispatch, done func()) {
	in.adapter.directory.learn(d.Type, d.Data, in.self.user)
	switch {
	case d.Type == "GUILD_DELETE":
		in.leave(ctx, d, done)
		return
	case bookkeeping[d.Type]:
		done()
		return
	}
	acknowledged := in.acknowledge(ctx, d)
	var e envelope
	_ = json.Unmarshal(d.Data, &e) // what can't be read has no channel and is dropped in its turn
	if d.Type == "MESSAGE_CREATE" {
		in.session.hear(e.Guild.String(), e.Channel.String(), e.ID.String())
	}
	in.lanes.Add(ctx, e.Channel.String(), func(ctx context.Context) {
		items := func(s scene) (all []inbound.Item) {
			for _, raw := range spread(d) {
				all = append(all, normalize(raw, s))
			}
			return all
		}
		if answered := <-acknowledged; answered {
			done()
			return
		}
		if in.hand(ctx, d.Type, e, items) != nil {
			return
		}
		if d.Type == "MESSAGE_CREATE" {
			in.session.read(e.Guild.String(), e.Channel.String(), e.ID.String())
		}
		done()
	})
}

// acknowledge responds to an interaction before anything else is done with it:
// the person's client waits three seconds. An answer can't be sent before the
// channel that it returns is closed or says true: the door answered, or nothing
// else can, and there is nothing to hand over.
func (in *intake) acknowledge(ctx context.Context, d dispatch) <-chan bool {
	acknowledged := make(chan bool, 1)
	var i interaction
	if d.Type != "INTERACTION_CREATE" || json.Unmarshal(d.Data, &i) != nil {
		close(acknowledged)
		return acknowledged
	}
	in.lanes.Add(ctx, "interaction "+i.ID.String(), func(ctx context.Context) {
		defer close(acknowledged)
		if in.answer(ctx, i) {
			acknowledged <- true
			return
		}
		in.adapter.acknowledge(ctx, i)
		if i.Type == completionInteraction {
			acknowledged <- true
		}
	})
	return acknowledged
}

// leave tells of each channel of a server that the bot was put out of. A server
// that is only unavailable comes back.
func (in *intake) leave(ctx context.Context, d dispatch, done func()) {
	var g struct {
		ID          snowflake `json:"id"`
		Unavailable bool      `json:"unavailable"`
	}
	if json.Unmarshal(d.Data, &g) != nil || g.Unavailable {
		done()
		return
	}
	in.lanes.Add(ctx, "server "+g.ID.String(), func(ctx context.Context) {
		items := func(s scene) (all []inbound.Item) {
			for _, c := range in.adapter.directory.of(g.ID.String()) {
				all = append(all, s.fromChannelDelete(c))
			}
			return all
		}
		if in.hand(ctx, d.Type, envelope{}, items) == nil {
			done()
		}
	})
}

// hand hands over what something comes to, in its channel's lane.
func (in *intake) hand(ctx context.Context, kind string, e envelope, items func(scene) []inbound.Item) error {
	var s scene
	err := retry.Until(ctx, in.adapter.timing.pause, func() (err error) {
		s, err = in.adapter.prepare(ctx, in.self, e.Guild.String(), e.Channel.String(), len(e.Roles.Or()) > 0)
		return err
	})
	if err != nil {
		return err
	}
	for _, item := range in.survive(s, items) {
		if item.Reason != "" || item.ToOtherBot {
			in.drops.Note(item.Reason, func() string { return kind })
			continue
		}
		if err := in.keeper.Insist(ctx, dated(item.Event, in.adapter.timing.now())); err != nil {
			return err
		}
	}
	return nil
}

// dated completes an event of which Discord doesn't tell when it happened: now
// is near enough. An interaction's token lives from now on.
func dated(e chat.Event, now time.Time) chat.Event {
	if e.At.IsZero() {
		e.At = now.UTC()
	}
	if e.Interaction != nil {
		i := *e.Interaction
		i.Expires = now.UTC().Add(tokenLife)
		e.Interaction = &i
	}
	return e
}

// survive survives what nobody thought of: one dispatch is lost then, and not
// the process.
func (in *intake) survive(s scene, items func(scene) []inbound.Item) (all []inbound.Item) {
	defer func() {
		if p := recover(); p != nil {
			in.log.Error("dispatch not understood", "platform", Platform, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			all = []inbound.Item{inbound.Drop(inbound.Unsupported)}
		}
	}()
	return items(s)
}

// catchUp fetches what was said while no session ran, in each channel's lane,
// so that what is said now stays behind it.
func (in *intake) catchUp(ctx context.Context, channels map[string]seen) {
	for id, was := range channels {
		in.lanes.Add(ctx, id, func(ctx context.Context) { in.catchUpChannel(ctx, id, was) })
	}
}

// missedMessages bounds what is fetched of one channel. More is older than
// anybody waits for.
const missedMessages = 500

func (in *intake) catchUpChannel(ctx context.Context, id string, was seen) {
	var missed []message
	err := retry.Until(ctx, in.adapter.timing.pause, func() (err error) {
		missed, err = in.adapter.messages(ctx, id, was.Last, missedMessages)
		if err != nil && final(err) {
			in.log.Info("missed messages not fetched", "platform", Platform, "channel", id, "err", err)
			return nil
		}
		return err
	})
	if err != nil {
		return
	}
	for _, m := range missed {
		m.Guild = snowflake(was.Guild)
		e := envelope{ID: m.ID, Channel: m.Channel, Guild: m.Guild, Roles: m.MentionRoles}
		items := func(s scene) []inbound.Item { return []inbound.Item{s.fromMessage(m)} }
		if in.hand(ctx, "MESSAGE_CREATE", e, items) != nil {
			return
		}
		in.session.read(was.Guild, id, m.ID.String())
	}
	in.session.caughtUp(id)
	if len(missed) > 0 {
		in.log.Info("missed messages fetched", "platform", Platform, "channel", id, "messages", len(missed))
	}
}
