package memory

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/vector"
	"talaria/storage"
)

// corpusLine is one turn of a corpus file. Session may be any JSON value.
type corpusLine struct {
	ID      string          `json:"id"`
	User    string          `json:"user"`
	Session json.RawMessage `json:"session"`
	At      string          `json:"at"`
	Text    string          `json:"text"`
}

// corpusTimes are the forms in which a line may give its time.
var corpusTimes = []string{time.RFC3339, time.DateTime, time.DateOnly, "3:04 pm on 2 January, 2006"}

// time is when a line was said, or otherwise if it does not say.
func (l corpusLine) time(otherwise time.Time) time.Time {
	for _, form := range corpusTimes {
		if at, err := time.Parse(form, l.At); err == nil {
			return at
		}
	}
	return otherwise
}

// corpusQuery is one question, and corpusAnswer what comes of it.
type corpusQuery struct {
	ID    string `json:"id"`
	User  string `json:"user"`
	Query string `json:"query"`
}

type corpusAnswer struct {
	ID  string   `json:"id"`
	IDs []string `json:"ids"`
}

// SearchCorpus tries session search on a collection of one's own: it indexes
// the lines of corpus in an empty store, as direct conversations of their
// users, and writes for each line of in the ids of the top turns, best first. A
// nil embedder leaves the order to words.
func SearchCorpus(ctx context.Context, s *storage.Store, e vector.Embedder, corpus, in io.Reader, out io.Writer, top int) error {
	if err := indexCorpus(ctx, s, corpus); err != nil {
		return err
	}
	searcher := NewSearcher(s, ownPlace{}, nil).ByMeaning(e)
	enc := json.NewEncoder(out)
	return eachLine(in, "query", func(q corpusQuery) error {
		p := person.Principal{Person: person.ID(q.User), Place: corpusPlace(q.User), Direct: true}
		hits, err := searcher.Search(ctx, p, q.Query, top)
		if err != nil {
			return fmt.Errorf("query %q: %w", q.ID, err)
		}
		a := corpusAnswer{ID: q.ID, IDs: make([]string, len(hits))}
		for i, h := range hits {
			a.IDs[i] = h.Message
		}
		return enc.Encode(a)
	})
}

func corpusPlace(user string) chat.Address { return chat.Address{Platform: "corpus", Chat: user} }

// ownPlace lets each user read their own conversation.
type ownPlace struct{}

func (ownPlace) Readable(_ context.Context, p person.Principal) ([]chat.Address, error) {
	return []chat.Address{p.Place}, nil
}

// corpusBatch is how many turns are indexed in one step.
const corpusBatch = 200

func indexCorpus(ctx context.Context, s *storage.Store, corpus io.Reader) error {
	type stretch struct{ user, session string }
	numbers := map[stretch]int{}
	batches := map[storage.Partition]*storage.Batch{}
	flush := func(p storage.Partition) error {
		_, err := s.Commit(ctx, batches[p])
		delete(batches, p)
		return err
	}
	clock := time.Unix(0, 0)
	err := eachLine(corpus, "corpus", func(l corpusLine) error {
		clock = clock.Add(time.Second) // lines are in order
		at := l.time(clock)
		where := stretch{l.User, string(l.Session)}
		numbers[where]++
		place := corpusPlace(l.User)
		p := person.ShardOf(place)
		if batches[p] == nil {
			batches[p] = storage.On(p)
		}
		IndexTurns(batches[p], place, Turn{
			Session: where.session, Number: numbers[where], At: at, Who: person.ID(l.User), Text: l.Text, Message: l.ID,
		})
		if batches[p].Len() < corpusBatch {
			return nil
		}
		return flush(p)
	})
	for p := range batches {
		if err == nil {
			err = flush(p)
		}
	}
	if err != nil {
		return fmt.Errorf("index corpus: %w", err)
	}
	return nil
}

// eachLine decodes the JSON lines of r. Empty lines are left out.
func eachLine[T any](r io.Reader, what string, f func(T) error) error {
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, storage.MaxValue)
	for n := 1; sc.Scan(); n++ {
		if len(sc.Bytes()) == 0 {
			continue
		}
		var v T
		if err := json.Unmarshal(sc.Bytes(), &v); err != nil {
			return fmt.Errorf("line %d of the %s is no JSON line: %w", n, what, err)
		}
		if err := f(v); err != nil {
			return err
		}
	}
	if err := sc.Err(); err != nil {
		return fmt.Errorf("read the %s: %w", what, err)
	}
	return nil
}
