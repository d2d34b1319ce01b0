package slack

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Refusal is a call that was refused.
type Refusal struct {
	Method, Channel, Error string
	At                     time.Time
}

// truth is the log of calls. The server's lock guards it.
type truth struct {
	calls    map[string]int
	refusals []Refusal
	breaches []string
	waits    int
	opened   int
	most     int // sockets open at once
}

func (t *truth) note(c *call, r reply) {
	t.calls[c.method]++
	if r.refused != "" {
		t.refusals = append(t.refusals, Refusal{c.method, c.params["channel"], r.refused, time.Now()})
	}
}

func (t *truth) breach(what string) { t.breaches = append(t.breaches, what) }

// Breaches are the calls that Slack would take but that must not be made.
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

// Calls is how often a method was called.
func (s *Server) Calls(method string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.truth.calls[method]
}

// Waits is how many calls were refused with 429.
func (s *Server) Waits() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.truth.waits
}

// Sockets are how many sockets are open, were opened, and were open at once.
func (s *Server) Sockets() (open, opened, most int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.sockets), s.truth.opened, s.truth.most
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
type Tally struct {
	Said       int       // messages of people
	Answered   int       // of these, with exactly one answer
	Lost       []Message // without an answer
	Doubled    []Message // with more than one
	Disordered []Message // answers before an answer to something said earlier in the channel
	Strays     []Message // the bot's messages that answer nothing
}

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
		t.count(s.Messages(id), answers)
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

// count adds one channel.
func (t *Tally) count(messages []Message, answers func(Message) string) {
	finals := map[string]int{}
	latest := ""
	for _, m := range messages {
		if m.User != BotUser {
			continue
		}
		to := answers(m)
		switch {
		case to == "":
			t.Strays = append(t.Strays, m)
			continue
		case to < latest && finals[to] == 0:
			t.Disordered = append(t.Disordered, m)
		}
		finals[to]++
		latest = max(latest, to)
	}
	for _, m := range messages {
		if m.User == BotUser {
			continue
		}
		t.Said++
		switch finals[m.TS] {
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
