package person

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"talaria/core/chat"
	"talaria/storage"
)

// Subject is one human as what is kept names them: what was said before
// accounts were linked is kept under the people that these were.
type Subject struct {
	People []ID `json:"people"`
}

// Is reports whether a person is the subject.
func (s Subject) Is(id ID) bool { return slices.Contains(s.People, id) }

// Has reports whether an account is the subject's.
func (s Subject) Has(i chat.Identity) bool { return s.Is(Home(i)) }

// Eraser removes what a domain keeps of people outside their own partitions
// and outside of shards. It is called before the person's partition is buried,
// maybe again with the same subject, and after a restore.
type Eraser interface {
	Erase(ctx context.Context, who Subject) error
}

// ShardEraser removes what a domain keeps of people in a shard. It is called by
// the shard's owner once none of their turns runs there any more, maybe again,
// and after a restore.
type ShardEraser interface {
	EraseShard(ctx context.Context, shard int, who Subject) error
}

// Subject returns everything that what is kept of p is named by.
func (d *Directory) Subject(ctx context.Context, p Principal) (Subject, error) {
	f, err := d.lookUp(ctx, p.Identity)
	if err != nil {
		return Subject{}, fmt.Errorf("look up a person's accounts: %w", err)
	}
	who := Subject{People: []ID{f.person}}
	for _, i := range append(identitiesOf(f.record), p.Identity) {
		if !who.Has(i) {
			who.People = append(who.People, Home(i))
		}
	}
	return who, nil
}

// Forget buries a person's partitions, which hold their cards and documents
// too, and unties their accounts: whoever comes back with one is a stranger.
// No older backup brings them back. It is p's own request, made in a direct
// conversation. What lies elsewhere is for each Eraser, before this.
func (d *Directory) Forget(ctx context.Context, p Principal) error {
	if !p.Direct {
		return fmt.Errorf("forget a person: %w", ErrForbidden)
	}
	who, err := d.Subject(ctx, p)
	if err != nil {
		return fmt.Errorf("forget a person: %w", err)
	}
	// The person, then the home of the account that asks, are last: cut off
	// anywhere, the next try from the same account finds what is left.
	last := []ID{who.People[0], Home(p.Identity)}
	order := slices.DeleteFunc(slices.Clone(who.People), func(id ID) bool { return slices.Contains(last, id) })
	for _, id := range append(order, last...) {
		if err := d.store.Bury(ctx, partition(id)); err != nil {
			return fmt.Errorf("forget a person: %w", err)
		}
	}
	d.forget(ctx, who.People[0])
	d.mu.Lock()
	defer d.mu.Unlock()
	clear(d.been) // so that new visits are recorded at once
	return nil
}

// Forgotten returns when the person of an account asked to be forgotten last, the
// zero time if they never did. What came before that is not to be kept any more,
// however late it is brought.
func (d *Directory) Forgotten(ctx context.Context, i chat.Identity) (time.Time, error) {
	at, err := d.store.Buried(ctx, partition(Home(i)))
	if err != nil {
		return at, fmt.Errorf("look up whether somebody was forgotten: %w", err)
	}
	return at, nil
}

// Buried are the people who were forgotten since a backup was begun, for
// whoever restores it: every Eraser is to be called with them again.
func Buried(ctx context.Context, s *storage.Store, report storage.Report) (Subject, error) {
	graves, err := s.Tombstones(ctx)
	if err != nil {
		return Subject{}, fmt.Errorf("list who was forgotten: %w", err)
	}
	var who Subject
	for p, at := range graves {
		if id, ok := strings.CutPrefix(p.String(), storage.Person("").String()); ok && !at.Before(report.At) {
			who.People = append(who.People, ID(id))
		}
	}
	return who, nil
}

// Exporter tells what a domain keeps of people outside their own partitions.
type Exporter interface {
	// Export returns what is kept, in a form that JSON can hold; nil for nothing.
	Export(ctx context.Context, who Subject) (any, error)
}
