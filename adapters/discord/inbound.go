package discord

import (
	"encoding/json"
	"strconv"
	"strings"

	"talaria/adapters/inbound"
	"talaria/adapters/wire"
	"talaria/core/chat"
)

// scene is what is known around an event.
type scene struct {
	me      string                          // the bot's user id
	role    func(guild string) string       // the bot's own role, "" if it isn't known
	channel func(id string) (channel, bool) // "" facts where nothing is known
	user    func(id string) string          // display name, "" if it isn't known

	commands map[string]chat.MenuCommand // the bot's own, which say how what is entered would be typed
}

// normalize says what one dispatch of the gateway comes to. It is pure.
func normalize(raw json.RawMessage, s scene) inbound.Item {
	var d dispatch
	if json.Unmarshal(raw, &d) != nil {
		return inbound.Drop(inbound.Unsupported)
	}
	switch d.Type {
	case "MESSAGE_CREATE":
		return read(d.Data, s.fromMessage)
	case "MESSAGE_UPDATE":
		return read(d.Data, s.fromEdit)
	case "MESSAGE_DELETE":
		return read(d.Data, s.fromDelete)
	case "MESSAGE_DELETE_BULK":
		return inbound.Drop(inbound.Deleted) // taken apart before, see spread
	case "MESSAGE_REACTION_ADD", "MESSAGE_REACTION_REMOVE":
		return read(d.Data, func(r reaction) inbound.Item { return s.fromReaction(r, d) })
	case "INTERACTION_CREATE":
		return read(d.Data, s.fromInteraction)
	case "CHANNEL_DELETE", "THREAD_DELETE":
		return read(d.Data, s.fromChannelDelete)
	}
	if bookkeeping[d.Type] {
		return inbound.Drop(inbound.System)
	}
	return inbound.Drop(inbound.Unsupported)
}

// bookkeeping are the dispatches that tell of the connection and of what there
// is, and nothing that anybody did with the bot.
var bookkeeping = map[string]bool{
	"READY": true, "RESUMED": true, "GUILD_CREATE": true, "GUILD_UPDATE": true, "GUILD_DELETE": true,
	"CHANNEL_CREATE": true, "CHANNEL_UPDATE": true, "THREAD_CREATE": true, "THREAD_UPDATE": true,
	"THREAD_LIST_SYNC": true, "THREAD_MEMBER_UPDATE": true, "THREAD_MEMBERS_UPDATE": true, "CHANNEL_PINS_UPDATE": true,
	"GUILD_ROLE_CREATE": true, "GUILD_ROLE_UPDATE": true, "GUILD_ROLE_DELETE": true, "GUILD_MEMBER_ADD": true,
	"GUILD_MEMBER_REMOVE": true, "GUILD_MEMBER_UPDATE": true, "USER_UPDATE": true,
}

func read[T any](data json.RawMessage, take func(T) inbound.Item) inbound.Item {
	var v T
	if json.Unmarshal(data, &v) != nil {
		return inbound.Drop(inbound.Unsupported)
	}
	return take(v)
}

// spread takes one dispatch apart into those that each come to one event.
func spread(d dispatch) []json.RawMessage {
	raw, err := json.Marshal(d)
	if err != nil {
		return nil
	}
	if d.Type != "MESSAGE_DELETE_BULK" {
		return []json.RawMessage{raw}
	}
	var bulk struct {
		IDs     []snowflake `json:"ids"`
		Channel snowflake   `json:"channel_id"`
		Guild   snowflake   `json:"guild_id"`
	}
	if json.Unmarshal(d.Data, &bulk) != nil {
		return nil
	}
	var all []json.RawMessage
	for _, id := range bulk.IDs {
		data, _ := json.Marshal(map[string]snowflake{"id": id, "channel_id": bulk.Channel, "guild_id": bulk.Guild})
		one, _ := json.Marshal(dispatch{Type: "MESSAGE_DELETE", Seq: d.Seq, Data: data})
		all = append(all, one)
	}
	return all
}

// place fills in what all events of a channel have in common. A thread, or a
// post of a forum, is one of its parent; a private one is a place of its own,
// since not all who read its parent read it.
func (s scene) place(guild, id snowflake, kind wire.Maybe[int]) chat.Event {
	facts, _ := s.channel(id.String())
	facts.ID, facts.Guild = id, guild
	if facts.Type.Is == nil {
		facts.Type = kind
	}
	return facts.place()
}

func (c channel) place() chat.Event {
	e := chat.Event{
		Address: chat.Address{Platform: Platform, Workspace: c.Guild.String(), Chat: c.ID.String()},
		Direct:  c.Guild == "" && c.Type.Or() != groupChannel,
	}
	switch {
	case c.Type.Or() == privateThread:
		e.Address.Thread = c.ID.String()
	case c.isThread() && c.Parent != "":
		e.Address.Chat, e.Address.Thread = c.Parent.String(), c.ID.String()
	}
	return e
}

func (s scene) author(u user, m member) chat.Author {
	name := m.Nick.Or()
	if name == "" {
		name = u.name()
	}
	return chat.Author{
		Identity: chat.Identity{Platform: Platform, ID: u.ID.String()},
		Name:     name,
		Self:     u.ID != "" && u.ID.String() == s.me,
		Bot:      u.Bot.Or() || u.System.Or(),
		Guest:    m.Pending.Or(), // has not passed the server's screening
	}
}

