package telegram

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Refusal is a call that was refused.
type Refusal struct {
	Method      string
	Chat        int64
	Code        int
	Description string
	At          time.Time
}

// truth is the log of calls.
type truth struct {
	mu       sync.Mutex
	refusals []Refusal
	breaches []string
	calls    sync.Map // method -> *atomic.Int64
}

func (t *truth) called(method string) {
	n, there := t.calls.Load(method)
	if !there {
		n, _ = t.calls.LoadOrStore(method, new(atomic.Int64))
	}
	n.(*atomic.Int64).Add(1)
}

func (t *truth) refused(c *call, r reply) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.refusals = append(t.refusals, Refusal{c.method, int64(c.params.Chat), r.code, r.description, time.Now()})
}

func (t *truth) breach(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.breaches = append(t.breaches, what)
}

// Breaches are the calls that Telegram would take but that must not be made.
func (s *Server) Breaches() []string {
	s.truth.mu.Lock()
	defer s.truth.mu.Unlock()
	return slices.Clone(s.truth.breaches)
}

// Refusals are the calls that were refused, in order.
func (s *Server) Refusals() []Refusal {
	s.truth.mu.Lock()
	defer s.truth.mu.Unlock()
	return slices.Clone(s.truth.refusals)
}

// Calls is how often a method was called.
func (s *Server) Calls(method string) int64 {
	n, there := s.truth.calls.Load(method)
	if !there {
		return 0
	}
	return n.(*atomic.Int64).Load()
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

// Answered reports whether a press was answered.
func (s *Server) Answered(query string) bool {
	answered, known := s.presses.Load(query)
	return known && answered.(bool)
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
	Said       int       // messages of people
	Answered   int       // of these, with exactly one final answer
	Lost       []Message // without an answer
	Doubled    []Message // with more than one
	Orphans    []Message // the bot's messages that still are placeholders
	Disordered []Message // answers before an answer to something said earlier in the chat
	Strays     []Message // the bot's messages that answer nothing
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
	finals := map[int64]int{}
	var latest int64
	for _, m := range messages {
		if m.User != BotID {
			continue
		}
		to := answers(m)
		switch {
		case m.Text == placeholder:
			t.Orphans = append(t.Orphans, m)
			continue
		case to == 0:
			t.Strays = append(t.Strays, m)
			continue
		case to < latest && finals[to] == 0:
			t.Disordered = append(t.Disordered, m)
		}
		finals[to]++
		latest = max(latest, to)
	}
	for _, m := range messages {
		if m.User == BotID {
			continue
		}
		t.Said++
		switch finals[m.ID] {
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
	s.changed.waiting.Add(1)
	defer s.changed.waiting.Add(-1)
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

// signal tells whoever waits that something has changed. It costs next to
// nothing while nobody does.
type signal struct {
	waiting atomic.Int32
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
	if s.waiting.Load() == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.changed != nil {
		close(s.changed)
		s.changed = nil
	}
}
