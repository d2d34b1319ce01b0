package discord

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// nonce is a message made with a nonce that is enforced.
type nonce struct {
	message *Message
	at      time.Time
}

// createMessage takes a message
// (discord.com/developers/docs/resources/message#create-message).
func (s *Server) createMessage(c *call) reply {
	p := s.channels[c.channel]
	if p == nil {
		return noChannel()
	}
	if p.barred {
		return refuse(http.StatusForbidden, 50001, "Missing Access")
	}
	if bad := c.body.check(); bad != nil {
		return *bad
	}
	if len(c.body.Nonce) > 25 {
		return invalidForm("nonce")
	}
	key := p.id + " " + c.body.Nonce
	if n, there := s.nonces[key]; there && c.body.Enforce && c.body.Nonce != "" && time.Since(n.at) < s.opts.NonceLife {
		s.repeated++
		return ok(s.wire(p, n.message, true))
	}
	m := s.newMessage(c)
	if r := c.body.Reference; r != nil {
		switch {
		case p.message(r.Message) != nil:
			m.ReplyTo = r.Message
		case r.Fail == nil || *r.Fail:
			return invalidForm("message_reference: Unknown message")
		}
	}
	s.quiet(c)
	s.show(p, m)
	if c.body.Nonce != "" && c.body.Enforce {
		s.nonces[key] = nonce{m, m.At}
	}
	s.dispatch("MESSAGE_CREATE", s.wire(p, m, true))
	return ok(s.wire(p, m, true))
}

// newMessage makes a message of the bot's. The lock is held.
func (s *Server) newMessage(c *call) *Message {
	now := time.Now()
	m := &Message{ID: s.id(), User: BotID, Flags: c.body.Flags, Nonce: c.body.Nonce, At: now, File: c.body.file}
	if m.File != nil {
		m.fileID = s.id()
	}
	m.put(&c.body, now)
	return m
}

// put sets what an edit can set.
func (m *Message) put(b *body, now time.Time) {
	if b.Content != nil {
		m.Text = strings.TrimSpace(*b.Content)
	}
	if b.Components != nil {
		m.Buttons = nil
		for _, r := range *b.Components {
			m.Buttons = append(m.Buttons, r.Buttons...)
		}
	}
	m.History = append(m.History, Version{m.Text, now})
}

// show adds a message of the bot's to a channel. The lock is held.
func (s *Server) show(p *place, m *Message) {
	m.Channel = p.id
	p.messages = append(p.messages, m)
	s.opts.Shown(*m)
}

// maxFile is the largest file that a bot may send to a server without boosts
// (discord.com/developers/docs/reference#uploading-files).
const maxFile = 10 << 20

// check is what Discord refuses of a message.
func (b *body) check() *reply {
	text := ""
	if b.Content != nil {
		text = *b.Content
	}
	if b.file != nil && len(b.file.Data) > maxFile {
		r := refuse(http.StatusRequestEntityTooLarge, 40005, "Request entity too large")
		return &r
	}
	bad := invalidForm
	var why string
	switch {
	case length(text) > 2000:
		why = "content: Must be 2000 or fewer in length."
	case strings.TrimSpace(text) == "" && b.file == nil:
		r := refuse(http.StatusBadRequest, 50006, "Cannot send an empty message")
		return &r
	case b.Components != nil:
		why = checkRows(*b.Components)
	}
	if why == "" {
		return nil
	}
	r := bad(why)
	return &r
}

