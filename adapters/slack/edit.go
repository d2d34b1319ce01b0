package slack

import (
	"cmp"

	"talaria/adapters/inbound"
	"talaria/core/chat"
)

// edited makes the event of a message_changed. Slack sends one also when it
// hangs the preview of a link below a message, whose text is what it was.
func (s *scene) edited() inbound.Item {
	m := s.Message
	if m == nil || m.TS == "" {
		return inbound.Drop(inbound.Unsupported)
	}
	now, before, same := s.words(m), words{}, false
	if s.Previous != nil {
		before = s.words(s.Previous)
		same = now.text == before.text && now.mentioned == before.mentioned && len(m.Files) == len(s.Previous.Files)
	}
	switch {
	case s.own(m):
		return inbound.Drop(inbound.OwnMessage)
	case m.Subtype == "tombstone": // deleted, but others had replied to it
		return s.gone(m.TS, s.Previous)
	case !conversational[m.Subtype]:
		return inbound.Drop(inbound.System)
	case same:
		return inbound.Drop(inbound.Unchanged)
	}
	item := s.said(m)
	e := &item.Event
	e.Kind, e.Command, e.Text = chat.Edit, nil, now.text // a command is what its author typed and sent
	e.Addressed = s.addressed(m, now)
	if e.Addressed == chat.ByMention && before.mentioned {
		e.Addressed = chat.ByThread // the edit did not add the mention; it had its turn
	}
	e.At = instant(cmp.Or(s.TS, s.EventTS, m.TS))
	item.Concerns = s.key(m.TS)
	e.Keys = []string{item.Concerns + ":edit:" + cmp.Or(s.TS, s.EventTS)}
	return item
}

// gone makes the event of a deleted message; was is what it said, if told.
func (s *scene) gone(ts string, was *message) inbound.Item {
	if ts == "" {
		return inbound.Drop(inbound.Unsupported)
	}
	if was == nil {
		was = &message{}
	}
	was.TS = ts
	return inbound.Item{Concerns: s.key(ts), Event: chat.Event{
		Kind: chat.Delete, Keys: []string{s.key(ts) + ":deleted"}, At: instant(cmp.Or(s.TS, s.EventTS)),
		Address: s.address(was), Direct: s.direct(), Message: ts, Author: s.author(was),
	}}
}
