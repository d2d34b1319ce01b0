package memory

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/text"
	"talaria/core/vector"
	"talaria/storage"
)

// Reader says which places a principal may read now. A person.Directory does.
type Reader interface {
	Readable(ctx context.Context, p person.Principal) ([]chat.Address, error)
}

// Link is the address of a message on the web, empty where it has none.
type Link func(a chat.Address, message string) string

// Searcher finds what was said.
type Searcher struct {
	store    *storage.Store
	reader   Reader
	link     Link
	embedder vector.Embedder // nil: none
}

// NewSearcher returns a searcher over what IndexTurns has indexed in s. A nil
// link leaves hits without a way back.
func NewSearcher(s *storage.Store, r Reader, link Link) *Searcher {
	if link == nil {
		link = func(chat.Address, string) string { return "" }
	}
	return &Searcher{store: s, reader: r, link: link}
}

// Hit is a turn that was found.
type Hit struct {
	Place   chat.Address
	Message string // platform id
	Link    string // back to the message; empty where the platform has none
	At      time.Time
	Who     person.ID // empty: the bot
	Name    string    // hostile data
	Snippet text.Snippet
	Before  string // the turn before it, in short
	After   string // the turn after it, in short
	Score   float64
}

// The sizes of what is shown of a hit, in characters.
const (
	snippetWidth   = 200
	neighbourWidth = 120
)

// fanOut is how many places are asked at a time.
const fanOut = 8

// Search returns at most limit turns that a query is about, best first, from
// the places that the principal may read now.
func (s *Searcher) Search(ctx context.Context, p person.Principal, query string, limit int) ([]Hit, error) {
	q := text.NewQuery(query)
	when, err := s.when(ctx, p, query)
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	found, err := s.find(ctx, p, query, q, when, limit)
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	return s.hits(ctx, found, q)
}

// hits are found turns as they are shown.
func (s *Searcher) hits(ctx context.Context, found []found, q text.Query) ([]Hit, error) {
	hits := make([]Hit, len(found))
	for i, f := range found {
		hits[i] = Hit{
			Place: f.place, Message: f.said.Message, At: f.said.At, Who: f.said.Who, Name: f.said.Name,
			Snippet: q.Snippet(f.said.Text, snippetWidth), Score: f.Score,
			Link: s.link(f.said.at(f.place), f.said.Message),
		}
	}
	return hits, s.surround(ctx, found, hits)
}

// times is when a query says that something was said.
type times struct {
	period period
	recent span
}

func (t times) worth(at time.Time) float64 { return max(t.period.worth(at), t.recent.worth(at)) }

// when reads the times that a query names, by the person's own clock.
func (s *Searcher) when(ctx context.Context, p person.Principal, query string) (times, error) {
	if _, groups := findPhrase(query); groups == nil {
		return times{period: parsePeriod(query)}, nil
	}
	now, err := s.store.Now(ctx)
	if err != nil {
		return times{}, err
	}
	settings, err := person.ReadSettings(ctx, s.store, p)
	return times{parsePeriod(query), parseRecent(query, now.In(settings.Location()))}, err
}

// found is a turn of a place with its score.
type found struct {
	text.Scored
	place chat.Address
	said  said
}

// find ranks the candidates of all places together, reads the best ones and
// brings these into their final order.
func (s *Searcher) find(ctx context.Context, p person.Principal, query string, q text.Query, when times, limit int) ([]found, error) {
	places, err := s.reader.Readable(ctx, p)
	if err != nil {
		return nil, err
	}
	stats, docs, err := s.candidates(ctx, places, q)
	if err != nil {
		return nil, err
	}
	// More than asked for: neighbours may not exist, and the final order comes
	// with the texts.
	best, err := s.read(ctx, places, q.Rank(stats, docs, 4*limit+20))
	if err != nil {
		return nil, err
	}
	weigh(best, text.NewQuestion(query), when)
	slices.SortStableFunc(best, better)
	s.reorder(ctx, query, best)
	return s.fill(ctx, places, best[:min(len(best), limit)], when.recent, limit)
}

