package telegram

import (
	"cmp"
	"slices"
	"time"

	"talaria/adapters/fake/sim"
)

// Refusal is a call that was refused.
type Refusal struct {
	Method      string
	Chat        int64
	Code        int
	Description string
	At          time.Time
}

// Waits is how many calls were refused with 429; Premature how many came
// before the wait that an earlier refusal named was over.
func (s *Server) Waits() (waits, premature int64) {
	return s.flood.waits.Load(), s.flood.premature.Load()
}

// Conflicts is how many polls were ended by another.
func (s *Server) Conflicts() int64 { return s.updates.conflicts.Load() }

// Update tells of one update.
func (s *Server) Update(id int64) Inbound {
	s.updates.mu.Lock()
	defer s.updates.mu.Unlock()
	return *s.updates.log[id-firstUpdate]
}

// Updates tells of all updates, in order.
func (s *Server) Updates() []Inbound {
	s.updates.mu.Lock()
	defer s.updates.mu.Unlock()
	all := make([]Inbound, len(s.updates.log))
	for i, in := range s.updates.log {
		all[i] = *in
	}
	return all
}

// Unconfirmed is how many updates would still be given out.
func (s *Server) Unconfirmed() int {
	s.updates.mu.Lock()
	defer s.updates.mu.Unlock()
	return len(s.updates.queue)
}

// Messages are the messages of a chat that are there, in order; see
// Message.User for who wrote them.
func (s *Server) Messages(chat int64) []Message {
	p := s.places.find(chat)
	if p == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
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

// Sent are the bot's messages of a chat, in order, placeholders included.
func (s *Server) Sent(chat int64) []Message {
	return slices.DeleteFunc(s.Messages(chat), func(m Message) bool { return m.User != BotID })
}

// Tally relates what people said to what the bot answered.
type Tally struct {
	sim.Tally[Message]
	Orphans []Message // the bot's messages that still are placeholders
}

// Tally counts all chats. answers names the message of the chat that one of
// the bot's answers, zero for none; nil takes what it replies to.
func (s *Server) Tally(answers func(Message) int64) Tally {
	if answers == nil {
		answers = func(m Message) int64 { return m.ReplyTo }
	}
	var t Tally
	chats := s.places.list()
	slices.SortFunc(chats, func(a, b *place) int { return cmp.Compare(a.id, b.id) })
	for _, p := range chats {
		t.count(s.Messages(p.id), answers, s.opts.Placeholder)
	}
	return t
}

// count adds one chat.
func (t *Tally) count(messages []Message, answers func(Message) int64, placeholder string) {
	own := func(m Message) bool { return m.User == BotID }
	var said []Message
	for _, m := range messages {
		if own(m) && m.Text == placeholder {
			t.Orphans = append(t.Orphans, m)
			continue
		}
		said = append(said, m)
	}
	sim.Count(&t.Tally, said, sim.Reading[Message, int64]{
		Own: own, ID: func(m Message) int64 { return m.ID },
		Answers: answers, Before: func(a, b int64) bool { return a < b },
	})
}
