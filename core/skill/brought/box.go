package brought

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"talaria/core/person"
	"talaria/core/skill/foreign"
	"talaria/storage"
)

// Kind is what sort of thing is kept.
type Kind string

// The kinds.
const (
	Jobs    Kind = "job"     // of foreign.Job
	Changes Kind = "pending" // of foreign.Pending
	Cards   Kind = "card"    // of foreign.Card: what could not be remembered
	Usage   Kind = "usage"   // what its home counted for a skill
	Setting Kind = "setting" // of foreign.Setting
)

// Box holds what one person brought.
type Box struct {
	store *storage.Store
	at    storage.Partition
}

// Of returns the box of a person.
func Of(s *storage.Store, id person.ID) Box { return Box{s, storage.Person(string(id))} }

// Job is a scheduled task as another assistant had it. It runs with nobody's
// rights until the person makes it one of theirs.
type Job struct {
	Key         string // for Settle
	foreign.Job        // its Record has all that was written about it
}

// Change is a change of memory or of a skill that waited for an approval.
type Change struct {
	Key string // for Settle
	foreign.Pending
}

// item is a document: what was found, and what became of it.
type item struct {
	About  string          `json:"about,omitempty"` // of a change: "memory" or "skills"
	Record json.RawMessage `json:"record"`
	Became string          `json:"became,omitempty"` // such as "taken over"; empty: it waits
}

func collection(k Kind) string { return "imported/" + string(k) }

// Keep writes down what was found, under the name that its home has for it, or
// "" where it has none. What is kept already stays as it is, settled or not,
// unless its home has changed it.
func (b Box) Keep(ctx context.Context, k Kind, name string, found any) error {
	next := item{}
	switch f := found.(type) {
	case foreign.Job:
		next.Record = f.Record
	case foreign.Pending:
		next.About, next.Record = f.About, f.Record
	default:
		data, err := json.Marshal(found)
		if err != nil {
			return fmt.Errorf("keep a brought %s: %w", k, err)
		}
		next.Record = data
	}
	key := keyOf(next, name)
	have, err := storage.Get[item](ctx, b.store, b.at, collection(k), key)
	switch {
	case err == nil && bytes.Equal(compact(have.Value.Record), compact(next.Record)):
		return nil
	case err != nil && !errors.Is(err, storage.ErrNotFound):
		return fmt.Errorf("keep a brought %s: %w", k, err)
	}
	batch := storage.On(b.at).Durable().Put(collection(k), key, next, storage.Any)
	if _, err := b.store.Commit(ctx, batch); err != nil {
		return fmt.Errorf("keep a brought %s: %w", k, err)
	}
	return nil
}

// keyOf is the digest of a name within what it is about; things without a name
// are told apart by what they say.
func keyOf(it item, name string) string {
	if name == "" {
		name = string(compact(it.Record))
	}
	sum := sha256.Sum256([]byte(it.About + "\x00" + name))
	return hex.EncodeToString(sum[:8])
}

// compact is JSON without its spaces, since stores may leave them out.
func compact(record json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Compact(&b, record) != nil {
		return record
	}
	return b.Bytes()
}

// Jobs are the jobs that wait, by key. One whose record can't be read any more
// is left out.
func (b Box) Jobs(ctx context.Context) ([]Job, error) {
	var out []Job
	err := b.each(ctx, Jobs, func(key string, it item) {
		if j, ok := foreign.ReadJob(it.Record); ok {
			out = append(out, Job{key, j})
		}
	})
	return out, err
}

// Changes are the changes that wait, the oldest first. One whose record can't be
// read any more is left out.
func (b Box) Changes(ctx context.Context) ([]Change, error) {
	var out []Change
	err := b.each(ctx, Changes, func(key string, it item) {
		if p, ok := foreign.ReadPending(it.About, it.Record); ok {
			out = append(out, Change{key, p})
		}
	})
	slices.SortStableFunc(out, func(a, b Change) int { return a.Created.Compare(b.Created) })
	return out, err
}

// Settle says what became of a thing, such as "taken over" or "dropped"; it is
// no longer among those that wait. Settling twice changes nothing.
func (b Box) Settle(ctx context.Context, k Kind, key, became string) error {
	for {
		doc, err := storage.Get[item](ctx, b.store, b.at, collection(k), key)
		if err == nil && doc.Value.Became != "" {
			return nil
		}
		if err == nil {
			doc.Value.Became = became
			_, err = b.store.Commit(ctx, storage.On(b.at).Durable().Put(collection(k), key, doc.Value, doc.Revision))
		}
		if errors.Is(err, storage.ErrConflict) {
			continue
		}
		if err != nil {
			return fmt.Errorf("settle a brought %s: %w", k, err)
		}
		return nil
	}
}

// each goes through what waits of a kind.
func (b Box) each(ctx context.Context, k Kind, do func(key string, it item)) error {
	for d, err := range storage.All[item](ctx, b.store, b.at, collection(k), "") {
		if err != nil {
			return fmt.Errorf("list what was brought: %w", err)
		}
		if d.Value.Became == "" {
			do(d.Key, d.Value)
		}
	}
	return nil
}

// NewLinked returns the mover of boxes: what either account brought is offered
// to both.
func NewLinked(s *storage.Store) person.Mover {
	m := person.Things{Store: s}
	for _, k := range []Kind{Jobs, Changes, Cards, Usage, Setting} {
		m.Collections = append(m.Collections, collection(k))
	}
	return m
}
