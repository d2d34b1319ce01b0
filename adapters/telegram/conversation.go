package telegram

import (
	"fmt"
	"slices"
	"strings"

	"talaria/adapters/inbound"
	"talaria/core/chat"

	tele "gopkg.in/telebot.v3"
)

// conversation makes the event of something that a person said.
func conversation(m *message, me account) inbound.Item {
	e := place(m)
	e.Kind = chat.Message
	e.Author = speaker(m, me)
	e.Attachments = attachments(m)
	e.Origin = chat.Member
	item := inbound.Item{}
	if forwarded(m) {
		return forward(item, e, m)
	}
	if m.ViaBot.Is != nil {
		e.Origin = chat.External // an inline bot wrote it
	}
	said := content(m)
	e.Text = strings.TrimSpace(said.write(view{markdown: true, without: me}) + described(m))
	e.Addressed = addressed(m, me)
	if r := m.ReplyTo.Is; r != nil && !opensTopic(r) {
		e.ReplyTo = idString(r.ID)
	}
	e.Quoted = quoted(m, me)
	item.ToOtherBot = repliesToOtherBot(m, me) && e.Addressed != chat.ByMention
	call, ok := inbound.ParseCommand(said.write(view{without: me}))
	switch {
	case ok && call.Suffix != "" && !strings.EqualFold(call.Suffix, me.name):
		item.Reason = inbound.OtherBot
	case ok:
		shared := call.Suffix == "" && e.Addressed == chat.Ambient
		e.Kind, e.Text, e.Addressed = chat.Command, "", chat.ByCommand
		e.Command = &chat.CommandCall{Name: call.Name, Args: call.Args, Shared: shared}
	}
	item.Event = e
	return item
}

// speaker is who said it. Who speaks as a chat (an anonymous administrator, a
// channel) carries no identity of a person and no rights.
func speaker(m *message, me account) chat.Author {
	from := m.From.Or()
	if m.SenderChat.Is != nil || from.ID == groupAnonymousBot || from.ID == 0 {
		sender := m.SenderChat.Or()
		return chat.Author{
			Identity: chat.Identity{Platform: Platform, ID: idString(sender.ID)}, Name: sender.Title, Anonymous: true,
		}
	}
	return author(from, me)
}

// content is the text or the caption, each with its own entities.
func content(m *message) richText {
	if m.Text != "" {
		return newRichText(m.Text, m.Entities.Or())
	}
	return newRichText(m.Caption, m.CaptionEntities.Or())
}

// addressed says in what way a message that is no command is for the bot.
func addressed(m *message, me account) chat.Addressed {
	switch {
	case m.Chat.Type == tele.ChatPrivate:
		return chat.ByDM
	case content(m).mentions(me):
		return chat.ByMention
	case m.ReplyTo.Is != nil && !opensTopic(m.ReplyTo.Is) && m.ReplyTo.Is.From.Or().ID == me.id && me.id != 0:
		return chat.ByReply
	}
	return chat.Ambient
}

// opensTopic reports whether r is the service message that opened a topic:
// everything said in a topic seems to reply to that.
func opensTopic(r *message) bool { return len(r.TopicCreated) > 0 }

func repliesToOtherBot(m *message, me account) bool {
	if m.ReplyTo.Is == nil || opensTopic(m.ReplyTo.Is) {
		return false
	}
	to := m.ReplyTo.Is.From.Or()
	return to.IsBot && to.ID != me.id && to.ID != groupAnonymousBot
}

// quoted is what a message replies to: the part that was picked out, or all.
func quoted(m *message, me account) *chat.Quote {
	r, q := m.ReplyTo.Is, m.Quote.Is
	switch {
	case r != nil && !opensTopic(r):
		quote := source(r, me)
		quote.Text = content(r).write(view{markdown: true})
		if q != nil {
			quote.Text = newRichText(q.Text, q.Entities.Or()).write(view{markdown: true})
		}
		return &quote
	case m.ExternalReply.Is != nil && q != nil:
		quote := originOf(m.ExternalReply.Is.Origin.Or())
		quote.Text = newRichText(q.Text, q.Entities.Or()).write(view{markdown: true})
		return &quote
	}
	return nil
}

// source is a quote's author.
func source(m *message, me account) chat.Quote {
	a := speaker(m, me)
	return chat.Quote{User: a.Identity.ID, Name: a.Name, Own: a.Self}
}

func forwarded(m *message) bool { return m.Origin.Is != nil || m.ForwardDate != 0 }

