package discord

import (
	"encoding/json"
	"strings"

	"talaria/adapters/inbound"
	"talaria/core/chat"
)

// words are what a message says, the bot's own mention left out.
type words struct {
	text      string
	mentioned bool
}

// conversation makes the event of something that somebody said.
func (s scene) conversation(m *message) inbound.Item {
	e := s.place(m.Guild, m.Channel, m.ChannelType)
	e.Kind, e.At, e.Message = chat.Message, instant(m.At.Or()), m.ID.String()
	e.Author = s.author(m.Author.Or(), m.Member.Or())
	e.Author.Bot = e.Author.Bot || m.Webhook != ""
	e.Attachments, e.Origin = m.attach(), chat.Member
	w := s.words(m)
	e.Text, e.Edited = w.text, m.wasEdited()
	e.Addressed = s.addressed(m, w)
	if quote := s.forwarded(m); quote != nil {
		e.Quoted, e.Forwarded, e.Origin = quote, true, chat.External
		return inbound.Item{Event: e}
	}
	e.Quoted = s.quoted(m)
	if m.Type.Or() == replyToMessage {
		e.ReplyTo = m.Reference.Or().Message.String()
	}
	item := inbound.Item{ToOtherBot: s.repliesToOtherBot(m) && !w.mentioned}
	if call, ok := inbound.ParseCommand(w.text); ok && call.Suffix == "" && e.Addressed != chat.Ambient && !e.Author.Bot && !e.Edited {
		e.Kind, e.Text, e.Addressed = chat.Command, "", chat.ByCommand
		e.Command = &chat.CommandCall{Name: call.Name, Args: call.Args}
	}
	item.Event = e
	return item
}

// words reads the text and, of a bot that puts its words elsewhere, the rich
// parts. Previews of links are left out: they are the words of whoever owns
// the page.
func (s scene) words(m *message) words {
	r := s.reader(&m.content)
	r.me, r.role, r.strip = s.me, s.role(m.Guild.String()), true
	text := r.read(m.Text.Or())
	if text == "" || m.Author.Or().Bot.Or() || m.Webhook != "" {
		text = join(text, r.read(m.below()))
	}
	return words{join(text, m.described()), r.mentioned}
}

func join(a, b string) string { return strings.TrimSpace(a + "\n" + b) }

func (s scene) reader(c *content) *reader {
	r := &reader{users: map[string]string{}, channels: func(id string) string {
		for _, there := range c.Channels.Or() {
			if there.ID.String() == id && there.Name.Or() != "" {
				return there.Name.Or()
			}
		}
		known, _ := s.channel(id)
		return known.Name.Or()
	}}
	for _, m := range token.FindAllStringSubmatch(c.Text.Or(), -1) {
		if id := m[userGroup]; id != "" {
			r.users[id] = s.user(id)
		}
	}
	for _, u := range c.Mentions.Or() {
		name := u.Member.Or().Nick.Or()
		if name == "" {
			name = u.name()
		}
		if r.users[u.ID.String()] == "" {
			r.users[u.ID.String()] = name
		}
	}
	return r
}

// addressed says in what way a message that is no command is for the bot. Of
// another bot only a mention in the text counts: by default a reply mentions
// whom it answers, and two bots would never stop.
func (s scene) addressed(m *message, w words) chat.Addressed {
	place := s.place(m.Guild, m.Channel, m.ChannelType)
	bot := m.Author.Or().Bot.Or() || m.Webhook != ""
	switch {
	case place.Direct:
		return chat.ByDM
	case w.mentioned:
		return chat.ByMention
	case bot:
		return chat.Ambient
	case s.repliesToMe(m):
		return chat.ByReply
	case place.Address.Thread != "" && s.owns(m.Channel) && !s.repliesToOtherBot(m):
		return chat.ByThread
	}
	return chat.Ambient
}

// owns reports whether the bot opened the thread.
func (s scene) owns(thread snowflake) bool {
	facts, known := s.channel(thread.String())
	return known && s.me != "" && facts.Owner.String() == s.me
}

