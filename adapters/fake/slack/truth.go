package slack

import (
	"maps"
	"slices"
	"strings"
	"time"

	"talaria/adapters/fake/sim"
)

// Refusal is a call that was refused.
type Refusal struct {
	Method, Channel, Error string
	At                     time.Time
}

// Waits is how many calls were refused with 429.
func (s *Server) Waits() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.waits
}

// Sockets are how many sockets are open, were opened, and were open at once.
func (s *Server) Sockets() (open, opened, most int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.sockets), s.opened, s.most
}

// Deliveries tells of all that was to be delivered, in order.
func (s *Server) Deliveries() []Delivery {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]Delivery, len(s.deliveries))
	for i, d := range s.deliveries {
		all[i] = d.Delivery
	}
	return all
}

// Unacknowledged is how many deliveries would still be offered.
func (s *Server) Unacknowledged() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open
}

// Acknowledged reports whether nothing with this ts, or this trigger, will be
// offered again.
func (s *Server) Acknowledged(id string) bool {
	return !slices.ContainsFunc(s.Deliveries(), func(d Delivery) bool {
		return (d.TS == id && d.Trigger == "" || d.Trigger == id && id != "") && d.Acknowledged.IsZero()
	})
}

// Messages are the messages of a channel that are there, in order, also those
// that only one person sees, but for the roots of assistant threads.
func (s *Server) Messages(id string) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Message
	if ch := s.channels[id]; ch != nil {
		for _, m := range ch.messages {
			if !m.Deleted && !m.Opening {
				all = append(all, m.clone())
			}
		}
	}
	return all
}

// Sent are the bot's messages of a channel, in order.
func (s *Server) Sent(id string) []Message {
	return slices.DeleteFunc(s.Messages(id), func(m Message) bool { return m.User != BotUser })
}

// Statuses are the statuses shown in assistant threads, in order.
func (s *Server) Statuses() []Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.statuses)
}

// Views are the forms that were opened, by id.
func (s *Server) Views() []View {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []View
	for _, id := range slices.Sorted(maps.Keys(s.views)) {
		all = append(all, *s.views[id])
	}
	return all
}

// Tally relates what people said to what the bot answered.
type Tally = sim.Tally[Message]

// Tally counts all channels. answers names the ts that one of the bot's
// messages answers, empty for none; nil takes the one that its metadata holds.
func (s *Server) Tally(answers func(Message) string) Tally {
	if answers == nil {
		answers = s.named
	}
	s.mu.Lock()
	ids := slices.Sorted(maps.Keys(s.channels))
	s.mu.Unlock()
	var t Tally
	for _, id := range ids {
		sim.Count(&t, s.Messages(id), reading(answers))
	}
	return t
}

// named finds the message of a person whose ts stands in m's metadata.
func (s *Server) named(m Message) string {
	if len(m.Metadata) == 0 {
		return ""
	}
	for _, said := range s.Messages(m.Channel) {
		if said.User != BotUser && strings.Contains(string(m.Metadata), said.TS) {
			return said.TS
		}
	}
	return ""
}

func reading(answers func(Message) string) sim.Reading[Message, string] {
	return sim.Reading[Message, string]{
		Own:     func(m Message) bool { return m.User == BotUser },
		ID:      func(m Message) string { return m.TS },
		Answers: answers, Before: func(a, b string) bool { return a < b },
	}
}
