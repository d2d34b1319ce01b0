package lane

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"talaria/core/agent"
	"talaria/core/person"
	"talaria/gateway/inbox"
	"talaria/storage"
)

// Where a session lies in its place's shard.
const (
	sessions = "session" // documents: state
	prefixes = "prefix"  // documents: the frozen prefix, written once a session
)

// state is what a session remembers of itself.
type state struct {
	Generation int       `json:"generation"` // counts resets; part of the transcript's name
	Turns      int       `json:"turns"`      // exchanges of this generation
	At         time.Time `json:"at"`
	// Person is whose session it is; empty where several people share it.
	Person person.ID `json:"person,omitempty"`
}

// Exchange is one finished turn as the transcript keeps it.
type Exchange struct {
	Session  string          `json:"-"` // the session and its generation
	Number   int             `json:"-"` // counts the generation's exchanges from 1
	Turn     string          `json:"turn,omitempty"`
	Who      person.ID       `json:"who,omitempty"` // who asked; empty for what compaction made
	At       time.Time       `json:"at"`
	Message  string          `json:"message,omitempty"` // platform id of the question
	Asked    string          `json:"-"`                 // the author's own words
	Answered string          `json:"-"`                 // the answer alone
	Messages []agent.Message `json:"messages"`          // as the model saw them
}

// session is a session's state and history in memory, while it is in use.
type session struct {
	key     string
	shard   *inbox.Shard
	state   state
	prefix  string
	history []agent.Message
	size    int // bytes of the history, roughly
	// opening is the part of the history that is stored with the first turn: a
	// job's message that the session is a thread of.
	opening []agent.Message
}

func transcript(key string, generation int) string {
	return fmt.Sprintf("transcript/%s/%d", key, generation)
}

// load returns a session, from memory if this replica has used it since it
// got the shard. Where its prefix or transcript is damaged it is what can be
// read: the one is built again, and people would rather say a thing twice than
// get no answer in a conversation ever again.
func (l *Lanes) load(ctx context.Context, s *inbox.Shard, key string) (*session, error) {
	if ses := l.histories.get(s, key); ses != nil {
		return ses, nil
	}
	ses := &session{key: key, shard: s}
	doc, err := storage.Get[state](ctx, l.cfg.Store, s.Partition(), sessions, key)
	if errors.Is(err, storage.ErrNotFound) {
		ses.opening, err = l.openedBy(ctx, s, key)
		ses.add(ses.opening)
		return ses, err
	}
	if err != nil {
		return nil, err
	}
	ses.state = doc.Value
	prefix, err := storage.Get[string](ctx, l.cfg.Store, s.Partition(), prefixes, key)
	if err = l.without("a prefix", err); err != nil && !errors.Is(err, storage.ErrNotFound) {
		return nil, err
	}
	ses.prefix = prefix.Value
	if err := l.without("the rest of a transcript", l.replay(ctx, s, ses)); err != nil {
		return nil, err
	}
	return ses, nil
}

// without has a session go on without a part of it that is damaged.
func (l *Lanes) without(part string, err error) error {
	if !errors.Is(err, storage.ErrCorrupt) {
		return err
	}
	l.cfg.Log.Error("a conversation goes on without what can't be read", "part", part, "err", err)
	return nil
}

func (l *Lanes) replay(ctx context.Context, s *inbox.Shard, ses *session) error {
	var from uint64
	for {
		const page = 500
		entries, err := storage.ReadLog[Exchange](ctx, l.cfg.Store, s.Partition(), transcript(ses.key, ses.state.Generation), from, page)
		if err != nil {
			return err
		}
		for _, e := range entries {
			ses.add(e.Value.Messages)
			from = e.Offset + 1
		}
		if len(entries) < page {
			return nil
		}
	}
}

func (s *session) add(messages []agent.Message) {
	s.history = append(s.history, messages...)
	for _, m := range messages {
		s.size += size(m)
	}
}

func size(m agent.Message) int {
	n := len(m.Text) + len(m.Opaque) + 64
	for _, i := range m.Images {
		n += len(i.Data)
	}
	for _, c := range m.Calls {
		n += len(c.Args) + len(c.Name)
	}
	for _, r := range m.Results {
		n += len(r.Text)
	}
	return n
}

// histories keeps the sessions used last in memory, up to a size.
type histories struct {
	mu    sync.Mutex
	byKey map[string]*list.Element
	order *list.List // of *session, the latest first
	size  int
}

// keptBytes bounds what histories hold while nobody uses them.
const keptBytes = 8 << 20

func newHistories() *histories {
	return &histories{byKey: map[string]*list.Element{}, order: list.New()}
}

// get takes a session out; it is put back when its turn is over.
func (h *histories) get(s *inbox.Shard, key string) *session {
	h.mu.Lock()
	defer h.mu.Unlock()
	el := h.byKey[key]
	if el == nil {
		return nil
	}
	ses := h.remove(el)
	if ses.shard != s {
		return nil // of an earlier holding of the shard
	}
	return ses
}

func (h *histories) put(ses *session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if el := h.byKey[ses.key]; el != nil {
		h.remove(el)
	}
	h.byKey[ses.key] = h.order.PushFront(ses)
	h.size += ses.size
	for h.size > keptBytes && h.order.Len() > 0 {
		h.remove(h.order.Back())
	}
}

func (h *histories) remove(el *list.Element) *session {
	ses := h.order.Remove(el).(*session)
	delete(h.byKey, ses.key)
	h.size -= ses.size
	return ses
}

// drop forgets a session.
func (h *histories) drop(key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if el := h.byKey[key]; el != nil {
		h.remove(el)
	}
}

// forget drops the sessions of a shard that is given up.
func (h *histories) forget(s *inbox.Shard) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, el := range h.byKey {
		if el.Value.(*session).shard == s {
			h.remove(el)
		}
	}
}
