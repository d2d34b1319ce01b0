package slack

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"talaria/adapters/fake/sim"
)

// Person is an account in the workspace, or a guest of it.
type Person struct {
	ID, Name   string
	Bot        bool
	Restricted bool   // a guest of some channels
	Home       string // the workspace, where it is another one (Slack Connect)
	Locale     string // such as "zh-CN"; empty: "en-US"
}

// channel is a channel or a direct conversation.
type channel struct {
	id       string
	members  map[string]bool
	private  bool
	archived bool
	messages []*Message
	byTS     map[string]*Message
	pace     sim.Bucket
}

// Message is one message with all its versions.
type Message struct {
	Channel, TS string
	Thread      string // ts of the root; empty on the top level
	User        string
	Text        string
	Blocks      json.RawMessage
	Metadata    json.RawMessage
	Files       []string
	Viewer      string // the only person who sees it
	Deleted     bool
	History     []string // texts before the present one
	At          time.Time
	Streaming   bool   // it is an open stream
	Recipient   string // who sees it grow, where it is or was a stream in a channel
	Opening     bool   // it is the root of an assistant thread
	latest      string // ts of the newest reply to it
}

// Status is a status shown in an assistant thread.
type Status struct{ Channel, Thread, Text string }

// People makes accounts.
func (s *Server) People(people ...Person) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range people {
		s.people[p.ID] = &p
	}
}

// Channel makes a channel that the bot is in, with the people who are.
func (s *Server) Channel(id string, members ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.channel(id, append(members, BotUser)...)
}

// Private makes a private channel that the bot is in, with the people who are.
func (s *Server) Private(id string, members ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.channel(id, append(members, BotUser)...).private = true
}

// Direct returns the direct conversation of the bot and a person.
func (s *Server) Direct(person string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.direct(person).id
}

// Between returns the direct conversation of two people, which the bot is no
// part of. Its slash command can be used there all the same.
func (s *Server) Between(one, other string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.channel("D"+one+other, one, other).id
}

// Leave takes somebody, or the bot, out of a channel.
func (s *Server) Leave(id, member string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.channels[id].members, member)
}

func (s *Server) direct(person string) *channel {
	return s.channel("D"+strings.TrimLeft(person, "UW"), person, BotUser)
}

func (s *Server) channel(id string, members ...string) *channel {
	c := s.channels[id]
	if c == nil {
		c = &channel{id: id, members: map[string]bool{}, byTS: map[string]*Message{}}
		s.channels[id] = c
	}
	for _, m := range members {
		c.members[m] = true
		if s.people[m] == nil {
			s.people[m] = &Person{ID: m, Name: "person " + m}
		}
	}
	return c
}

// find returns the message that is there.
func (c *channel) find(ts string) *Message {
	m := c.byTS[ts]
	if m == nil || m.Deleted || m.Viewer != "" {
		return nil
	}
	return m
}

// tick returns the next ts: seconds and six digits, unique and rising.
func (s *Server) tick() (string, time.Time) {
	now := time.Now().UTC().Truncate(time.Microsecond)
	if !now.After(s.clock) {
		now = s.clock.Add(time.Microsecond)
	}
	s.clock = now
	return fmt.Sprintf("%d.%06d", now.Unix(), now.Nanosecond()/1000), now
}

func (s *Server) next(prefix string) string {
	s.serial++
	return fmt.Sprintf("%s%08d", prefix, s.serial)
}

// add puts a message into a channel.
func (s *Server) add(c *channel, m *Message) *Message {
	m.Channel = c.id
	m.TS, m.At = s.tick()
	c.messages = append(c.messages, m)
	c.byTS[m.TS] = m
	if root := c.byTS[m.Thread]; root != nil {
		root.latest = m.TS
	}
	if m.User == BotUser && !m.Opening {
		s.opts.Shown(m.clone())
	}
	return m
}

func (m *Message) clone() Message {
	copied := *m
	copied.History, copied.Files = slices.Clone(m.History), slices.Clone(m.Files)
	return copied
}

// wire is a message as Slack writes it.
func (s *Server) wire(m *Message) map[string]any {
	w := map[string]any{"type": "message", "user": m.User, "text": m.Text, "ts": m.TS, "team": Team}
	if m.Thread != "" {
		w["thread_ts"] = m.Thread
		if root := s.channels[m.Channel].find(m.Thread); root != nil {
			w["parent_user_id"] = root.User
		}
	}
	if m.latest != "" {
		w["thread_ts"], w["latest_reply"] = m.TS, m.latest
	}
	if m.User == BotUser {
		w["bot_id"], w["app_id"] = Bot, App
	}
	if p := s.people[m.User]; p != nil && p.Home != "" {
		w["team"], w["user_team"] = p.Home, p.Home
	}
	if len(m.Blocks) > 0 {
		w["blocks"] = m.Blocks
	}
	if m.Opening {
		w["subtype"] = "assistant_app_thread"
	}
	if len(m.Files) > 0 {
		w["subtype"] = "file_share"
		var files []any
		for _, id := range m.Files {
			files = append(files, s.files[id].wire(s))
		}
		w["files"] = files
	}
	return w
}
