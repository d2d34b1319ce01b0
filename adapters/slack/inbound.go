package slack

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"talaria/adapters/inbound"
	"talaria/core/chat"
)

// account is the bot's own, in one workspace. A message of its own may name
// any one of the three.
type account struct {
	team, user, bot, app string
	site                 string // the workspace's address on the web, with a slash at its end
}

// normalize says what one delivery comes to for the account me. names are
// display names by user id. It is pure.
func normalize(raw json.RawMessage, me account, names map[string]string) inbound.Item {
	var o outer
	if !read(raw, &o) {
		return inbound.Drop(inbound.Unsupported)
	}
	if len(o.Payload) > 0 {
		raw = o.Payload // the envelope of Socket Mode
		o = outer{}
		if !read(raw, &o) {
			return inbound.Drop(inbound.Unsupported)
		}
	}
	me.team = cmp.Or(o.installation(), me.team)
	switch o.kind() {
	case "event_callback":
		return fromEvent(o, reader{me: me, names: names})
	case "slash_commands":
		return fromSlash(raw, reader{me: me, names: names})
	case "block_actions":
		return fromPress(raw, me)
	case "view_submission":
		return fromForm(raw, me)
	case "url_verification", "ssl_check":
		return inbound.Item{Reason: inbound.Ping, Effects: []inbound.Effect{inbound.Pong()}}
	case "hello", "disconnect", "app_rate_limited":
		return inbound.Drop(inbound.System)
	}
	return inbound.Drop(inbound.Unsupported)
}

// kind is the type, or what stands for it.
func (o *outer) kind() string {
	switch {
	case o.Type != "":
		return o.Type
	case o.Command != "":
		return "slash_commands"
	case o.SSLCheck != "":
		return "ssl_check"
	}
	return ""
}

// installation is the workspace that the delivery is for, "" if it isn't told.
func (o *outer) installation() string {
	if len(o.Authorizations) > 0 && o.Authorizations[0].Team != "" {
		return o.Authorizations[0].Team
	}
	return o.Team
}

func fromEvent(o outer, r reader) inbound.Item {
	s := &scene{reader: r, app: o.App, enterprise: o.Enterprise}
	if !read(o.Event, &s.event) {
		return inbound.Drop(inbound.Unsupported)
	}
	s.TS = cmp.Or(s.TS, s.EventTS)
	item := s.item()
	if item.Reason == "" && o.EventID != "" {
		item.Event.Keys = append(item.Event.Keys, Platform+":event:"+o.EventID)
	}
	return item
}

// item sorts out the kinds of events. What is not named here is not handed
// over, whatever it looks like.
func (s *scene) item() inbound.Item {
	switch s.Type {
	case "app_mention", "message":
		return s.message()
	case "reaction_added", "reaction_removed":
		return s.reaction()
	case "member_joined_channel":
		return s.member(chat.Join)
	case "member_left_channel":
		return s.member(chat.Leave)
	case "channel_left", "group_left", "channel_archive", "group_archive", "channel_deleted", "group_deleted":
		s.User = s.me.user
		return s.member(chat.Leave)
	case "channel_id_changed":
		return s.migration()
	case "app_home_opened":
		return s.openedHome()
	case "assistant_thread_started":
		return s.openedThread()
	case "assistant_thread_context_changed":
		return inbound.Drop(inbound.System) // where a person looks is nobody's concern
	}
	return inbound.Drop(inbound.Unsupported)
}

func (s *scene) message() inbound.Item {
	m := &s.event.message
	switch {
	case s.Channel == "":
		return inbound.Drop(inbound.Unsupported)
	case s.Subtype == "message_changed":
		return s.edited()
	case s.Subtype == "message_deleted":
		return s.gone(s.DeletedTS, s.Previous)
	case !conversational[s.Subtype]:
		return inbound.Drop(inbound.System)
	case s.own(m):
		return inbound.Drop(inbound.OwnMessage)
	case m.TS == "":
		return inbound.Drop(inbound.Unsupported)
	case cmp.Or(m.User, m.BotID) == "":
		return inbound.Drop(inbound.Anonymous)
	}
	item := s.said(m)
	if empty(item.Event) && s.Type == "message" && item.Event.Addressed != chat.ByMention {
		return inbound.Drop(inbound.Unsupported)
	}
	return item
}

// empty reports whether nothing was said that can be read.
func empty(e chat.Event) bool {
	return e.Text == "" && e.Command == nil && e.Quoted == nil && len(e.Attachments) == 0
}

func (s *scene) reaction() inbound.Item {
	if s.Item.Channel == "" || s.Item.TS == "" || s.User == "" {
		return inbound.Drop(inbound.Unsupported)
	}
	s.Channel = s.Item.Channel
	if s.own(&s.event.message) {
		return inbound.Drop(inbound.OwnMessage)
	}
	return inbound.Item{Event: chat.Event{
		Kind: chat.Reaction, At: instant(s.EventTS), Message: s.Item.TS, Direct: s.direct(),
		Keys:    []string{s.key(s.Item.TS) + ":" + s.Type + ":" + s.User + ":" + s.Reaction + ":" + s.EventTS},
		Address: chat.Address{Platform: Platform, Workspace: s.me.team, Chat: s.Channel},
		Author:  s.author(&s.event.message), Reaction: &chat.Emoji{Name: s.Reaction, Added: s.Type == "reaction_added"},
	}}
}

// member tells that somebody, or the bot itself, came or went.
func (s *scene) member(kind chat.Kind) inbound.Item {
	if s.Channel == "" || s.User == "" {
		return inbound.Drop(inbound.Unsupported)
	}
	return inbound.Item{Event: chat.Event{
		Kind: kind, At: instant(s.EventTS), Keys: []string{s.place() + ":" + s.Type + ":" + s.User + ":" + s.EventTS},
		Address: chat.Address{Platform: Platform, Workspace: s.me.team, Chat: s.Channel},
		Author:  s.author(&s.event.message),
	}}
}

// migration says that a channel has a new id, as when it becomes shared.
func (s *scene) migration() inbound.Item {
	if s.OldChannel == "" || s.NewChannel == "" {
		return inbound.Drop(inbound.Unsupported)
	}
	from := chat.Address{Platform: Platform, Workspace: s.me.team, Chat: s.OldChannel}
	to := from
	to.Chat = s.NewChannel
	return inbound.Item{Event: chat.Event{
		Kind: chat.Migrate, At: instant(s.EventTS), Address: from, Migrate: &chat.Migration{From: from, To: to},
		Keys: []string{Platform + ":" + s.me.team + ":migrate:" + s.OldChannel + ":" + s.NewChannel},
	}}
}

// instant reads a ts: seconds and, after a point, six digits that make it
// unique in its channel. One that no calendar has is unknown.
func instant(ts string) time.Time {
	const year10000 = 253402300800
	whole, fraction, _ := strings.Cut(ts, ".")
	seconds, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || seconds <= 0 || seconds >= year10000 {
		return time.Time{}
	}
	micros, _ := strconv.ParseInt(fraction, 10, 32)
	return time.Unix(seconds, max(micros, 0)*1000).UTC()
}
