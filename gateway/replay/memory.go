package replay

import (
	"slices"
	"time"

	"talaria/adapters/inbound"
	"talaria/core/chat"
	"talaria/core/person"
)

// memory stands for the store: what the input states, and what was let through
// since. What is dropped is not remembered: it may arrive again in a form that
// is for the bot.
type memory struct {
	stated Context
	seen   map[string]bool
}

func newMemory(c Context) *memory {
	m := &memory{stated: c, seen: map[string]bool{}}
	m.keep(c.Seen...)
	return m
}

func (m *memory) keep(keys ...string) {
	for _, k := range keys {
		m.seen[k] = true
	}
}

// of is what is known about an item when it is decided on. place is its chat as
// the input writes chats.
func (m *memory) of(item inbound.Item, place string) person.Known {
	e, c := item.Event, m.stated
	known := person.Known{
		Now: c.Now.Time, MaxAge: time.Duration(c.MaxAge * float64(time.Second)), Role: person.Member, Bots: bool(c.AllowBots),
		Seen:    slices.ContainsFunc(e.Keys, func(k string) bool { return m.seen[k] }),
		Awake:   slices.Contains(c.ActiveThreads, place+"#"+e.Address.Thread),
		Ambient: c.RequireMention != nil && !*c.RequireMention,
	}
	if c.Now.IsZero() {
		known.MaxAge = 0
	}
	if len(c.AllowedChats) > 0 && !slices.Contains(c.AllowedChats, place) && !slices.Contains(c.AllowedChats, e.Address.Chat) {
		known.Space = person.SpaceOff
	}
	switch e.Kind {
	case chat.Message, chat.Command:
		_, waits := c.Queued[e.Key()]
		known.Seen = known.Seen || waits
	case chat.Edit:
		var text string
		text, known.Waiting = c.Queued[item.Concerns]
		known.Seen = m.seen[item.Concerns]
		known.Unchanged = known.Waiting && text != "" && text == e.Text
	}
	return known
}
