package person

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"talaria/core/chat"
	"talaria/storage"
)

// carried are the collection of what a link did to other documents of a person,
// in the partition of who made the code: by link, collection and key.
const carried = "link.carried"

func carriedKey(link, collection, key string) string { return link + "/" + collection + "/" + key }

// Choice is a Mover of one document of a person's partition that says how they
// want things: two of them become one, and neither is lost.
type Choice[T any] struct {
	Store           *storage.Store
	Collection, Key string
	// Join is what holds for somebody who said both. Where they differ in what
	// may be done with people's words it is the stricter one.
	Join func(mine, theirs T) T
}

// joined is what a link did to a choice: nil is that nothing was said.
type joined[T any] struct {
	Before, After *T
}

// Move makes what was said by either to's choice. From's own stays where it is,
// for the way back.
func (c Choice[T]) Move(ctx context.Context, link string, from, to ID) error {
	memo := carriedKey(link, c.Collection, c.Key)
	for {
		_, err := storage.Get[joined[T]](ctx, c.Store, partition(to), carried, memo)
		if err == nil {
			return nil // by an earlier try
		}
		if !errors.Is(err, storage.ErrNotFound) {
			return fmt.Errorf("join %s: %w", c.Collection, err)
		}
		mine, revision, err := c.read(ctx, to)
		if err != nil {
			return err
		}
		theirs, _, err := c.read(ctx, from)
		if err != nil {
			return err
		}
		both := c.join(mine, theirs)
		b := storage.On(partition(to)).Durable().Put(carried, memo, joined[T]{mine, both}, storage.Absent)
		if both != nil {
			b.Put(c.Collection, c.Key, *both, revision)
		}
		if _, err = c.Store.Commit(ctx, b); errors.Is(err, storage.ErrConflict) {
			continue
		}
		if err != nil {
			return fmt.Errorf("join %s: %w", c.Collection, err)
		}
		return nil
	}
}

// Return leaves to with what they said themselves, joined with what was said
// since. With undo from's is what it was before, unless it was changed since.
func (c Choice[T]) Return(ctx context.Context, link string, from, to ID, _ []chat.Identity, undo bool) error {
	memo := carriedKey(link, c.Collection, c.Key)
	for {
		done, err := storage.Get[joined[T]](ctx, c.Store, partition(from), carried, memo)
		if errors.Is(err, storage.ErrNotFound) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("part %s: %w", c.Collection, err)
		}
		now, revision, err := c.read(ctx, from)
		if err != nil {
			return err
		}
		same := equal(now, done.Value.After)
		if !same {
			if err := c.add(ctx, to, now); err != nil {
				return err
			}
		}
		b := storage.On(partition(from)).Durable().Delete(carried, memo, done.Revision)
		switch before := done.Value.Before; {
		case !undo || !same || now == nil:
		case before == nil:
			b.Delete(c.Collection, c.Key, revision)
		default:
			b.Put(c.Collection, c.Key, *before, revision)
		}
		if _, err = c.Store.Commit(ctx, b); errors.Is(err, storage.ErrConflict) {
			continue
		}
		if err != nil {
			return fmt.Errorf("part %s: %w", c.Collection, err)
		}
		return nil
	}
}

// add joins what was said since into somebody's own choice.
func (c Choice[T]) add(ctx context.Context, who ID, since *T) error {
	for {
		own, revision, err := c.read(ctx, who)
		if err != nil || since == nil {
			return err
		}
		b := storage.On(partition(who)).Durable().Put(c.Collection, c.Key, *c.join(own, since), revision)
		if _, err = c.Store.Commit(ctx, b); errors.Is(err, storage.ErrConflict) {
			continue
		}
		if err != nil {
			return fmt.Errorf("join %s: %w", c.Collection, err)
		}
		return nil
	}
}

