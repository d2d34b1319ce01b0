package daily

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/lane"
	"talaria/storage"
)

const (
	told = "briefed" // documents in the owner's partition, by job: record
	// keptTold is how long it is remembered what a briefing that no longer comes
	// has told.
	keptTold = 60 * 24 * time.Hour
	// firstLook is how far back a first briefing looks.
	firstLook = 24 * time.Hour
	// maxMarks bounds the marks of one list.
	maxMarks = 1000
)

// memory is what a briefing knows to have been told.
type memory struct {
	At    time.Time           `json:"at"`              // when it was gathered
	Marks []string            `json:"marks,omitempty"` // of items that are told once
	Read  map[string]string   `json:"read,omitempty"`  // by channel: the last message read
	Pages map[string][]string `json:"pages,omitempty"` // by page: marks of its entries
}

// record is the memory before and after a run.
type record struct {
	Run    string       `json:"run"` // key of its event
	Place  chat.Address `json:"place"`
	Before memory       `json:"before"`
	After  memory       `json:"after"`
}

// base is what a run goes on from: what the one before it left, if that came to
// its end.
func base(ctx context.Context, s *storage.Store, who person.ID, job, run string, now time.Time) (memory, error) {
	fresh := memory{At: now.Add(-firstLook)}
	doc, err := storage.Get[record](ctx, s, storage.Person(string(who)), told, job)
	if errors.Is(err, storage.ErrNotFound) {
		return fresh, nil
	}
	if err != nil {
		return fresh, fmt.Errorf("read what was told: %w", err)
	}
	r := doc.Value
	if r.Run == run {
		return r.Before, nil
	}
	ran, over, err := lane.ReadRan(ctx, s, r.Place, r.Run)
	if err != nil {
		return fresh, fmt.Errorf("read what became of the briefing before: %w", err)
	}
	if over && ran.Ending == agent.Broken {
		return r.Before, nil
	}
	return r.After, nil
}

func keep(ctx context.Context, s *storage.Store, who person.ID, job string, r record) error {
	b := storage.On(storage.Person(string(who))).PutFor(told, job, r, storage.Any, keptTold)
	if _, err := s.Commit(ctx, b); err != nil {
		return fmt.Errorf("keep what was told: %w", err)
	}
	return nil
}

// mark stands for an item in what is remembered.
func mark(text string) string {
	h := fnv.New64a()
	h.Write([]byte(text))
	return strconv.FormatUint(h.Sum64(), 36)
}

// NewLinked returns the mover of what briefings have told: it goes with their
// jobs, so that nothing is told again.
func NewLinked(s *storage.Store) person.Mover {
	return person.Things{Store: s, Collections: []string{told}}
}