func messageKey(id snowflake) string { return Platform + ":" + id.String() }

func (s scene) fromMessage(m message) inbound.Item {
	switch {
	case m.ID == "" || m.Channel == "":
		return inbound.Drop(inbound.Unsupported)
	case m.Author.Or().ID == "":
		return inbound.Drop(inbound.Anonymous)
	case !conversational[m.Type.Or()]:
		return s.fromService(m)
	case m.Author.Or().ID.String() == s.me:
		return inbound.Drop(inbound.OwnMessage)
	}
	item := s.conversation(&m)
	item.Event.Keys = []string{messageKey(m.ID)}
	if nothingSaid(item.Event) {
		return inbound.Drop(inbound.Unsupported)
	}
	return item
}

// nothingSaid reports whether there is nothing to read in it. A bare mention
// says something: it calls.
func nothingSaid(e chat.Event) bool {
	return e.Text == "" && e.Command == nil && e.Quoted == nil && len(e.Attachments) == 0 && e.Addressed != chat.ByMention
}

// conversational are the types of messages in which somebody says something
// (discord.com/developers/docs/resources/message#message-object-message-types).
// All others tell what happened to a channel or server.
var conversational = map[int]bool{0: true, replyToMessage: true, 20: true, 23: true}

// userJoined is the type of the message that greets a new member.
const userJoined = 7

func (s scene) fromService(m message) inbound.Item {
	if m.Type.Or() != userJoined {
		return inbound.Drop(inbound.System)
	}
	e := s.place(m.Guild, m.Channel, m.ChannelType)
	e.Kind, e.At, e.Keys = chat.Join, instant(m.At.Or()), []string{messageKey(m.ID)}
	e.Author = s.author(m.Author.Or(), m.Member.Or())
	return inbound.Item{Event: e}
}

// fromEdit makes an edit. Discord also updates a message for a preview, a pin
// or a thread; then there is no author, or no time of an edit. An edit's text
// can wake the bot by a mention but is never a command: a command is what its
// author typed and sent.
func (s scene) fromEdit(m message) inbound.Item {
	edited := strings.Trim(string(m.Edited), `"`)
	switch {
	case m.ID == "" || m.Channel == "":
		return inbound.Drop(inbound.Unsupported)
	case m.Author.Or().ID == "", m.Text.Is == nil, edited == "null":
		return inbound.Drop(inbound.Unchanged)
	case !conversational[m.Type.Or()]:
		return inbound.Drop(inbound.System)
	case m.Author.Or().ID.String() == s.me:
		return inbound.Drop(inbound.OwnMessage)
	}
	item := s.conversation(&m)
	e := &item.Event
	if e.Kind == chat.Command {
		w := s.words(&m)
		e.Text, e.Command, e.Addressed = w.text, nil, s.addressed(&m, w)
	}
	e.Kind = chat.Edit
	if at := instant(edited); !at.IsZero() {
		e.At = at
	}
	item.Concerns = messageKey(m.ID)
	e.Keys = []string{item.Concerns + ":edit:" + edited}
	return item
}

func (s scene) fromDelete(m message) inbound.Item {
	if m.ID == "" || m.Channel == "" {
		return inbound.Drop(inbound.Unsupported)
	}
	e := s.place(m.Guild, m.Channel, m.ChannelType)
	e.Kind, e.Message, e.Keys = chat.Delete, m.ID.String(), []string{messageKey(m.ID) + ":delete"}
	return inbound.Item{Event: e, Concerns: messageKey(m.ID)}
}

// fromReaction tells of an emoji put on or taken off. Reactions have no ids:
// the number of the dispatch, which a resumed session repeats, tells them apart.
func (s scene) fromReaction(r reaction, d dispatch) inbound.Item {
	switch {
	case r.User == "" || r.Message == "" || r.Channel == "" || r.Emoji.Name.Or() == "":
		return inbound.Drop(inbound.Unsupported)
	case r.User.String() == s.me:
		return inbound.Drop(inbound.OwnMessage)
	}
	by := r.Member.Or()
	u := by.User.Or()
	u.ID = r.User
	e := s.place(r.Guild, r.Channel, wire.Maybe[int]{})
	e.Kind, e.Message, e.Author = chat.Reaction, r.Message.String(), s.author(u, by)
	e.Reaction = &chat.Emoji{Name: r.Emoji.Name.Or(), Added: d.Type == "MESSAGE_REACTION_ADD"}
	e.Keys = []string{messageKey(r.Message) + ":reaction:" + r.User.String() + ":" + e.Reaction.Name + ":" + strconv.FormatInt(d.Seq, 10)}
	return inbound.Item{Event: e}
}

// fromChannelDelete says that a place is gone: for the bot it is as if it had
// been put out of it.
func (s scene) fromChannelDelete(c channel) inbound.Item {
	if c.ID == "" {
		return inbound.Drop(inbound.Unsupported)
	}
	if c.isThread() {
		return inbound.Drop(inbound.System)
	}
	e := c.place()
	e.Kind, e.Keys = chat.Leave, []string{Platform + ":channel:" + c.ID.String() + ":delete"}
	e.Author = chat.Author{Identity: chat.Identity{Platform: Platform, ID: s.me}, Self: true, Bot: true}
	return inbound.Item{Event: e}
}
