package telegram

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"talaria/adapters/inbound"
	"talaria/core/chat"

	tele "gopkg.in/telebot.v3"
)

// Accounts that Telegram itself uses in "from" where nobody is told
// (core.telegram.org/bots/api#message, "from" and "sender_chat").
const (
	groupAnonymousBot = 1087968824 // an administrator who speaks as the group
	serviceAccount    = 777000     // posts of the linked channel
)

// generalTopic is the thread of a forum's General topic. It must be left out
// when sending: naming it is "message thread not found".
const generalTopic = "1"

// normalize says what one Update comes to for the account me. It is pure.
func normalize(raw json.RawMessage, me account) inbound.Item {
	var u update
	if err := json.Unmarshal(raw, &u); err != nil {
		return inbound.Drop(inbound.Unsupported)
	}
	switch {
	case u.Message != nil:
		return fromMessage(raw, u.ID, u.Message, me)
	case u.Edited != nil:
		return fromEdit(u.ID, u.Edited, me)
	case u.Callback != nil:
		return fromCallback(u.Callback)
	case u.Mine != nil:
		return fromMember(u.ID, u.Mine, me)
	case u.Member != nil:
		return fromMember(u.ID, u.Member, me)
	case u.Reaction != nil:
		return fromReaction(u.ID, u.Reaction)
	}
	return inbound.Drop(inbound.Unsupported)
}

func fromMessage(raw json.RawMessage, id int64, m *message, me account) inbound.Item {
	switch {
	case m.MigrateTo != "":
		return migration(m, idString(m.Chat.ID), m.MigrateTo.String())
	case m.MigrateFrom != "":
		return migration(m, m.MigrateFrom.String(), idString(m.Chat.ID))
	case m.Relayed || m.From.Or().ID == serviceAccount:
		return inbound.Drop(inbound.System)
	case m.From.Or().ID == me.id && me.id != 0:
		return inbound.Drop(inbound.OwnMessage)
	case !conversational(m):
		return fromService(raw, id, m, me)
	}
	item := conversation(m, me)
	item.Event.Keys = []string{messageKey(m.Chat.ID, m.ID), updateKey(id)}
	if m.AlbumID != "" {
		item.Group = "telegram:" + idString(m.Chat.ID) + ":album:" + m.AlbumID
		item.Event.Keys = append([]string{item.Group}, item.Event.Keys...)
	}
	return item
}

func messageKey(chat, message int64) string {
	return "telegram:" + idString(chat) + ":" + idString(message)
}

func updateKey(id int64) string { return "telegram:update:" + idString(id) }

// instant is a time of the platform's; one that no calendar has is unknown.
func instant(seconds int64) time.Time {
	const year10000 = 253402300800
	if seconds <= 0 || seconds >= year10000 {
		return time.Time{}
	}
	return time.Unix(seconds, 0).UTC()
}

func idString(id int64) string { return strconv.FormatInt(id, 10) }

// conversational reports whether somebody said something that can be read.
func conversational(m *message) bool {
	return m.Text != "" || m.Caption != "" || len(attachments(m)) > 0 || described(m) != ""
}

// fromService sorts out what nobody said: people who come and go, a topic
// made, a title changed.
func fromService(raw json.RawMessage, id int64, m *message, me account) inbound.Item {
	e := place(m)
	e.Keys = []string{messageKey(m.Chat.ID, m.ID), updateKey(id)}
	joined := m.Joined.Or()
	switch {
	case len(joined) > 0:
		e.Kind, e.Author = chat.Join, author(joined[0], me)
		return inbound.Item{Event: e}
	case m.Left.Is != nil && m.Left.Is.ID != me.id: // the bot's own comes as my_chat_member
		e.Kind, e.Author = chat.Leave, author(*m.Left.Is, me)
		return inbound.Item{Event: e}
	case hasUnsupportedContent(raw):
		return inbound.Drop(inbound.Unsupported)
	}
	return inbound.Drop(inbound.System)
}

func hasUnsupportedContent(raw json.RawMessage) bool {
	var u struct {
		Message map[string]json.RawMessage `json:"message"`
	}
	if json.Unmarshal(raw, &u) != nil {
		return false
	}
	for _, name := range unsupportedContent {
		if _, there := u.Message[name]; there {
			return true
		}
	}
	return false
}

// fromEdit makes an edit. Its text can wake the bot by a mention but is never
// a command: a command is what its author typed and sent.
func fromEdit(id int64, m *message, me account) inbound.Item {
	switch {
	case m.Relayed || m.From.Or().ID == serviceAccount:
		return inbound.Drop(inbound.System)
	case m.From.Or().ID == me.id && me.id != 0:
		return inbound.Drop(inbound.OwnMessage)
	}
	item := conversation(m, me)
	e := &item.Event
	if e.Kind == chat.Command {
		e.Text, e.Command = content(m).write(view{markdown: true, without: me}), nil
		e.Addressed = addressed(m, me)
	}
	item.Reason = ""
	e.Kind = chat.Edit
	e.At = instant(max(m.EditDate, m.Date))
	item.Concerns = messageKey(m.Chat.ID, m.ID)
	if m.AlbumID != "" {
		item.Concerns = "telegram:" + idString(m.Chat.ID) + ":album:" + m.AlbumID
	}
	e.Keys = []string{item.Concerns + ":edit:" + idString(id), updateKey(id)}
	return item
}

