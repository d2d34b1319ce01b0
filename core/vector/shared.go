package vector

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"talaria/core/sleep"
)

// How an embedder that does not answer is dealt with.
const (
	// Within is how long a message waits for vectors; words do without.
	Within = 2 * time.Second
	// givenUp is the failures in a row after which no message waits any more.
	givenUp = 3
	// again is the time between two tries in the background, and patience is how
	// long one may take.
	again    = 30 * time.Second
	patience = time.Minute
	// maxText is how much of a text is embedded, in bytes: endpoints refuse what
	// is too long (OpenAI's: 8,191 tokens).
	maxText = 4000
	// maxOwed bounds the texts that are left to the background, and batch is how
	// many it asks for at once.
	maxOwed = 4096
	batch   = 256
)

var (
	errResting = errors.New("the embedder does not answer and is left alone")
	errOwed    = errors.New("the embedder did not answer in time and is asked in the background")
)

// Shared is an Embedder for everybody's messages in place of another one. It
// asks that one for a text once, as long as the vector is kept, and fails at
// once where the answer would not come in time.
type Shared struct {
	from   Embedder
	within time.Duration
	log    *slog.Logger
	failed chan struct{} // of one: there is something for Run to try

	mu     sync.Mutex
	kept   cache
	owed   map[key]string // texts that were asked for in vain
	misses int            // failures in a row
}

// NewShared makes an Embedder that asks another one, and waits so long for an
// answer.
func NewShared(from Embedder, within time.Duration, log *slog.Logger) *Shared {
	return &Shared{from: from, within: within, log: log, failed: make(chan struct{}, 1), owed: map[key]string{}}
}

// text is what vectors are asked for.
type text struct {
	key   key
	words string
}

// Embed implements Embedder. A text without a word has an empty vector.
func (s *Shared) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	keys := make([]key, len(texts))
	for i, t := range texts {
		keys[i] = keyOf(t)
	}
	found, lacking, err := s.look(keys, texts)
	if err != nil {
		return nil, err
	}
	if len(lacking) > 0 {
		got, err := s.fetch(ctx, lacking)
		if err != nil {
			return nil, err
		}
		for i, v := range got {
			found[lacking[i].key] = v
		}
	}
	out := make([][]float32, len(texts))
	for i, k := range keys {
		out[i] = found[k]
	}
	return out, nil
}

// look returns the vectors that are kept, and the texts to ask for, each once.
func (s *Shared) look(keys []key, texts []string) (found map[key][]float32, lacking []text, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found = make(map[key][]float32, len(keys))
	for i, k := range keys {
		if _, seen := found[k]; seen {
			continue
		}
		found[k] = s.kept.get(k)
		if found[k] != nil || strings.TrimSpace(texts[i]) == "" {
			continue
		}
		if _, owed := s.owed[k]; owed {
			return nil, nil, errOwed
		}
		lacking = append(lacking, text{k, beginning(texts[i])})
	}
	if len(lacking) > 0 && s.misses >= givenUp {
		return nil, nil, errResting
	}
	return found, lacking, nil
}

// fetch asks for texts as long as a message may wait.
func (s *Shared) fetch(ctx context.Context, texts []text) ([][]float32, error) {
	within, cancel := context.WithTimeout(ctx, s.within)
	defer cancel()
	got, err := s.ask(within, texts)
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err() // that a message was ended says nothing about the embedder
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.missed(texts, err)
		return nil, err
	}
	s.misses = 0
	s.kept.put(texts, got)
	return got, nil
}

// missed counts a failure, and has Run ask for what did not come.
func (s *Shared) missed(texts []text, err error) {
	s.misses++
	s.log.Warn("skills and memory go by words alone", "in a row", s.misses, "err", err)
	for _, t := range texts[:min(len(texts), maxOwed-len(s.owed))] {
		s.owed[t.key] = t.words
	}
	select {
	case s.failed <- struct{}{}:
	default: // it was told already, and asks for all
	}
}

// ask asks the embedder itself.
func (s *Shared) ask(ctx context.Context, texts []text) ([][]float32, error) {
	words := make([]string, len(texts))
	for i, t := range texts {
		words[i] = t.words
	}
	vectors, err := s.from.Embed(ctx, words)
	if err == nil && len(vectors) != len(words) {
		err = fmt.Errorf("embed %d texts: got %d vectors", len(words), len(vectors))
	}
	return vectors, err
}

// Run tries an embedder that failed again until it answers, and asks it for what
// it owes. It returns when ctx ends.
func (s *Shared) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.failed:
		}
		for !s.mend(ctx) {
			if !sleep.For(ctx, again) {
				return
			}
		}
	}
}

// mend reports whether the embedder answers, and owes nothing any more. Where
// it does not, what it owes is dropped: the next message that needs it asks
// again, and people's words don't lie about here.
func (s *Shared) mend(ctx context.Context) bool {
	if s.settled() {
		return true
	}
	for owed := []text{{keyOf("hello"), "hello"}}; len(owed) > 0; {
		within, cancel := context.WithTimeout(ctx, patience)
		got, err := s.ask(within, owed)
		cancel()
		if owed = s.pay(owed, got, err); err != nil {
			return false
		}
	}
	return true
}

func (s *Shared) settled() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.misses == 0 && len(s.owed) == 0
}

// pay takes an answer to Run, and returns some of what is still owed. Nobody
// waits for a text before it is there.
func (s *Shared) pay(texts []text, got [][]float32, err error) (more []text) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		clear(s.owed)
		return nil
	}
	s.kept.put(texts, got)
	for _, t := range texts {
		delete(s.owed, t.key)
	}
	for k, words := range s.owed {
		if more = append(more, text{k, words}); len(more) == batch {
			return more
		}
	}
	if len(more) == 0 {
		s.misses = 0
	}
	return more
}
