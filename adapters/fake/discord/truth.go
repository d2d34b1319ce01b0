package discord

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"talaria/adapters/fake/sim"
)

// Refusal is a call that was refused.
type Refusal struct {
	Op, Channel string
	Status      int
	At          time.Time
}

// Repeated is how many messages were recognised by their nonce.
func (s *Server) Repeated() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.repeated
}

// Tally relates what people said to what the bot answered.
type Tally = sim.Tally[Message]

// Tally counts all channels. answers names the message of the channel that one
// of the bot's answers, "" for none; nil takes what it replies to.
func (s *Server) Tally(answers func(Message) string) Tally {
	if answers == nil {
		answers = func(m Message) string { return m.ReplyTo }
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

func reading(answers func(Message) string) sim.Reading[Message, string] {
	return sim.Reading[Message, string]{
		Own:     func(m Message) bool { return m.User == BotID },
		ID:      func(m Message) string { return m.ID },
		Answers: answers, Before: func(a, b string) bool { return older(a, b) < 0 },
	}
}

// namesOf lists the names in a list of commands.
func namesOf(raw json.RawMessage) []string {
	var list []struct {
		Name string `json:"name"`
	}
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name)
	}
	return names
}
