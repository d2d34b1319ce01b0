package persona

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/learning/reflect"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/trace"
	"talaria/storage"
)

// People says who somebody is now, with the rights of now.
type People interface {
	Resolve(ctx context.Context, author chat.Author, place chat.Address, direct bool) (person.Principal, error)
}

// Config is what a Dialectic works with.
type Config struct {
	Store     *storage.Store
	Model     agent.Model
	People    People
	Memory    func(person.Principal) *memory.Handle
	Budget    reflect.Budget // the day's, shared with the reviews of a person's tasks
	MaxTokens int            // of an answer of the model
	Lines     int            // that are concluded of one person at most; DefaultLines
	// Window is how far back is read, at most: what was said before, while nobody
	// looked, is left. Zero: DefaultWindow.
	Window time.Duration
	// Spent books what was asked of the model for a person; nil: nobody does.
	Spent func(who person.Principal, u agent.Usage)
	Log   *slog.Logger
}

// Dialectic keeps the pictures of people. It has no state of its own: what it
// must not forget is in the store.
type Dialectic struct{ cfg Config }

// New returns one.
func New(c Config) *Dialectic {
	c.Lines, c.Window = cmp.Or(c.Lines, DefaultLines), cmp.Or(c.Window, DefaultWindow)
	return &Dialectic{c}
}

// What a Dialectic keeps to unless the operator says otherwise.
const (
	DefaultLines  = 20
	DefaultWindow = 14 * 24 * time.Hour
)

// mostSaid is how many sentences of one person are looked at in a night; the
// rest waits for the next one.
const mostSaid = 200

// memo is how far a person's words were read, in their partition.
type memo struct {
	Seen    time.Time           `json:"seen"`              // the end of the latest turn
	Pending []memory.Conclusion `json:"pending,omitempty"` // of that night, not all written yet
}

const (
	memos = "persona" // collection; self is its only key
	self  = "self"
)

// spoke is somebody who spoke with the bot, with what they said that was not
// read yet.
type spoke struct {
	who  person.Principal
	memo storage.Doc[memo]
	said []said
	seen time.Time // the end of the latest turn
}