func (c Choice[T]) read(ctx context.Context, who ID) (*T, storage.Revision, error) {
	doc, err := storage.Get[T](ctx, c.Store, partition(who), c.Collection, c.Key)
	if errors.Is(err, storage.ErrNotFound) {
		return nil, storage.Absent, nil
	}
	if err != nil {
		return nil, storage.Absent, fmt.Errorf("read %s: %w", c.Collection, err)
	}
	return &doc.Value, doc.Revision, nil
}

func (c Choice[T]) join(mine, theirs *T) *T {
	switch {
	case mine == nil:
		return theirs
	case theirs == nil:
		return mine
	}
	both := c.Join(*mine, *theirs)
	return &both
}

// equal compares as the store sees it.
func equal(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// Things is a Mover of collections of documents that stand for themselves, such
// as what was kept for a person. Of two with one key each stays with its person.
type Things struct {
	Store       *storage.Store
	Collections []string
}

// Move makes the documents of from to's, and writes down which.
func (t Things) Move(ctx context.Context, link string, from, to ID) error {
	for _, collection := range t.Collections {
		err := t.each(ctx, from, collection, func(d storage.Doc[json.RawMessage]) error {
			return t.move(ctx, collection, d, from, to, func(b *storage.Batch, _ *storage.Batch) {
				b.Put(carried, carriedKey(link, collection, d.Key), true, storage.Any)
			})
		})
		if err != nil {
			return fmt.Errorf("move %s: %w", collection, err)
		}
	}
	return nil
}

// Return gives the documents back that came by link, as they are now.
func (t Things) Return(ctx context.Context, link string, from, to ID, _ []chat.Identity, _ bool) error {
	for _, collection := range t.Collections {
		err := t.each(ctx, from, collection, func(d storage.Doc[json.RawMessage]) error {
			memo := carriedKey(link, collection, d.Key)
			_, err := storage.Get[bool](ctx, t.Store, partition(from), carried, memo)
			if errors.Is(err, storage.ErrNotFound) {
				return nil // their own
			}
			if err != nil {
				return err
			}
			return t.move(ctx, collection, d, from, to, func(_, b *storage.Batch) { b.Delete(carried, memo, storage.Any) })
		})
		if err != nil {
			return fmt.Errorf("return %s: %w", collection, err)
		}
	}
	return nil
}

// move takes a document from one partition to another that has none with its
// key: it is in both for a moment, and never in none. note adds to what is
// written there and to what is written here.
func (t Things) move(ctx context.Context, collection string, d storage.Doc[json.RawMessage], from, to ID, note func(there, here *storage.Batch)) error {
	there := storage.On(partition(to)).Durable()
	here := storage.On(partition(from)).Durable().Delete(collection, d.Key, d.Revision)
	if d.Expires.IsZero() {
		there.Put(collection, d.Key, d.Value, storage.Absent)
	} else {
		now, err := t.Store.Now(ctx)
		if err != nil {
			return err
		}
		there.PutFor(collection, d.Key, d.Value, storage.Absent, max(d.Expires.Sub(now), time.Second))
	}
	note(there, here)
	_, err := t.Store.Commit(ctx, there)
	if errors.Is(err, storage.ErrConflict) {
		have, gone := storage.Get[json.RawMessage](ctx, t.Store, partition(to), collection, d.Key)
		if gone != nil || !equal(have.Value, d.Value) {
			return nil // another one with that key; both stay
		}
		err = nil // an earlier try was cut off here
	}
	if err == nil {
		_, err = t.Store.Commit(ctx, here)
	}
	if errors.Is(err, storage.ErrConflict) {
		return nil // it was changed this moment: it stays, and the next try finds both
	}
	return err
}

// each calls do for every document of a collection.
func (t Things) each(ctx context.Context, who ID, collection string, do func(storage.Doc[json.RawMessage]) error) error {
	for d, err := range storage.All[json.RawMessage](ctx, t.Store, partition(who), collection, "") {
		if err != nil {
			return err
		}
		if err := do(d); err != nil {
			return err
		}
	}
	return nil
}
