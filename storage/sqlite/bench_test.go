package sqlite_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"talaria/storage"
	"talaria/storage/sqlite"
)

// value is as long as a typical step of a journal.
var value = []byte(`{"text":"` + strings.Repeat("word ", 60) + `"}`)

// step is a batch as one step of a turn makes it.
func step(p storage.Partition, durable bool, session string, n int) storage.Ops {
	return storage.Ops{Partition: p, Durable: durable, Ops: []storage.Op{
		{Put: &storage.PutOp{Ref: storage.Ref{Collection: "session", Key: session}, Value: value, Expect: storage.Any}},
		{Append: &storage.AppendOp{Log: "journal/" + session, Values: [][]byte{value}}},
		{Queue: &storage.QueueOp{Key: fmt.Sprintf("%s/%d", session, n), State: storage.Queued, Value: value}},
	}}
}

func BenchmarkApply(b *testing.B) {
	for _, durable := range []bool{false, true} {
		for _, writers := range []int{1, 64} {
			b.Run(fmt.Sprintf("durable=%t/writers=%d", durable, writers), func(b *testing.B) {
				benchmarkApply(b, durable, writers)
			})
		}
	}
}

func benchmarkApply(b *testing.B, durable bool, writers int) {
	d := open(b, filepath.Join(b.TempDir(), "store.db"), sqlite.Options{})
	b.SetParallelism(writers / 2) // the benchmarks are for two cores
	if writers == 1 {
		for n := 0; b.Loop(); n++ {
			apply(b, d, step(storage.Shard(1), durable, "alone", n))
		}
	} else {
		var ids atomic.Int64
		b.RunParallel(func(pb *testing.PB) {
			id := int(ids.Add(1))
			for n := 0; pb.Next(); n++ {
				apply(b, d, step(storage.Shard(id), durable, fmt.Sprint("session", id), n))
			}
		})
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "batches/s")
}

func apply(b *testing.B, d *sqlite.Driver, ops storage.Ops) {
	if _, err := d.Apply(b.Context(), ops); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkGet(b *testing.B) {
	d := open(b, filepath.Join(b.TempDir(), "store.db"), sqlite.Options{})
	apply(b, d, step(storage.Shard(1), false, "s", 1))
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := d.Get(b.Context(), storage.Shard(1), storage.Ref{Collection: "session", Key: "s"}); err != nil {
				b.Error(err)
			}
		}
	})
}

func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "store.db")
	d := open(b, path, sqlite.Options{})
	for n := range 100 {
		apply(b, d, step(storage.Shard(1), false, "s", n))
	}
	if err := d.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		d, err := sqlite.Open(b.Context(), path, sqlite.Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if err := d.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

// words makes documents whose terms are as unequally common as in a language.
type words struct{ z *rand.Zipf }

func newWords() *words {
	return &words{rand.NewZipf(rand.New(rand.NewPCG(1, 2)), 1.1, 2, 60000)}
}

func (w *words) term() string { return fmt.Sprint("word", w.z.Uint64()) }

func (w *words) counts() map[string]int {
	counts := map[string]int{}
	for range 35 {
		counts[w.term()]++
	}
	return counts
}

func BenchmarkIndex(b *testing.B) {
	d := open(b, filepath.Join(b.TempDir(), "store.db"), sqlite.Options{})
	var ids atomic.Int64
	b.SetParallelism(32)
	b.RunParallel(func(pb *testing.PB) {
		w := &words{rand.NewZipf(rand.New(rand.NewPCG(1, uint64(ids.Add(1)))), 1.1, 2, 60000)}
		for pb.Next() {
			doc := fmt.Sprintf("%09d", ids.Add(1))
			apply(b, d, storage.Ops{Partition: storage.Shard(1), Ops: []storage.Op{
				{Index: &storage.IndexOp{Place: "p", IndexedDoc: storage.IndexedDoc{Doc: doc, Counts: w.counts()}}},
			}})
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "docs/s")
}

func BenchmarkSearch(b *testing.B) {
	for _, size := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint("documents=", size), func(b *testing.B) {
			d := open(b, filepath.Join(b.TempDir(), "store.db"), sqlite.Options{})
			w := newWords()
			for from := 0; from < size; from += 1000 {
				ops := storage.Ops{Partition: storage.Shard(1)}
				for n := range 1000 {
					ops.Ops = append(ops.Ops, storage.Op{Index: &storage.IndexOp{Place: "p", IndexedDoc: storage.IndexedDoc{
						Doc: fmt.Sprintf("%09d", from+n), Counts: w.counts()}}})
				}
				apply(b, d, ops)
			}
			store := storage.New(d)
			var took []time.Duration
			for b.Loop() {
				query := []string{w.term(), w.term(), w.term(), w.term()}
				begin := time.Now()
				if _, err := store.Candidates(b.Context(), storage.Shard(1), "p", query); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(begin))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
		})
	}
}
