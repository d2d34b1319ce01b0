package discord

import (
	"slices"
	"time"
)

// Speech is something that a person says.
type Speech struct {
	User, Channel string
	Text          string
	ReplyTo       string
	File          *File
	Extra         map[string]any // laid over the message as it is told
}

// Say has a person say something, and returns the message's id.
func (s *Server) Say(user, channel, text string) string {
	return s.Speak(Speech{User: user, Channel: channel, Text: text})
}

// Speak has a person say something, and returns the message's id.
func (s *Server) Speak(sp Speech) string {
	s.mu.Lock()
	defer s.Raise()
	defer s.mu.Unlock()
	p, now := s.channels[sp.Channel], time.Now()
	m := &Message{
		Channel: p.id, ID: s.id(), User: sp.User, ReplyTo: sp.ReplyTo, Text: sp.Text, File: sp.File, At: now,
		History: []Version{{sp.Text, now}},
	}
	if m.File != nil {
		m.fileID = s.id()
	}
	p.messages = append(p.messages, m)
	w := s.wire(p, m, true)
	for name, value := range sp.Extra {
		w[name] = value
	}
	s.dispatch("MESSAGE_CREATE", w)
	return m.ID
}

// Rewrite has a person edit what they said.
func (s *Server) Rewrite(channel, message, text string) {
	s.mu.Lock()
	defer s.Raise()
	defer s.mu.Unlock()
	p := s.channels[channel]
	m := p.message(message)
	m.Text = text
	m.History = append(m.History, Version{text, time.Now()})
	s.dispatch("MESSAGE_UPDATE", s.wire(p, m, true))
}

// Remove has a person delete a message.
func (s *Server) Remove(channel, message string) {
	s.mu.Lock()
	defer s.Raise()
	defer s.mu.Unlock()
	p := s.channels[channel]
	s.remove(p, p.message(message))
}

// Press has a person press the button with an id, and returns the token of
// the interaction.
func (s *Server) Press(user, channel, message, customID string) string {
	s.mu.Lock()
	defer s.Raise()
	defer s.mu.Unlock()
	p := s.channels[channel]
	card := p.message(message)
	return s.interact(user, p, card, map[string]any{
		"type": 3, "message": s.wire(p, card, false), "data": map[string]any{"custom_id": customID, "component_type": 2},
	})
}

// Choose has a person choose one option of a select, and returns the token of
// the interaction.
func (s *Server) Choose(user, channel, message, customID, value string) string {
	s.mu.Lock()
	defer s.Raise()
	defer s.mu.Unlock()
	p := s.channels[channel]
	card := p.message(message)
	return s.interact(user, p, card, map[string]any{
		"type": 3, "message": s.wire(p, card, false),
		"data": map[string]any{"custom_id": customID, "component_type": selectType, "values": []string{value}},
	})
}

// Command has a person give a command with options, and returns the token of
// the interaction.
func (s *Server) Command(user, channel, name string, options ...map[string]any) string {
	s.mu.Lock()
	defer s.Raise()
	defer s.mu.Unlock()
	return s.interact(user, s.channels[channel], nil, map[string]any{
		"type": 2, "data": map[string]any{"id": s.id(), "name": name, "type": 1, "options": options},
	})
}

// usual are the permissions of a server's members where nobody changed them:
// to see a channel, write and react there, and read what was before
// (https://docs.discord.com/developers/topics/permissions).
const usual = "68672" // 1<<6 | 1<<10 | 1<<11 | 1<<16

// Interact has a person do what data says, and returns the token of the
// interaction.
func (s *Server) Interact(user, channel string, data map[string]any) string {
	s.mu.Lock()
	defer s.Raise()
	defer s.mu.Unlock()
	return s.interact(user, s.channels[channel], nil, data)
}

func (s *Server) interact(user string, p *place, card *Message, data map[string]any) string {
	i := &interaction{id: s.id(), place: p, user: user, at: time.Now(), original: card, card: card != nil, submits: data["type"] == submitted,
		asks: data["type"] == autocompleteType}
	i.token = "interaction-token-" + i.id
	s.interactions[i.token] = i
	w := map[string]any{ // https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object
		"id": i.id, "application_id": BotID, "token": i.token, "channel_id": p.id, "channel": p.wire(), "version": 1, "locale": "en-US",
		"entitlements": []any{}, "app_permissions": usual,
	}
	const guildInstall, inGuild, inDirect = "0", 0, 1
	if p.guild != "" {
		w["guild_id"], w["member"] = p.guild, map[string]any{"user": person(user), "roles": []any{}, "permissions": usual}
		w["context"], w["authorizing_integration_owners"] = inGuild, map[string]any{guildInstall: p.guild}
	} else {
		w["user"] = person(user)
		w["context"], w["authorizing_integration_owners"] = inDirect, map[string]any{guildInstall: "0"}
	}
	for name, value := range data {
		w[name] = value
	}
	s.dispatch("INTERACTION_CREATE", w)
	return i.token
}

// Answered reports whether an interaction got its first response in time.
func (s *Server) Answered(token string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.interactions[token]
	return i != nil && !i.answered.IsZero()
}

// Dispatch tells all sessions of something.
func (s *Server) Dispatch(kind string, data any) {
	s.mu.Lock()
	defer s.Raise()
	defer s.mu.Unlock()
	s.dispatch(kind, data)
}

// Typing is how often typing was shown in a channel.
func (s *Server) Typing(channel string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.channels[channel].typing
}

// Commands are the names of the registered commands, in order.
func (s *Server) Commands() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := namesOf(s.commands)
	slices.Sort(names)
	return names
}