// candidates asks the text index of every place. A thread's name gets the
// place's number, since sessions are named within their place.
func (s *Searcher) candidates(ctx context.Context, places []chat.Address, q text.Query) (text.Stats, []text.Document, error) {
	answers := make([]storage.Candidates, len(places))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(fanOut)
	for i, place := range places {
		g.Go(func() (err error) {
			answers[i], err = s.store.Candidates(gctx, person.ShardOf(place), place.String(), q.Terms())
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return text.Stats{}, nil, err
	}
	stats := text.Stats{Holding: map[string]int{}}
	var docs []text.Document
	for i, c := range answers {
		docs = slices.Grow(docs, len(c.Documents))
		stats.Documents += c.Stats.Documents
		stats.Length += c.Stats.Terms
		for n, term := range c.Terms {
			stats.Holding[term] += c.Stats.Holding[n]
		}
		for _, d := range c.Documents {
			if thread, number, ok := parseDocID(d.Doc); ok {
				docs = append(docs, text.Document{ID: d.Doc, Thread: inPlace(i, thread), Number: number, Counts: d.Counts})
			}
		}
	}
	return stats, docs, nil
}

func inPlace(i int, thread string) string { return strconv.Itoa(i) + "/" + thread }

// read returns those of the ranked turns that exist, in their order.
func (s *Searcher) read(ctx context.Context, places []chat.Address, ranked []text.Scored) ([]found, error) {
	byPlace, err := placed(places, ranked)
	if err != nil {
		return nil, err
	}
	all := make([]*found, len(ranked))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(fanOut)
	for i, w := range byPlace {
		if len(w.refs) == 0 {
			continue
		}
		g.Go(func() error {
			docs, err := storage.GetAll[said](gctx, s.store, person.ShardOf(places[i]), w.refs...)
			for _, d := range docs {
				n := w.at[d.Key]
				all[n] = &found{ranked[n], places[i], d.Value}
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	var out []found
	for _, f := range all {
		if f != nil {
			out = append(out, *f)
		}
	}
	return out, nil
}

// wanted are the turns of one place that are to be read.
type wanted struct {
	refs []storage.Ref
	at   map[string]int // the turn's key to its place among the ranked
}

// placed sorts the ranked turns by their places.
func placed(places []chat.Address, ranked []text.Scored) ([]wanted, error) {
	out := make([]wanted, len(places))
	for n, r := range ranked {
		number, thread, _ := strings.Cut(r.Thread, "/")
		i, err := strconv.Atoi(number)
		if err != nil {
			return nil, fmt.Errorf("thread %q of no place: %w", r.Thread, err)
		}
		key := threadKey(thread, r.Number)
		if out[i].at == nil {
			out[i].at = map[string]int{}
		}
		out[i].at[key] = n
		out[i].refs = append(out[i].refs, storage.Ref{Collection: saidAt(places[i]), Key: key})
	}
	return out, nil
}

// surround fills in the turns before and after each hit, with one read for
// each place.
func (s *Searcher) surround(ctx context.Context, found []found, hits []Hit) error {
	wanted := map[chat.Address][]storage.Ref{}
	for _, f := range found {
		before, after := f.neighbours()
		wanted[f.place] = append(wanted[f.place], before, after)
	}
	texts := map[storage.Ref]string{} // a place is part of its collection's name
	for place, refs := range wanted {
		docs, err := storage.GetAll[said](ctx, s.store, person.ShardOf(place), refs...)
		if err != nil {
			return fmt.Errorf("search: read what surrounds a hit: %w", err)
		}
		for _, d := range docs {
			texts[storage.Ref{Collection: saidAt(place), Key: d.Key}] = d.Value.Text
		}
	}
	none := text.Query{}
	for i, f := range found {
		before, after := f.neighbours()
		hits[i].Before = none.Snippet(texts[before], neighbourWidth).Text
		hits[i].After = none.Snippet(texts[after], neighbourWidth).Text
	}
	return nil
}

// neighbours are where the turns before and after would be.
func (f found) neighbours() (before, after storage.Ref) {
	_, thread, _ := strings.Cut(f.Thread, "/")
	collection := saidAt(f.place)
	return storage.Ref{Collection: collection, Key: threadKey(thread, f.Number-1)},
		storage.Ref{Collection: collection, Key: threadKey(thread, f.Number+1)}
}