// forward makes somebody else's words a quote. The forwarder said nothing, so
// neither a mention nor a command in it counts.
func forward(item inbound.Item, e chat.Event, m *message) inbound.Item {
	quote := originOf(origin(m))
	quote.Text = strings.TrimSpace(content(m).write(view{markdown: true}) + described(m))
	e.Quoted, e.Forwarded, e.Origin = &quote, true, chat.External
	e.Addressed = chat.Ambient
	if e.Direct {
		e.Addressed = chat.ByDM
	}
	item.Event = e
	return item
}

// origin is where a forward comes from, in the form of Bot API 7.0.
func origin(m *message) tele.MessageOrigin {
	if m.Origin.Is != nil {
		return *m.Origin.Is
	}
	return tele.MessageOrigin{Sender: m.ForwardFrom.Is, Chat: m.ForwardFromChat.Is, SenderUsername: m.ForwardSenderName}
}

func originOf(o tele.MessageOrigin) chat.Quote {
	switch {
	case o.Sender != nil:
		a := author(*o.Sender, account{})
		return chat.Quote{User: a.Identity.ID, Name: a.Name}
	case o.SenderChat != nil:
		return chat.Quote{User: idString(o.SenderChat.ID), Name: o.SenderChat.Title}
	case o.Chat != nil:
		return chat.Quote{User: idString(o.Chat.ID), Name: o.Chat.Title}
	}
	return chat.Quote{Name: o.SenderUsername}
}

// described puts contents that are neither text nor a file into words.
func described(m *message) string {
	switch {
	case m.Venue.Is != nil:
		v := m.Venue.Is
		return fmt.Sprintf("%s, %s (%v, %v)", v.Title, v.Address, v.Location.Lat, v.Location.Lng)
	case m.Location.Is != nil:
		return fmt.Sprintf("Location: %v, %v", m.Location.Is.Lat, m.Location.Is.Lng)
	case m.Contact.Is != nil:
		c := m.Contact.Is
		return fmt.Sprintf("Contact: %s, %s", strings.TrimSpace(c.FirstName+" "+c.LastName), c.PhoneNumber)
	case m.Poll.Is != nil:
		lines := []string{"Poll: " + m.Poll.Is.Question}
		for _, o := range m.Poll.Is.Options {
			lines = append(lines, "- "+o.Text)
		}
		return strings.Join(lines, "\n")
	case m.Dice.Is != nil:
		return fmt.Sprintf("%s %d", m.Dice.Is.Type, m.Dice.Is.Value)
	case m.Sticker.Is != nil:
		return m.Sticker.Is.Emoji
	}
	return ""
}

// mergeAlbum makes one event of an album's parts. Of several captions each
// carries its part's position; a part that came twice counts once.
func mergeAlbum(parts []chat.Event) chat.Event {
	slices.SortStableFunc(parts, func(a, b chat.Event) int {
		return inbound.CompareIDs(a.Message, b.Message)
	})
	parts = slices.CompactFunc(parts, func(a, b chat.Event) bool { return a.Message == b.Message })
	whole := parts[0]
	whole.Attachments, whole.Keys = nil, parts[0].Keys[:1]
	var said, quotes []string
	for _, p := range parts {
		whole.Attachments = append(whole.Attachments, p.Attachments...)
		whole.Keys = append(whole.Keys, p.Keys[1:]...)
		said = append(said, p.Text)
		if p.Forwarded && p.Quoted != nil {
			quotes = append(quotes, p.Quoted.Text)
		}
		whole = addressedBy(whole, p)
	}
	whole.Text = captions(said)
	if len(quotes) == len(parts) {
		q := *whole.Quoted
		q.Text = captions(quotes)
		whole.Quoted = &q
	}
	return whole
}

// addressedBy lets any one part wake the bot or be the command.
func addressedBy(whole, part chat.Event) chat.Event {
	switch {
	case whole.Kind == chat.Command:
	case part.Kind == chat.Command:
		whole.Kind, whole.Command, whole.Addressed = part.Kind, part.Command, part.Addressed
	case whole.Addressed == chat.Ambient:
		whole.Addressed = part.Addressed
	}
	return whole
}

// captions joins the captions of an album; a single one stands for all.
func captions(all []string) string {
	var lines []string
	for i, c := range all {
		if c != "" {
			lines = append(lines, fmt.Sprintf("[%d] %s", i+1, c))
		}
	}
	if len(lines) == 1 {
		return strings.Join(all, "")
	}
	return strings.Join(lines, "\n")
}
