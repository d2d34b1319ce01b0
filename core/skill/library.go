package skill

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"talaria/storage"
)

// The errors of the library, wrapped with the reason. Who may not do something
// gets person.ErrForbidden.
var (
	ErrInvalid      = errors.New("that can't be a skill")
	ErrNotFound     = errors.New("no such skill here")
	ErrBlocked      = errors.New("a check blocks this draft; edit it first")
	ErrDecided      = errors.New("this was decided already")
	ErrExpired      = errors.New("this draft has expired; it can be proposed again")
	ErrStale        = errors.New("this is no longer what was shown")
	ErrNeedsAdmin   = errors.New("new rights need an admin's yes")
	ErrNeedsAnother = errors.New("new rights need the yes of somebody other than who the draft comes from")
	ErrDisabled     = errors.New("this skill is not in use")
	ErrUnfit        = errors.New("this skill is of no use here")
	ErrProtected    = errors.New("this skill is its owner's to change")
	ErrUnchanged    = errors.New("nothing would change")
)

// cacheFor is how long a list is believed, should the word that it changed be lost.
const cacheFor = 5 * time.Second

// cacheSize bounds the scopes held in memory.
const cacheSize = 1000

// changedTopic carries the scopes in which something has changed.
const changedTopic = "skill.changed"

// Library keeps skills in a store. It is safe for concurrent use, also by
// several replicas on one store.
type Library struct {
	store     *storage.Store
	authority Authority
	config    Config
	checks    []Check
	folders   []*folder
	files     bundles
	log       *slog.Logger
	believe   time.Duration // cacheFor, but in tests

	mu      sync.Mutex
	changes int // so far; what was read before one is not kept
	shelves map[Scope]shelf
}

// shelf are the skills of one scope, by name, as of a moment ago.
type shelf struct {
	skills []Skill
	stats  map[string]Stats
	links  []Link // of a space: what others offer it
	until  time.Time
}

// New returns a library over a store. The checks look at every proposal, after
// the library's own.
func New(s *storage.Store, a Authority, c Config, log *slog.Logger, checks ...Check) *Library {
	l := &Library{store: s, authority: a, config: c, checks: checks, log: log, believe: cacheFor, shelves: map[Scope]shelf{}}
	for _, e := range c.External {
		l.folders = append(l.folders, &folder{external: e, log: log})
	}
	return l
}

// Run drops from memory what other replicas changed, until ctx ends. Without
// it changes made elsewhere are seen within five seconds.
func (l *Library) Run(ctx context.Context) error {
	changes, err := l.store.Subscribe(ctx, changedTopic)
	if err != nil {
		return fmt.Errorf("listen for changed skills: %w", err)
	}
	for m := range changes {
		if s, err := ParseScope(string(m.Payload)); err == nil {
			l.drop(s)
		}
	}
	return nil
}

func (l *Library) drop(s Scope) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.changes++
	delete(l.shelves, s)
}

// announce tells all replicas that a scope changed. If the word is lost, their
// memory ends by itself.
func (l *Library) announce(ctx context.Context, s Scope) {
	l.drop(s)
	if err := l.store.Publish(ctx, changedTopic, []byte(s.String())); err != nil {
		l.log.WarnContext(ctx, "other replicas were not told of a changed skill", "err", err)
	}
}

// shelf returns the skills of a scope, at most five seconds old. What it holds
// must not be changed.
func (l *Library) shelf(ctx context.Context, s Scope) (shelf, error) {
	l.mu.Lock()
	have, ok := l.shelves[s]
	before := l.changes
	l.mu.Unlock()
	if ok && time.Now().Before(have.until) {
		return have, nil
	}
	fresh := shelf{stats: map[string]Stats{}, until: time.Now().Add(l.believe)}
	skills, err := all[Skill](ctx, l.store, s.partition(), skillsOf(s))
	if err != nil {
		return shelf{}, fmt.Errorf("list skills: %w", err)
	}
	for _, doc := range skills {
		fresh.skills = append(fresh.skills, doc.Value)
	}
	stats, err := all[Stats](ctx, l.store, s.partition(), statsOf(s))
	if err != nil {
		return shelf{}, fmt.Errorf("list skills: %w", err)
	}
	for _, doc := range stats {
		fresh.stats[doc.Key] = doc.Value
	}
	if s.Kind == Space {
		if fresh.links, err = l.links(ctx, s); err != nil {
			return shelf{}, fmt.Errorf("list skills: %w", err)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.changes != before {
		return fresh, nil // true when it was read; perhaps no longer
	}
	if len(l.shelves) >= cacheSize {
		clear(l.shelves)
	}
	l.shelves[s] = fresh
	return fresh, nil
}

// all reads a whole collection, by key.
func all[T any](ctx context.Context, s *storage.Store, p storage.Partition, collection string) ([]storage.Doc[T], error) {
	var out []storage.Doc[T]
	for d, err := range storage.All[T](ctx, s, p, collection, "") {
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}

// scopesAt is the partition that knows which scopes have skills.
var scopesAt = storage.System("skills")

const knownScopes = "scope" // documents of scopes, by their text

// register notes a scope before its first skill.
func (l *Library) register(ctx context.Context, s Scope) error {
	have, err := l.shelf(ctx, s)
	if err != nil || len(have.skills) > 0 {
		return err
	}
	_, err = l.store.Commit(ctx, storage.On(scopesAt).Durable().Put(knownScopes, s.String(), s, storage.Any))
	return err
}

// history are all revisions of a skill in their present state, the latest first.
func (l *Library) history(ctx context.Context, r Ref) ([]Revision, error) {
	now, err := l.store.Now(ctx)
	if err != nil {
		return nil, err
	}
	docs, err := all[Revision](ctx, l.store, r.Scope.partition(), revisionsOf(r))
	if err != nil {
		return nil, err
	}
	out := make([]Revision, 0, len(docs))
	for _, doc := range slices.Backward(docs) {
		doc.Value.State = doc.Value.StateAt(now)
		out = append(out, doc.Value)
	}
	return out, nil
}
