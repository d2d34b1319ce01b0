package redis_test

import (
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"talaria/storage"
	"talaria/storage/redis"
)

// turn is a batch as a step of a turn commits it.
func turn(f storage.Fence, n int) storage.Ops {
	key := strconv.Itoa(n % 100)
	value := make([]byte, 300)
	return storage.Ops{Partition: f.Partition, Fence: &f, Ops: []storage.Op{
		{Put: &storage.PutOp{Ref: storage.Ref{Collection: "sessions", Key: key}, Value: value, Expect: storage.Any}},
		{Append: &storage.AppendOp{Log: "journal/" + key, Values: [][]byte{value}}},
	}}
}

// BenchmarkApply runs small fenced batches from 64 goroutines, as a busy
// replica does.
func BenchmarkApply(b *testing.B) {
	d := open(b, single.URL(), redis.Options{})
	var fences []storage.Fence
	for n := range 16 {
		f, err := d.Acquire(b.Context(), storage.Shard(n), "bench", time.Hour)
		if err != nil {
			b.Fatal(err)
		}
		fences = append(fences, f)
	}
	b.ReportAllocs()
	b.ResetTimer()
	var next atomic.Int64
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for n := int(next.Add(1)); n <= b.N; n = int(next.Add(1)) {
				if _, err := d.Apply(b.Context(), turn(fences[n%len(fences)], n)); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "batches/s")
}

func BenchmarkGet(b *testing.B) {
	d := open(b, single.URL(), redis.Options{})
	ref := storage.Ref{Collection: "c", Key: "k"}
	if _, err := d.Apply(b.Context(), storage.Ops{Partition: storage.Shard(0), Ops: []storage.Op{{Put: &storage.PutOp{
		Ref: ref, Value: make([]byte, 300), Expect: storage.Any}}}}); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.Get(b.Context(), storage.Shard(0), ref); err != nil {
			b.Fatal(err)
		}
	}
}
