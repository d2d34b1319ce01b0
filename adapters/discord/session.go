package discord

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"

	"talaria/adapters/inbound"
	"talaria/core/chat"
)

// recentChannels bounds the channels whose last message is remembered.
const recentChannels = 256

// state is what another replica needs to go on: the checkpoint's content.
type state struct {
	Session  string          `json:"session,omitempty"`
	Resume   string          `json:"resume,omitempty"` // address to resume at
	Seq      int64           `json:"seq,omitempty"`    // everything up to it is kept
	Channels map[string]seen `json:"channels,omitempty"`
	// Behind are channels in which messages may have been missed between two
	// sessions, and that have not been read since.
	Behind map[string]seen `json:"behind,omitempty"`
}

// seen is how far a channel was read.
type seen struct {
	Guild string `json:"guild,omitempty"`
	Last  string `json:"last"`
}

// session is the gateway session: which it is, and how far its dispatches are
// kept. A dispatch is settled once its event is kept; what is told to the
// gateway is the highest number below which all are.
type session struct {
	store chat.Checkpoint // nil: nothing outlives the process
	begun chan struct{}   // gets a value when a new session has begun; nil: nobody waits for it

	mu      sync.Mutex
	state   state
	last    int64 // highest number taken
	open    map[int64]bool
	changed bool
}

// load reads what an earlier run has saved.
func (s *session) load(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open = map[int64]bool{}
	if s.store != nil {
		data, err := s.store.Load(ctx)
		if err != nil {
			return fmt.Errorf("load gateway session: %w", err)
		}
		s.state = state{}
		if data != nil {
			// What can't be read is as good as none: a new session and nothing fetched.
			_ = json.Unmarshal(data, &s.state)
		}
	}
	if s.state.Channels == nil {
		s.state.Channels = map[string]seen{}
	}
	if s.state.Behind == nil {
		s.state.Behind = map[string]seen{}
	}
	s.last = s.state.Seq
	return nil
}

// save writes the state if it has changed.
func (s *session) save(ctx context.Context) error {
	s.mu.Lock()
	if s.store == nil || !s.changed {
		s.mu.Unlock()
		return nil
	}
	s.changed = false
	data, err := json.Marshal(s.state)
	s.mu.Unlock()
	if err == nil {
		err = s.store.Save(ctx, data)
	}
	if err != nil {
		s.mu.Lock()
		s.changed = true
		s.mu.Unlock()
		return fmt.Errorf("save gateway session: %w", err)
	}
	return nil
}

// resumable returns what is needed to resume, false if there is no session.
func (s *session) resumable() (state, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state, s.state.Session != ""
}

// begin notes a new session. Between the last one and this, messages may have
// been missed everywhere.
func (s *session) begin(id, resume string, seq int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.Session, s.state.Resume = id, resume
	s.state.Seq, s.last, s.open = seq, seq, map[int64]bool{}
	s.changed = true
	for channel, was := range s.state.Channels {
		if _, already := s.state.Behind[channel]; !already {
			s.state.Behind[channel] = was
		}
	}
	select {
	case s.begun <- struct{}{}:
	default: // nobody waits, or it is known
	}
}

// behind are the channels in which messages may have been missed.
func (s *session) behind() map[string]seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.state.Behind)
}

// caughtUp says that a channel was read since.
func (s *session) caughtUp(channel string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.state.Behind, channel)
	s.changed = true
}

// drop forgets a session that can't be resumed.
func (s *session) drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.Session, s.state.Resume, s.state.Seq = "", "", 0
	s.last, s.open, s.changed = 0, map[int64]bool{}, true
}

// take opens a dispatch. It reports false for one that was taken before: after
// a resume the gateway repeats what was not confirmed.
func (s *session) take(seq int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if seq <= s.last {
		return false
	}
	s.last = seq
	s.open[seq] = true
	return true
}

// waiting is how many dispatches were taken and are not yet kept.
func (s *session) waiting() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open)
}

// settle marks a dispatch of the session with the id as kept.
func (s *session) settle(id string, seq int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id != s.state.Session {
		return
	}
	delete(s.open, seq)
	s.state.Seq = s.last
	for o := range s.open {
		s.state.Seq = min(s.state.Seq, o-1)
	}
	s.changed = true
}

// kept is the number up to which everything is kept.
func (s *session) kept() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.Seq
}

// read notes that a channel was read up to a message.
func (s *session) read(guild, channel, message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if inbound.CompareIDs(s.state.Channels[channel].Last, message) >= 0 {
		return
	}
	s.remember(channel, seen{guild, message})
}

// hear notes a channel of which nothing was read yet, as read up to what stands
// before a message: if the session is lost while the message is being kept, the
// channel is known, and read from there.
func (s *session) hear(guild, channel, message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.state.Channels[channel]; known {
		return
	}
	if id, err := strconv.ParseUint(message, 10, 64); err == nil && id > 0 {
		s.remember(channel, seen{guild, strconv.FormatUint(id-1, 10)})
	}
}

// remember is called with mu held.
func (s *session) remember(channel string, to seen) {
	s.state.Channels[channel] = to
	s.changed = true
	if len(s.state.Channels) > recentChannels {
		oldest := slices.MinFunc(slices.Collect(maps.Keys(s.state.Channels)), func(a, b string) int {
			return inbound.CompareIDs(s.state.Channels[a].Last, s.state.Channels[b].Last)
		})
		delete(s.state.Channels, oldest)
	}
}