// repliesToMe also holds where the answered message isn't told or is gone: the
// reply then still pings its author.
func (s scene) repliesToMe(m *message) bool {
	if m.Type.Or() != replyToMessage || s.me == "" {
		return false
	}
	if r := m.Referenced.Is; r != nil {
		return r.Author.Or().ID.String() == s.me
	}
	for _, u := range m.Mentions.Or() {
		if u.ID.String() == s.me {
			return true
		}
	}
	return false
}

func (s scene) repliesToOtherBot(m *message) bool {
	r := m.Referenced.Is
	if m.Type.Or() != replyToMessage || r == nil {
		return false
	}
	to := r.Author.Or()
	return (to.Bot.Or() || r.Webhook != "") && to.ID.String() != s.me
}

// quoted is the message that m replies to, nil where it isn't told.
func (s scene) quoted(m *message) *chat.Quote {
	r := m.Referenced.Is
	if r == nil || m.Type.Or() != replyToMessage {
		return nil
	}
	by := r.Author.Or()
	return &chat.Quote{
		User: by.ID.String(), Name: by.name(), Own: s.me != "" && by.ID.String() == s.me, Text: s.told(&r.content),
	}
}

// forwarded is what m forwards. Discord doesn't tell whose it was, and the
// message itself is empty.
func (s scene) forwarded(m *message) *chat.Quote {
	if m.Reference.Or().Type.Or() != forwarding && len(m.Snapshots.Or()) == 0 {
		return nil
	}
	q := &chat.Quote{}
	for _, snap := range m.Snapshots.Or() {
		original := snap.Message.Or()
		q.Text = join(q.Text, s.told(&original))
	}
	return q
}

// told is somebody else's text: a mention or a command in it counts for
// nothing.
func (s scene) told(c *content) string {
	r := s.reader(c)
	return join(join(r.read(c.Text.Or()), r.read(c.below())), c.described())
}

// below reads what a bot put into embeds and components.
func (c *content) below() string {
	var lines []string
	for _, e := range c.Embeds.Or() {
		if e.Type.Or() != "rich" && e.Type.Is != nil {
			continue
		}
		lines = append(lines, e.Title.Or(), e.Description.Or())
		for _, f := range e.Fields.Or() {
			lines = append(lines, strings.Trim(f.Name.Or()+": "+f.Value.Or(), ": "))
		}
	}
	lines = append(lines, displayed(c.Components.Or())...)
	return strings.TrimSpace(strings.Join(nonEmpty(lines), "\n"))
}

// textDisplay is the component that holds text
// (discord.com/developers/docs/components/reference#text-display).
const textDisplay = 10

// displayed finds the texts among components, whatever they are nested in.
func displayed(raw json.RawMessage) []string {
	var lines []string
	walk(raw, func(part map[string]json.RawMessage) {
		var kind int
		var text string
		if json.Unmarshal(part["type"], &kind) == nil && kind == textDisplay && json.Unmarshal(part["content"], &text) == nil {
			lines = append(lines, text)
		}
	})
	return lines
}

// walk visits every object in raw, outer ones first. encoding/json bounds how
// deep they nest.
func walk(raw json.RawMessage, visit func(map[string]json.RawMessage)) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil {
		for _, part := range list {
			walk(part, visit)
		}
		return
	}
	var part map[string]json.RawMessage
	if json.Unmarshal(raw, &part) != nil || part == nil {
		return
	}
	visit(part)
	for _, name := range []string{"components", "component", "accessory", "items"} {
		if inner := part[name]; inner != nil {
			walk(inner, visit)
		}
	}
}

// described puts into words what is no text: stickers and polls.
func (c *content) described() string {
	var lines []string
	for _, st := range c.Stickers.Or() {
		lines = append(lines, "[sticker: "+st.Name.Or()+"]")
	}
	if p := c.Poll.Is; p != nil {
		lines = append(lines, "[poll: "+p.Question.Or().Text.Or()+"]")
		for _, a := range p.Answers.Or() {
			lines = append(lines, "- "+a.Media.Or().Text.Or())
		}
	}
	return strings.Join(lines, "\n")
}

func nonEmpty(lines []string) []string {
	var kept []string
	for _, l := range lines {
		if strings.TrimSpace(l) != "" {
			kept = append(kept, l)
		}
	}
	return kept
}