func checkRows(rows []row) string {
	if len(rows) > 5 {
		return "components: at most 5"
	}
	ids := map[string]bool{}
	for _, r := range rows {
		if r.Type != 1 || len(r.Buttons) < 1 || len(r.Buttons) > 5 {
			return "components: 1 to 5 in a row"
		}
		for _, b := range r.Buttons {
			if b.Type == selectType {
				if why := checkSelect(b, len(r.Buttons)); why != "" || ids[b.CustomID] {
					return "components: select " + b.CustomID + why
				}
				ids[b.CustomID] = true
				continue
			}
			// Links and what is bought (styles 5 and 6) carry no id.
			if b.Type != 2 || b.Style < 1 || b.Style > 4 || length(b.CustomID) < 1 || length(b.CustomID) > 100 || ids[b.CustomID] ||
				b.Label == "" || length(b.Label) > 80 {
				return "components: button " + b.CustomID
			}
			ids[b.CustomID] = true
		}
	}
	return ""
}

// selectType is a string select: alone in its row, with 1 to 25 options
// (discord.com/developers/docs/components/reference#string-select).
const selectType = 3

func checkSelect(b Button, inRow int) string {
	if inRow != 1 || length(b.CustomID) < 1 || length(b.CustomID) > 100 || len(b.Options) < 1 || len(b.Options) > 25 || length(b.Placeholder) > 150 {
		return ": 1 to 25 options, alone in its row, and a placeholder of at most 150"
	}
	values := map[string]bool{}
	for _, o := range b.Options {
		if o.Label == "" || length(o.Label) > 100 || length(o.Description) > 100 || o.Value == "" || length(o.Value) > 100 || values[o.Value] {
			return ": option " + o.Value
		}
		values[o.Value] = true
	}
	return ""
}

// quiet logs as breaches what Discord takes but a bot like ours must not send.
// The lock is held.
func (s *Server) quiet(c *call) {
	if c.body.Mentions == nil || c.body.Mentions.Parse == nil || len(*c.body.Mentions.Parse) > 0 {
		s.Breach(fmt.Sprintf("%s: mentions are not ruled out", c.op))
	}
	if c.body.Flags&suppressEmbeds == 0 {
		s.Breach(fmt.Sprintf("%s: embeds are not suppressed", c.op))
	}
}

func (s *Server) editMessage(c *call) reply {
	p := s.channels[c.channel]
	if p == nil {
		return noChannel()
	}
	m := p.message(c.PathValue("message"))
	switch {
	case p.barred:
		return refuse(http.StatusForbidden, 50001, "Missing Access")
	case m == nil:
		return noMessage()
	case m.User != BotID:
		return refuse(http.StatusForbidden, 50005, "Cannot edit a message authored by another user")
	}
	if bad := c.body.check(); bad != nil {
		return *bad
	}
	s.quiet(c)
	s.edit(m, c)
	s.dispatch("MESSAGE_UPDATE", s.wire(p, m, true))
	return ok(s.wire(p, m, true))
}

// edit puts the call's content into a message of the bot's. The lock is held.
func (s *Server) edit(m *Message, c *call) {
	m.put(&c.body, time.Now())
	m.Flags &^= loading
	s.opts.Shown(*m)
}

func (s *Server) deleteMessage(c *call) reply {
	p := s.channels[c.channel]
	if p == nil {
		return noChannel()
	}
	m := p.message(c.PathValue("message"))
	if m == nil {
		return noMessage()
	}
	s.remove(p, m)
	return reply{}
}

func (s *Server) remove(p *place, m *Message) {
	m.Deleted = true
	w := map[string]any{"id": m.ID, "channel_id": p.id}
	if p.guild != "" {
		w["guild_id"] = p.guild
	}
	s.dispatch("MESSAGE_DELETE", w)
}

// Messages are the messages of a channel that are there, in order; see
// Message.User for who wrote them.
func (s *Server) Messages(channel string) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.channels[channel]
	if p == nil {
		return nil
	}
	var all []Message
	for _, m := range p.messages {
		if !m.Deleted {
			copied := *m
			copied.History = slices.Clone(m.History)
			all = append(all, copied)
		}
	}
	return all
}

// Sent are the bot's messages of a channel, in order, private ones included.
func (s *Server) Sent(channel string) []Message {
	return slices.DeleteFunc(s.Messages(channel), func(m Message) bool { return m.User != BotID })
}
