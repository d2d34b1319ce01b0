package discord

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"
)

// Refusal is a call that was refused.
type Refusal struct {
	Op, Channel string
	Status      int
	At          time.Time
}

// truth is the log of calls.
type truth struct {
	refusals []Refusal
	breaches []string
	calls    map[string]int
	repeated int
}

func (s *Server) breach(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.truth.breaches = append(s.truth.breaches, what)
}

// Breaches are the calls that Discord would take but that must not be made.
func (s *Server) Breaches() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.truth.breaches)
}

// Refusals are the calls that were refused, in order.
func (s *Server) Refusals() []Refusal {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.truth.refusals)
}

// Calls is how often a call was made.
func (s *Server) Calls(op string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.truth.calls[op]
}

// Repeated is how many messages were recognised by their nonce.
func (s *Server) Repeated() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.truth.repeated
}

// Tally relates what people said to what the bot answered.
type Tally struct {
	Said       int       // messages of people
	Answered   int       // of these, with exactly one answer
	Lost       []Message // without an answer
	Doubled    []Message // with more than one
	Disordered []Message // answers before an answer to something said earlier in the channel
	Strays     []Message // the bot's messages that answer nothing
}

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
		t.count(s.Messages(id), answers)
	}
	return t
}

// count adds one channel.
func (t *Tally) count(messages []Message, answers func(Message) string) {
	given := map[string]int{}
	latest := ""
	for _, m := range messages {
		if m.User != BotID {
			continue
		}
		to := answers(m)
		switch {
		case to == "":
			t.Strays = append(t.Strays, m)
			continue
		case older(to, latest) < 0 && given[to] == 0:
			t.Disordered = append(t.Disordered, m)
		}
		given[to]++
		if older(latest, to) < 0 {
			latest = to
		}
	}
	for _, m := range messages {
		if m.User == BotID {
			continue
		}
		t.Said++
		switch given[m.ID] {
		case 0:
			t.Lost = append(t.Lost, m)
		case 1:
			t.Answered++
		default:
			t.Doubled = append(t.Doubled, m)
		}
	}
}

// Await returns nil once the condition holds. It looks again whenever
// something has changed, and returns the context's error if it ends first.
func (s *Server) Await(ctx context.Context, condition func() bool) error {
	for {
		changed := s.changed.next()
		if condition() {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// signal tells whoever waits that something has changed.
type signal struct {
	mu      sync.Mutex
	changed chan struct{}
}

func (s *signal) next() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.changed == nil {
		s.changed = make(chan struct{})
	}
	return s.changed
}

func (s *signal) raise() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.changed != nil {
		close(s.changed)
		s.changed = nil
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