// migration is what either half of a group's change into a supergroup says.
func migration(m *message, from, to string) inbound.Item {
	e := place(m)
	e.Kind = chat.Migrate
	e.Author = author(m.From.Or(), account{})
	e.Keys = []string{"telegram:migrate:" + from + ":" + to}
	e.Address.Chat, e.Address.Thread = from, ""
	e.Migrate = &chat.Migration{
		From: chat.Address{Platform: Platform, Chat: from},
		To:   chat.Address{Platform: Platform, Chat: to},
	}
	return inbound.Item{Event: e}
}

// place fills in what all events of a message have in common.
func place(m *message) chat.Event {
	return chat.Event{
		At:      instant(m.Date),
		Address: chat.Address{Platform: Platform, Chat: idString(m.Chat.ID), Thread: thread(m)},
		Direct:  m.Chat.Type == tele.ChatPrivate,
		Message: idString(m.ID),
	}
}

// thread is the topic of a message. A plain group's replies carry a thread id
// too; only is_topic_message makes it a topic.
func thread(m *message) string {
	if !m.InTopic || m.ThreadID == 0 {
		return ""
	}
	if id := idString(m.ThreadID); id != generalTopic {
		return id
	}
	return ""
}

func author(u tele.User, me account) chat.Author {
	return chat.Author{
		Identity: chat.Identity{Platform: Platform, ID: idString(u.ID)},
		Name:     strings.TrimSpace(u.FirstName + " " + u.LastName),
		Language: u.LanguageCode,
		Self:     u.ID == me.id && me.id != 0,
		Bot:      u.IsBot,
	}
}

// fromCallback makes a press. Data that no button of ours can carry is
// rejected, never taken as text; whatever it is, the press must be answered.
func fromCallback(c *callback) inbound.Item {
	item := inbound.Item{Effects: []inbound.Effect{inbound.AnswerCallback(c.ID)}}
	press, ok := inbound.ParseReference(c.Data)
	if !ok || c.Message.Is == nil || c.From.ID == 0 {
		item.Reason = inbound.UnknownPress
		return item
	}
	e := place(c.Message.Is)
	e.Kind = chat.Press
	e.Keys = []string{"telegram:cb:" + c.ID}
	e.At = time.Time{} // an Update tells when the card was sent, not when it was pressed
	e.Author = author(c.From, account{})
	e.Press = &press
	e.Interaction = &chat.Interaction{ID: c.ID, Room: maxNotice}
	item.Event = e
	return item
}

// fromMember tells that somebody, or the bot itself, came or went.
func fromMember(id int64, c *tele.ChatMemberUpdate, me account) inbound.Item {
	if c.Chat == nil || c.NewChatMember == nil || c.NewChatMember.User == nil {
		return inbound.Drop(inbound.Unsupported)
	}
	was, is := present(c.OldChatMember), present(c.NewChatMember)
	e := chat.Event{
		Kind:    chat.Join,
		Keys:    []string{"telegram:member:" + idString(c.Chat.ID) + ":" + idString(id), updateKey(id)},
		At:      instant(c.Unixtime),
		Address: chat.Address{Platform: Platform, Chat: idString(c.Chat.ID)},
		Direct:  c.Chat.Type == tele.ChatPrivate,
		Author:  author(*c.NewChatMember.User, me),
	}
	switch {
	case was == is: // rights changed
		return inbound.Drop(inbound.System)
	case !is:
		e.Kind = chat.Leave
	}
	return inbound.Item{Event: e}
}

func present(m *tele.ChatMember) bool {
	if m == nil {
		return false
	}
	switch m.Role {
	case tele.Creator, tele.Administrator, tele.Member:
		return true
	case tele.Restricted:
		return m.Member
	}
	return false
}

// fromReaction tells of the emoji that was added or, where none was, of the
// one taken away.
func fromReaction(id int64, r *reaction) inbound.Item {
	if r.User == nil {
		return inbound.Drop(inbound.Anonymous)
	}
	emoji := chat.Emoji{Name: missing(r.New, r.Old), Added: true}
	if emoji.Name == "" {
		emoji = chat.Emoji{Name: missing(r.Old, r.New)}
	}
	if emoji.Name == "" {
		return inbound.Drop(inbound.Unsupported)
	}
	return inbound.Item{Event: chat.Event{
		Kind:     chat.Reaction,
		Keys:     []string{"telegram:reaction:" + idString(r.Chat.ID) + ":" + idString(id), updateKey(id)},
		At:       instant(r.Date),
		Address:  chat.Address{Platform: Platform, Chat: idString(r.Chat.ID)},
		Direct:   r.Chat.Type == tele.ChatPrivate,
		Message:  idString(r.ID),
		Author:   author(*r.User, account{}),
		Reaction: &emoji,
	}}
}

// missing returns the first emoji of a that is not in b.
func missing(a, b []tele.Reaction) string {
	there := map[tele.Reaction]bool{}
	for _, r := range b {
		there[r] = true
	}
	for _, r := range a {
		if !there[r] {
			return r.Emoji + r.CustomEmoji
		}
	}
	return ""
}
