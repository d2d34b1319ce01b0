package memory_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"talaria/core/memory"
	"talaria/storage"
	"talaria/storage/redis"
	"talaria/storage/redis/redistest"
	"talaria/storage/sqlite"
)

// onBoth runs a benchmark on a SQLite file and on a Redis server. What size
// tells is the bytes that the store has taken since, in the file or in the
// server's memory; it comes last, as it may close the store.
func onBoth(b *testing.B, f func(b *testing.B, s *storage.Store, size func() int64)) {
	b.Run("sqlite", func(b *testing.B) {
		path := filepath.Join(b.TempDir(), "b.db")
		d, err := sqlite.Open(b.Context(), path, sqlite.Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = d.Close() })
		f(b, storage.New(d), func() int64 {
			if err := d.Close(); err != nil {
				b.Fatal(err)
			}
			info, err := os.Stat(path)
			if err != nil {
				b.Fatal(err)
			}
			return info.Size()
		})
	})
	b.Run("redis", func(b *testing.B) {
		url := redistest.Start(b, redistest.Options{}).URL()
		d, err := redis.Open(b.Context(), url, redis.Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = d.Close() })
		empty := usedMemory(b, url)
		f(b, storage.New(d), func() int64 { return usedMemory(b, url) - empty })
	})
}

// usedMemory is how many bytes a Redis server has allocated.
func usedMemory(b *testing.B, url string) int64 {
	opts, err := goredis.ParseURL(url)
	if err != nil {
		b.Fatal(err)
	}
	client := goredis.NewClient(opts)
	defer client.Close()
	for line := range strings.Lines(client.Info(b.Context(), "memory").Val()) {
		if bytes, ok := strings.CutPrefix(strings.TrimSpace(line), "used_memory:"); ok {
			n, err := strconv.ParseInt(bytes, 10, 64)
			if err != nil {
				b.Fatal(err)
			}
			return n
		}
	}
	b.Fatal("the server doesn't say how much memory it uses")
	return 0
}

// report tells the time that one in a hundred took longer than.
func report(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "ms-p99")
}

// sentence is words of a Zipf-like spread: few are common, most are rare.
func sentence(r *rand.Rand) string {
	var words []string
	for range 12 {
		words = append(words, fmt.Sprintf("word%d", int(5000*r.Float64()*r.Float64()*r.Float64())))
	}
	return strings.Join(words, " ")
}

// BenchmarkSearch looks in one place of many turns. Beside the mean it tells
// the slowest of a hundred.
func BenchmarkSearch(b *testing.B) {
	for _, turns := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(turns), func(b *testing.B) {
			onBoth(b, func(b *testing.B, s *storage.Store, _ func() int64) {
				r := rand.New(rand.NewPCG(3, 4))
				place := inDM("ana").Place
				for n := range turns / 500 {
					var lines []string
					for range 500 {
						lines = append(lines, "Ana: "+sentence(r))
					}
					talk(b, s, place, fmt.Sprint("s", n), 1, lines...)
				}
				searcher := memory.NewSearcher(s, members{}, nil)
				var took []time.Duration
				for b.Loop() {
					q := fmt.Sprintf("word%d word%d word%d", r.IntN(5000), r.IntN(500), r.IntN(50))
					began := time.Now()
					if _, err := searcher.Search(b.Context(), inDM("ana"), q, 10); err != nil {
						b.Fatal(err)
					}
					took = append(took, time.Since(began))
				}
				report(b, took)
			})
		})
	}
}

// BenchmarkPeople keeps ten cards and ten turns for each of 10,000 people, and
// then loads what goes into the prompt of one. It also tells the bytes that a
// person takes.
func BenchmarkPeople(b *testing.B) {
	const people = 10_000
	onBoth(b, func(b *testing.B, s *storage.Store, size func() int64) {
		r := rand.New(rand.NewPCG(5, 6))
		for n := range people {
			p := inDM(fmt.Sprint("p", n))
			batch := storage.On(storage.Person(string(p.Person)))
			for card := range 10 {
				id := fmt.Sprintf("card%08d", card)
				batch.Put("card", id, memory.Card{ID: id, Kind: memory.Work, Text: sentence(r), State: memory.Active, Confidence: 0.75, Created: monday, Updated: monday}, storage.Any)
			}
			if _, err := s.Commit(b.Context(), batch); err != nil {
				b.Fatal(err)
			}
			var lines []string
			for range 10 {
				lines = append(lines, "Ana: "+sentence(r))
			}
			talk(b, s, p.Place, "s", 1, lines...)
		}
		var took []time.Duration
		for b.Loop() {
			p := inDM(fmt.Sprint("p", r.IntN(people)))
			began := time.Now()
			text, err := memory.For(s, p).Snapshot(b.Context())
			if err != nil || text == "" {
				b.Fatalf("%q, %v", text, err)
			}
			took = append(took, time.Since(began))
		}
		report(b, took)
		b.ReportMetric(float64(size())/people, "bytes/person")
	})
}