// Nightly goes over what everybody said since it did so last. Begun again, it
// goes on with those who are left. What fails for one person does not keep the
// others from their turn.
func (d *Dialectic) Nightly(ctx context.Context) error {
	now, err := d.cfg.Store.Now(ctx)
	if err != nil {
		return err
	}
	people, err := d.gather(ctx, now.Add(-d.cfg.Window))
	if err != nil {
		return fmt.Errorf("look for what people said: %w", err)
	}
	var errs []error
	for _, id := range slices.Sorted(maps.Keys(people)) {
		if err := d.one(ctx, people[id]); err != nil {
			errs = append(errs, fmt.Errorf("go over what somebody said: %w", err))
		}
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(errs...)
}

// gather finds who spoke in direct conversations since a time. What a job said
// is nobody's.
func (d *Dialectic) gather(ctx context.Context, since time.Time) (map[person.ID]*spoke, error) {
	people := map[person.ID]*spoke{}
	for n := range storage.Shards {
		err := trace.Since(ctx, d.cfg.Store, storage.Shard(n), since, func(t trace.Task) error {
			if !t.Direct || t.Start == trace.Scheduled || t.Person == "" {
				return nil
			}
			who, err := d.cfg.People.Resolve(ctx, chat.Author{Identity: t.Asker}, t.Place, true)
			if err != nil || !person.AtLeast(who.Role, person.Guest) {
				return err
			}
			s := people[who.Person]
			if s == nil {
				s, err = d.spoke(ctx, who)
			}
			if err != nil || s == nil {
				return err
			}
			people[who.Person] = s
			s.hear(t)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return people, nil
}

// spoke is what is known of somebody before, nil for one of whom nothing is to
// be learned.
func (d *Dialectic) spoke(ctx context.Context, who person.Principal) (*spoke, error) {
	if off, err := learning.PersonStopped(ctx, d.cfg.Store, who.Person); err != nil || off {
		return nil, err
	}
	m, err := d.memo(ctx, who)
	if err != nil {
		return nil, err
	}
	return &spoke{who: who, memo: m, seen: m.Value.Seen}, nil
}

// hear adds what is new in a task.
func (s *spoke) hear(t trace.Task) {
	s.said = append(s.said, sayings(t, s.memo.Value.Seen)...)
	for _, turn := range t.Turns {
		if turn.Ended.After(s.seen) {
			s.seen = turn.Ended
		}
	}
}

// one goes over what one person said.
func (d *Dialectic) one(ctx context.Context, s *spoke) error {
	at, err := d.carryOut(ctx, s.who, s.memo)
	if err != nil || !s.seen.After(s.memo.Value.Seen) {
		return err
	}
	all, seen := s.news()
	next := storage.Doc[memo]{Value: memo{Seen: seen}}
	if len(all) > 0 {
		room, err := d.cfg.Budget.Left(ctx, s.who.Place, scope(s.who))
		if err != nil || !room {
			return err // it waits for a night with room
		}
		if next.Value.Pending, err = d.conclude(ctx, s.who, all); err != nil {
			return err
		}
	}
	if next.Revision, err = d.note(ctx, s.who, next.Value, at); err != nil {
		return err
	}
	_, err = d.carryOut(ctx, s.who, next)
	return err
}

// news are the sentences to be looked at, the earliest first, and the end of the
// last turn that they are of.
func (s *spoke) news() ([]said, time.Time) {
	all, seen := s.said, s.seen
	slices.SortStableFunc(all, func(a, b said) int {
		return cmp.Or(a.evidence.At.Compare(b.evidence.At), cmp.Compare(a.Occasion, b.Occasion))
	})
	last := min(mostSaid, len(all))
	for last > 0 && last < len(all) && all[last].evidence.At.Equal(all[last-1].evidence.At) {
		last++ // a turn is read as a whole
	}
	if last < len(all) {
		all, seen = all[:last], all[last-1].evidence.At
	}
	for n := range all {
		all[n].ID = fmt.Sprintf("s%d", n+1)
	}
	return all, seen
}

// conclude is what comes of what somebody said. An answer that can't be read is
// none: the same words would only be asked about again.
func (d *Dialectic) conclude(ctx context.Context, who person.Principal, all []said) ([]memory.Conclusion, error) {
	cards, err := d.cfg.Memory(who).List(ctx)
	if err != nil {
		return nil, err
	}
	doc, known := documentOf(all, cards)
	a, err := d.think(ctx, who, doc)
	if errors.Is(err, errUnreadable) {
		d.cfg.Log.Warn("nothing was concluded of what somebody said", "err", err)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return weigh(a, all, known, d.cfg.Lines), nil
}

// carryOut writes what is pending onto the person's shelf, each conclusion in a
// change of its own, and notes that it is done. It returns the memo's revision.
func (d *Dialectic) carryOut(ctx context.Context, who person.Principal, m storage.Doc[memo]) (storage.Revision, error) {
	if len(m.Value.Pending) == 0 {
		return m.Revision, nil
	}
	shelf := d.cfg.Memory(who)
	for _, c := range m.Value.Pending {
		_, _, err := shelf.Conclude(ctx, c, struck)
		switch {
		case errors.Is(err, memory.ErrSecret), errors.Is(err, memory.ErrHostile), errors.Is(err, memory.ErrInvalid), errors.Is(err, memory.ErrFull):
			d.cfg.Log.Info("a conclusion is not kept", "err", err)
		case err != nil:
			return m.Revision, err
		}
	}
	return d.note(ctx, who, memo{Seen: m.Value.Seen}, m.Revision)
}

func (d *Dialectic) memo(ctx context.Context, who person.Principal) (storage.Doc[memo], error) {
	m, err := storage.Get[memo](ctx, d.cfg.Store, storage.Person(string(who.Person)), memos, self)
	if errors.Is(err, storage.ErrNotFound) {
		return storage.Doc[memo]{Revision: storage.Absent}, nil
	}
	return m, err
}

// note keeps a memo in the place of the one that was read. It fails where the
// person was forgotten meanwhile.
func (d *Dialectic) note(ctx context.Context, who person.Principal, m memo, expect storage.Revision) (storage.Revision, error) {
	at := storage.Person(string(who.Person))
	if _, err := d.cfg.Store.Commit(ctx, storage.On(at).Put(memos, self, m, expect)); err != nil {
		return expect, fmt.Errorf("note how far somebody's words were read: %w", err)
	}
	now, err := storage.Get[memo](ctx, d.cfg.Store, at, memos, self)
	return now.Revision, err
}
