package briefing

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"talaria/core/agent"
	"talaria/core/person"
	"talaria/storage"
)

// Day is what one person used in one day, UTC.
type Day struct {
	Turns  int `json:"turns"`
	Input  int `json:"input"`  // tokens
	Cached int `json:"cached"` // of Input, read from a provider's cache
	Output int `json:"output"` // tokens
	// Learning is what of these tokens reviews of the person's tasks used.
	Learning int `json:"learning,omitempty"`
}

// Tokens is what counts towards the budget: cached input does not.
func (d Day) Tokens() int { return d.Input - d.Cached + d.Output }

func (d Day) plus(e Day) Day {
	return Day{d.Turns + e.Turns, d.Input + e.Input, d.Cached + e.Cached, d.Output + e.Output, d.Learning + e.Learning}
}

// Meter counts what people use. Counting is off the reply path: it is kept in
// memory and flushed now and then, so a crash forgets the last few seconds of
// it, and nothing else.
type Meter struct {
	store *storage.Store
	limit int // tokens a day and person; zero: no limit
	log   *slog.Logger

	mu       sync.Mutex
	accounts map[person.ID]*account
}

// account is one person's day. Its fields are guarded by Meter.mu.
type account struct {
	day     string
	stored  Day // as last read or written
	pending Day // not yet written
	loaded  bool
}

const usage = "usage" // collection in a person's partition, keyed by day

// usageKept is how long a day's count is kept.
const usageKept = 62 * 24 * time.Hour

// NewMeter returns a meter with a daily limit of tokens for each person.
func NewMeter(store *storage.Store, limit int, log *slog.Logger) *Meter {
	return &Meter{store: store, limit: limit, log: log, accounts: map[person.ID]*account{}}
}

func today() string { return time.Now().UTC().Format(time.DateOnly) }

// Spent books what a turn used.
func (m *Meter) Spent(who person.ID, u agent.Usage) { m.book(who, Day{Turns: 1}, u) }

// Reviewed books what a review of somebody's task used.
func (m *Meter) Reviewed(who person.Principal, u agent.Usage) {
	m.book(who.Person, Day{Learning: u.Input - u.CacheRead + u.Output}, u)
}

func (m *Meter) book(who person.ID, d Day, u agent.Usage) {
	d.Input, d.Cached, d.Output = u.Input, u.CacheRead, u.Output
	m.mu.Lock()
	defer m.mu.Unlock()
	a := m.account(who)
	a.pending = a.pending.plus(d)
}

// account returns a person's account of today. Called with mu held.
func (m *Meter) account(who person.ID) *account {
	a := m.accounts[who]
	if a == nil || a.day != today() {
		a = &account{day: today()}
		m.accounts[who] = a
	}
	return a
}

// Today is what a person has used today, in all replicas as far as known.
func (m *Meter) Today(ctx context.Context, who person.ID) (Day, error) {
	m.mu.Lock()
	a := m.account(who)
	loaded, sum := a.loaded, a.stored.plus(a.pending)
	m.mu.Unlock()
	if loaded {
		return sum, nil
	}
	stored, _, err := m.read(ctx, who, today())
	if err != nil {
		return sum, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	a = m.account(who)
	if !a.loaded {
		a.stored, a.loaded = stored, true
	}
	return a.stored.plus(a.pending), nil
}

// Over reports whether a person's budget of the day is used up.
func (m *Meter) Over(ctx context.Context, who person.ID) (bool, error) {
	if m.limit == 0 {
		return false, nil
	}
	d, err := m.Today(ctx, who)
	return d.Tokens() >= m.limit, err
}

// Limit is the daily budget in tokens, zero for none.
func (m *Meter) Limit() int { return m.limit }

func (m *Meter) read(ctx context.Context, who person.ID, day string) (Day, storage.Revision, error) {
	doc, err := storage.Get[Day](ctx, m.store, storage.Person(string(who)), usage, day)
	if errors.Is(err, storage.ErrNotFound) {
		return Day{}, storage.Absent, nil
	}
	return doc.Value, doc.Revision, err
}

// Run flushes every few seconds until ctx ends, and once more then.
func (m *Meter) Run(ctx context.Context) {
	const each = 5 * time.Second
	ticker := time.NewTicker(each)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), each)
			defer cancel()
			m.Flush(last)
			return
		case <-ticker.C:
			m.Flush(ctx)
		}
	}
}

// Flush writes what is pending, and forgets the accounts of those who have
// been quiet since the last time.
func (m *Meter) Flush(ctx context.Context) {
	m.mu.Lock()
	due := map[person.ID]account{}
	for who, a := range m.accounts {
		if a.pending == (Day{}) {
			delete(m.accounts, who)
			continue
		}
		due[who] = *a
		a.pending = Day{}
		a.stored = a.stored.plus(due[who].pending)
	}
	m.mu.Unlock()
	for who, a := range due {
		if err := m.write(ctx, who, a.day, a.pending); err != nil {
			m.log.Warn("usage not stored", "err", err)
			m.giveBack(who, a)
		}
	}
}

func (m *Meter) giveBack(who person.ID, a account) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if now := m.account(who); now.day == a.day {
		now.pending = now.pending.plus(a.pending)
	}
}

func (m *Meter) write(ctx context.Context, who person.ID, day string, add Day) error {
	for {
		stored, revision, err := m.read(ctx, who, day)
		if err != nil {
			return fmt.Errorf("read usage: %w", err)
		}
		sum := stored.plus(add)
		b := storage.On(storage.Person(string(who))).PutFor(usage, day, sum, revision, usageKept)
		_, err = m.store.Commit(ctx, b)
		if errors.Is(err, storage.ErrConflict) {
			continue // another replica was quicker
		}
		if err != nil {
			return fmt.Errorf("write usage: %w", err)
		}
		return nil
	}
}
