package inbound

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"talaria/core/chat"
)

// Knowledge is what a Request says was known before its events.
type Knowledge struct {
	Self           Account                    `json:"self"`           // the bot's own account, where it isn't the usual one
	Seen           []string                   `json:"seen"`           // dedupe keys already done
	Queued         Queue                      `json:"queued"`         // messages still waiting
	ActiveThreads  []string                   `json:"active_threads"` // "chat#thread" that the bot takes part in
	Users          map[string]string          `json:"users"`          // display names by id
	Channels       map[string]json.RawMessage `json:"channels"`       // the platform's own facts by channel
	OwnRole        string                     `json:"own_role"`
	RequireMention *bool                      `json:"require_mention"` // outside direct messages; nil is true
	AllowBots      Bots                       `json:"allow_bots"`
	AllowedChats   []string                   `json:"allowed_channels"` // empty: all
	Now            Instant                    `json:"now"`
	MaxAge         float64                    `json:"max_age_s"` // seconds; zero: no limit
}

// Account is a bot's own account on its platform.
type Account struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Queue is the set of waiting messages by dedupe key, with their texts where
// they are told. It is read from a list of keys or of objects.
type Queue map[string]string

// UnmarshalJSON implements json.Unmarshaler.
func (q *Queue) UnmarshalJSON(data []byte) error {
	var entries []json.RawMessage
	if err := json.Unmarshal(data, &entries); err != nil {
		return err
	}
	*q = Queue{}
	for _, raw := range entries {
		var key string
		if json.Unmarshal(raw, &key) == nil {
			(*q)[key] = ""
			continue
		}
		var entry struct {
			Key  string `json:"dedupe_key"`
			Text string `json:"text"`
		}
		if err := json.Unmarshal(raw, &entry); err != nil {
			return err
		}
		(*q)[entry.Key] = entry.Text
	}
	return nil
}

// Bots says which other bots are served: none (empty), "mentions" for those
// that mention this one, anything else for all. It is read from a word or a
// bool.
type Bots string

// UnmarshalJSON implements json.Unmarshaler.
func (b *Bots) UnmarshalJSON(data []byte) error {
	switch word := strings.Trim(string(data), `"`); word {
	case "null", "false", "none", "":
		*b = ""
	default:
		*b = Bots(word)
	}
	return nil
}

func (b Bots) serves(by chat.Addressed) bool {
	return b != "" && (b != "mentions" || by == chat.ByMention)
}

// Instant is a time in RFC 3339 or in Unix seconds; zero is unknown.
type Instant struct{ time.Time }

// UnmarshalJSON implements json.Unmarshaler.
func (i *Instant) UnmarshalJSON(data []byte) error {
	word := strings.Trim(string(data), `"`)
	if word == "null" || word == "" {
		return nil
	}
	if seconds, err := strconv.ParseFloat(word, 64); err == nil {
		i.Time = time.UnixMilli(int64(seconds * 1000)).UTC()
		return nil
	}
	at, err := time.Parse(time.RFC3339, word)
	i.Time = at
	return err
}

// gate decides over messages and edits, and remembers what it let through.
type gate struct {
	known Knowledge
	seen  map[string]bool
}

func newGate(k Knowledge) *gate {
	g := &gate{known: k, seen: map[string]bool{}}
	for _, key := range k.Seen {
		g.seen[key] = true
	}
	return g
}

// first reports whether none of the keys was there before, and keeps them.
func (g *gate) first(keys []string) bool {
	if slices.ContainsFunc(keys, func(k string) bool { return g.seen[k] }) {
		return false
	}
	for _, k := range keys {
		g.seen[k] = true
	}
	return true
}

// message decides over a message or command. A key counts as seen only once
// its message was let through: what is dropped now may arrive again in a form
// that is for the bot.
func (g *gate) message(item Item, place string) (chat.Addressed, Reason) {
	e := item.Event
	by, reason := g.addressed(item, place)
	_, waits := g.known.Queued[e.Key()]
	switch {
	case reason == Anonymous, reason == BotMessage, reason == OwnMessage:
		return "", reason
	case waits, slices.ContainsFunc(e.Keys, func(k string) bool { return g.seen[k] }):
		return "", Duplicate
	case reason != "":
		return "", reason
	case g.stale(e.At):
		return "", Stale
	}
	g.first(e.Keys)
	return by, ""
}

// edit decides over an edit: of a message that waits it replaces the text, and
// it makes a turn of its own only where it adds what was missing, the mention.
func (g *gate) edit(item Item, place string) (by chat.Addressed, waits bool, r Reason) {
	by, reason := g.addressed(item, place)
	text, waits := g.known.Queued[item.Concerns]
	switch {
	case reason == Anonymous, reason == BotMessage, reason == OwnMessage:
		return "", false, reason
	case waits && text != "" && text == item.Event.Text:
		return "", false, Unchanged
	case waits:
		return "", true, ""
	case g.seen[item.Concerns]:
		return "", false, AfterTurn
	case reason != "":
		return "", false, reason
	case by != chat.ByMention:
		return "", false, AfterTurn
	}
	g.first([]string{item.Concerns})
	return by, false, ""
}

// addressed says in what way the event is for the bot, or why it isn't.
func (g *gate) addressed(item Item, place string) (chat.Addressed, Reason) {
	e := item.Event
	by := e.Addressed
	switch {
	case e.Author.Self:
		return "", OwnMessage
	case e.Author.Anonymous:
		return "", Anonymous
	case e.Author.Bot && !g.known.AllowBots.serves(by):
		return "", BotMessage
	case !e.Direct && len(g.known.AllowedChats) > 0 && !g.allowed(place, e.Address):
		return "", NotAddressed
	case by != chat.Ambient:
		return by, ""
	}
	active := e.Address.Thread != "" && slices.Contains(g.known.ActiveThreads, place+"#"+e.Address.Thread)
	open := g.known.RequireMention != nil && !*g.known.RequireMention
	switch {
	case !active && !open:
		return "", NotAddressed
	case item.ToOtherBot:
		return "", Elsewhere
	case active:
		return chat.ByThread, ""
	}
	return chat.Ambient, ""
}

// allowed looks up the place that the address belongs to; its thread never
// counts by itself.
func (g *gate) allowed(place string, a chat.Address) bool {
	return slices.Contains(g.known.AllowedChats, place) || slices.Contains(g.known.AllowedChats, a.Chat)
}

func (g *gate) stale(at time.Time) bool {
	return g.known.MaxAge > 0 && !g.known.Now.IsZero() && !at.IsZero() &&
		g.known.Now.Sub(at).Seconds() > g.known.MaxAge
}
