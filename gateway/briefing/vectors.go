package briefing

import (
	"context"
	"crypto/sha256"
	"log/slog"
	"sync"
	"time"

	"talaria/core/skill/match"
)

// How an embedder that does not answer is dealt with.
const (
	// vectorsWithin is how long a message waits for vectors; words do without.
	vectorsWithin = 2 * time.Second
	// givenUp is the failures in a row after which no message waits any more.
	givenUp = 3
	// vectorsAgain is the time between two tries in the background, and
	// vectorsPatience is how long one may take.
	vectorsAgain    = 30 * time.Second
	vectorsPatience = time.Minute
)

// indexKey stands for the set of skills that an index is over.
type indexKey [sha256.Size]byte

// indexes keeps the indexes used last: building one of many skills takes longer
// than a message may wait. While the embedder does not answer they are over
// words alone, and run makes them whole when it does.
type indexes struct {
	embedder match.Embedder // nil: by words alone
	log      *slog.Logger
	failed   chan struct{} // of one: there is something for run to try

	mu      sync.Mutex
	built   map[indexKey]*match.Index
	partial map[indexKey][]match.Skill // of built, those that lack their vectors
	misses  int                        // failures in a row
}

func newIndexes(e match.Embedder, log *slog.Logger) *indexes {
	return &indexes{embedder: e, log: log, failed: make(chan struct{}, 1), built: map[indexKey]*match.Index{}, partial: map[indexKey][]match.Skill{}}
}

// maxIndexes bounds the kept indexes; there is one for each set of skills that
// somebody sees.
const maxIndexes = 64

func (x *indexes) get(key indexKey) *match.Index {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.built[key]
}

// build makes an index and keeps it, with vectors where there is an embedder
// that answers.
func (x *indexes) build(ctx context.Context, key indexKey, skills []match.Skill) *match.Index {
	var ix *match.Index
	var err error
	if x.embedder != nil && !x.resting() {
		within, cancel := context.WithTimeout(ctx, vectorsWithin)
		defer cancel()
		ix, err = match.NewEmbedded(within, skills, x.embedder)
		x.heard(ctx, err)
	}
	whole := ix != nil || x.embedder == nil
	if ix == nil {
		ix = match.New(skills)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.built) >= maxIndexes {
		clear(x.built)
		clear(x.partial)
	}
	x.built[key] = ix
	if !whole {
		x.partial[key] = skills
		x.wake()
	}
	return ix
}

// match is what fits a request.
func (x *indexes) match(ctx context.Context, ix *match.Index, query string, limit int) match.Result {
	if x.embedder == nil || x.resting() {
		return ix.Match(query, limit)
	}
	within, cancel := context.WithTimeout(ctx, vectorsWithin)
	defer cancel()
	r, err := ix.MatchEmbedded(within, query, limit)
	if err != nil {
		x.heard(ctx, err)
	} else if ix.Embedded() {
		x.heard(ctx, nil)
	}
	return r
}

// resting reports whether the embedder is left alone by messages.
func (x *indexes) resting() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.misses >= givenUp
}

// heard counts an answer of the embedder, or that there was none. A message
// that was ended itself says nothing about it.
func (x *indexes) heard(ctx context.Context, err error) {
	if err != nil && ctx.Err() != nil {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if err == nil {
		x.misses = 0
		return
	}
	x.misses++
	x.log.Warn("skills are matched by words alone", "in a row", x.misses, "err", err)
	if x.misses == givenUp {
		x.wake()
	}
}

// wake has run try. Whoever was told already tries for all.
func (x *indexes) wake() {
	select {
	case x.failed <- struct{}{}:
	default:
	}
}

// run tries an embedder that failed again until it answers, and gives the
// indexes their vectors then. It returns when ctx ends.
func (x *indexes) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-x.failed:
		}
		for !x.mend(ctx) {
			select {
			case <-ctx.Done():
				return
			case <-time.After(vectorsAgain):
			}
		}
	}
}

// mend makes the indexes whole that lack their vectors, and reports whether the
// embedder answers.
func (x *indexes) mend(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, vectorsPatience)
	defer cancel()
	if _, err := x.embedder.Embed(ctx, []string{"hello"}); err != nil {
		return false
	}
	for key, skills := range x.lacking() {
		ix, err := match.NewEmbedded(ctx, skills, x.embedder)
		if err != nil {
			return false
		}
		x.replace(key, ix)
	}
	x.heard(ctx, nil)
	return true
}

func (x *indexes) lacking() map[indexKey][]match.Skill {
	x.mu.Lock()
	defer x.mu.Unlock()
	out := make(map[indexKey][]match.Skill, len(x.partial))
	for key, skills := range x.partial {
		out[key] = skills
	}
	return out
}

// replace puts a whole index in the place of a partial one that is still kept.
func (x *indexes) replace(key indexKey, ix *match.Index) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if _, kept := x.partial[key]; kept {
		x.built[key] = ix
		delete(x.partial, key)
	}
}
