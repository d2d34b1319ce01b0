package person

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"talaria/core/chat"
	"talaria/storage"
)

// cacheFor is how long what was looked up about a person is believed, should
// the word that it changed be lost.
const cacheFor = 5 * time.Second

// cacheSize bounds the people held in memory.
const cacheSize = 10_000

// changedTopic carries the ids of people whose facts have changed.
const changedTopic = "person.changed"

// Directory resolves identities to principals. It is safe for concurrent use.
type Directory struct {
	store  *storage.Store
	config Config
	teams  map[Workspace]TeamID // of the configuration
	byName map[string]TeamID
	movers []Mover
	log    *slog.Logger

	believe time.Duration // cacheFor, but in tests

	mu      sync.Mutex
	cache   map[ID]cached        // by home person
	moved   map[Workspace]TeamID // of groups that have a new id
	been    map[string]time.Time // person and place: when it was recorded
	vouched map[string]vouched   // person's account and place: what the platform said
}

type cached struct {
	facts facts
	until time.Time
}

// facts are what is stored about an identity and its person.
type facts struct {
	person ID
	record record
}

// Open returns a directory over a store. It gives the configured teams their
// stored ids. The movers are told when people are linked.
func Open(ctx context.Context, s *storage.Store, c Config, log *slog.Logger, movers ...Mover) (*Directory, error) {
	d := &Directory{
		store: s, config: c, movers: movers, log: log, believe: cacheFor,
		cache: map[ID]cached{}, been: map[string]time.Time{}, vouched: map[string]vouched{},
	}
	if err := d.nameTeams(ctx); err != nil {
		return nil, fmt.Errorf("look up teams: %w", err)
	}
	if err := d.readMoved(ctx); err != nil {
		return nil, err
	}
	return d, nil
}

// Run drops from memory what other replicas changed, until ctx ends. Without
// it changes made elsewhere are seen within five seconds.
func (d *Directory) Run(ctx context.Context) error {
	changes, err := d.store.Subscribe(ctx, changedTopic, movedTopic)
	if err != nil {
		return fmt.Errorf("listen for changed people: %w", err)
	}
	again := time.NewTicker(time.Minute) // should the word that a group moved be lost
	defer again.Stop()
	for {
		select {
		case m, open := <-changes:
			if !open {
				return nil
			}
			if m.Topic == changedTopic {
				d.drop(ID(m.Payload))
				continue
			}
		case <-again.C:
		}
		if err := d.readMoved(ctx); err != nil && ctx.Err() == nil {
			d.log.WarnContext(ctx, "which groups moved is not known", "err", err)
		}
	}
}

// Resolve makes the principal of an author who acts at a place, with the
// rights they have there now. For somebody unknown it is a principal without
// rights, and nothing is stored.
func (d *Directory) Resolve(ctx context.Context, author chat.Author, place chat.Address, direct bool) (Principal, error) {
	f, err := d.lookUp(ctx, author.Identity)
	if err != nil {
		return Principal{Identity: author.Identity, Name: author.Name, Place: place, Direct: direct}, fmt.Errorf("resolve %s: %w", author.Identity, err)
	}
	return d.principal(f, f.record.recalled(author), place, direct), nil
}

// Known is what the directory knows about an event, for Decide; the rest of
// the facts is the caller's. It comes with the author's principal.
func (d *Directory) Known(ctx context.Context, e chat.Event) (Known, Principal, error) {
	f, err := d.lookUp(ctx, e.Author.Identity)
	if err != nil {
		return Known{}, Principal{}, fmt.Errorf("resolve %s: %w", e.Author.Identity, err)
	}
	p := d.principal(f, e.Author, e.Address, e.Direct)
	k := Known{
		Role: p.Role, Blocked: p.Role == Nobody && f.record.keptOut(p), Everyone: d.config.Everyone[e.Address.Platform],
	}
	if e.Direct {
		return k, p, nil
	}
	if k.Space, err = d.Space(ctx, e.Address); err != nil {
		return k, p, err
	}
	k.Awake, err = IsAwake(ctx, d.store, e.Address)
	return k, p, err
}

func (d *Directory) principal(f facts, author chat.Author, place chat.Address, direct bool) Principal {
	p := Principal{Person: f.person, Identity: author.Identity, Name: author.Name, Place: place, Direct: direct}
	p.Team = d.teamAt(f, p)
	p.Role = d.role(author, f, p)
	p.Guest = author.Guest && !AtLeast(p.Role, Member)
	return p
}

// lookUp reads an identity and its person, and finishes a link that was cut.
func (d *Directory) lookUp(ctx context.Context, i chat.Identity) (facts, error) {
	home := Home(i)
	d.mu.Lock()
	c, ok := d.cache[home]
	d.mu.Unlock()
	if ok && time.Now().Before(c.until) {
		return c.facts, nil
	}
	f, err := d.read(ctx, home)
	if err != nil {
		return f, err
	}
	if len(f.record.Pending) > 0 {
		// The person is served either way; the next look tries again.
		if err := d.finish(ctx, f.person, f.record.Pending); err != nil {
			d.log.ErrorContext(ctx, "linking of accounts not finished", "err", err)
			return f, nil
		}
		if f, err = d.read(ctx, home); err != nil {
			return f, err
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.cache) >= cacheSize {
		clear(d.cache)
	}
	d.cache[home] = cached{f, time.Now().Add(d.believe)}
	return f, nil
}

func (d *Directory) read(ctx context.Context, home ID) (facts, error) {
	f := facts{person: home}
	ids, err := storage.GetAll[identity](ctx, d.store, partition(home), storage.Ref{Collection: identities, Key: self})
	if err != nil {
		return f, err
	}
	if len(ids) > 0 {
		f.person = ids[0].Value.Person
	}
	records, err := storage.GetAll[record](ctx, d.store, partition(f.person), storage.Ref{Collection: persons, Key: self})
	if err != nil {
		return f, err
	}
	if len(records) > 0 {
		f.record = records[0].Value
	}
	return f, nil
}

// forget drops a person from every replica's memory.
func (d *Directory) forget(ctx context.Context, id ID) {
	d.drop(id)
	if err := d.store.Publish(ctx, changedTopic, []byte(id)); err != nil {
		d.log.WarnContext(ctx, "change of a person not published; replicas see it within five seconds", "err", err)
	}
}

func (d *Directory) drop(id ID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for home, c := range d.cache {
		if home == id || c.facts.person == id {
			delete(d.cache, home)
		}
	}
}
