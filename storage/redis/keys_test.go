package redis_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"talaria/storage"
	"talaria/storage/redis"
	"talaria/storage/redis/redistest"
)

// oneOfEach is operations that touch every kind of key but blobs.
func oneOfEach(due time.Time) []storage.Op {
	return []storage.Op{
		{Put: &storage.PutOp{Ref: ref, Value: []byte("v"), Expect: storage.Any, TTL: time.Minute}},
		{Append: &storage.AppendOp{Log: "l", Values: [][]byte{[]byte("v")}}},
		{Receive: &storage.ReceiveOp{Keys: []string{"k"}, Value: []byte("v"), Remember: time.Minute}},
		{Queue: &storage.QueueOp{Key: "k", State: storage.Queued, Value: []byte("v")}},
		{Move: &storage.MoveOp{Key: "k", From: []storage.State{storage.Queued}, To: storage.Sent, TTL: time.Minute}},
		{SetTimer: &storage.SetTimerOp{Timer: storage.Timer{ID: "t", Due: due}}},
		{ClaimTimer: &storage.ClaimTimerOp{ID: "t", Due: due, Lease: time.Minute}},
		{Index: &storage.IndexOp{Place: "p", IndexedDoc: storage.IndexedDoc{Doc: "d", Counts: map[string]int{"a": 1}}}},
	}
}

func putBlob(t *testing.T, d *redis.Driver, p storage.Partition, data string) string {
	t.Helper()
	sum := sha256.Sum256([]byte(data))
	hash := hex.EncodeToString(sum[:])
	if err := d.PutBlob(t.Context(), p, hash, []byte(data)); err != nil {
		t.Fatal(err)
	}
	return hash
}

func TestAllKeysHaveThePrefixAndTheirPartitionsTag(t *testing.T) {
	s := redistest.Start(t, redistest.Options{})
	d := open(t, s.URL(), redis.Options{})
	p := storage.Team("a}:log:{b%")
	if _, err := d.Apply(t.Context(), storage.Ops{Partition: p, Ops: oneOfEach(time.UnixMilli(1))}); err != nil {
		t.Fatal(err)
	}
	putBlob(t, d, p, "x")
	keys := admin(t, s).Keys(t.Context(), "*").Val()
	for _, k := range keys {
		if strings.HasSuffix(k, ":1:{registry}:partitions") {
			continue
		}
		if _, rest, ok := strings.Cut(k, ":1:{t/a%7D:log:%7Bb%25}:"); !ok || rest == "" || strings.ContainsAny(rest, "{}") {
			t.Errorf("key %q", k)
		}
	}
	if len(keys) != 20 {
		t.Errorf("%d keys: %v", len(keys), keys)
	}
}

func TestErasingLeavesNoKey(t *testing.T) {
	s := redistest.Start(t, redistest.Options{})
	d := open(t, s.URL(), redis.Options{})
	p := storage.Person("canary")
	for n := range 3 {
		ops := oneOfEach(time.UnixMilli(1))
		ops[1].Append.Log = fmt.Sprint(n)
		ops[7].Index.Place = fmt.Sprint(n)
		if n > 0 {
			ops = slices.Delete(ops, 3, 5) // the row is there
		}
		if _, err := d.Apply(t.Context(), storage.Ops{Partition: p, Ops: ops}); err != nil {
			t.Fatal(err)
		}
		putBlob(t, d, p, fmt.Sprint(n))
	}
	if _, err := d.Acquire(t.Context(), p, "holder", time.Minute); err != nil {
		t.Fatal(err)
	}
	root := admin(t, s)
	// As if the partition had been registered a while ago.
	registry := root.Keys(t.Context(), "*registry*").Val()[0]
	if err := root.ZIncrBy(t.Context(), registry, -120_000, p.String()).Err(); err != nil {
		t.Fatal(err)
	}
	if err := d.Erase(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if keys := root.Keys(t.Context(), "*").Val(); len(keys) > 0 {
		t.Errorf("left are %v", keys)
	}
}

func TestNameOfAYoungErasedPartitionGoesLater(t *testing.T) {
	s := redistest.Start(t, redistest.Options{})
	d := open(t, s.URL(), redis.Options{})
	p := storage.Shard(1)
	write(t, d, "v")
	if err := d.Erase(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	root := admin(t, s)
	registry := root.Keys(t.Context(), "*").Val()
	if len(registry) != 1 {
		t.Fatalf("left are %v", registry)
	}
	write(t, d, "again") // registers anew although the name is there
	if err := root.ZIncrBy(t.Context(), registry[0], -120_000, p.String()).Err(); err != nil {
		t.Fatal(err)
	}
	list := func() (names []string) {
		if err := d.Partitions(t.Context(), func(p storage.Partition) error {
			names = append(names, p.String())
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return names
	}
	if got := list(); !slices.Equal(got, []string{p.String()}) {
		t.Errorf("listed %v", got)
	}
	if err := root.Del(t.Context(), root.Keys(t.Context(), "*{s/001}*").Val()...).Err(); err != nil {
		t.Fatal(err)
	}
	if got := list(); got != nil {
		t.Errorf("listed %v", got)
	}
	if keys := root.Keys(t.Context(), "*").Val(); len(keys) > 0 {
		t.Errorf("left are %v", keys)
	}
}

func TestWhatExpiredIsRemovedByLaterWrites(t *testing.T) {
	s := redistest.Start(t, redistest.Options{})
	d := open(t, s.URL(), redis.Options{})
	for n := range 40 {
		ops := oneOfEach(time.UnixMilli(1))[:5]
		ops[0].Put.Key, ops[2].Receive.Keys[0], ops[3].Queue.Key, ops[4].Move.Key = fmt.Sprint(n), fmt.Sprint(n), fmt.Sprint(n), fmt.Sprint(n)
		if _, err := d.Apply(t.Context(), batch(ops...)); err != nil {
			t.Fatal(err)
		}
	}
	d.Advance(2 * time.Minute)
	for range 2 { // 32 go with each
		if _, err := d.Apply(t.Context(), batch(oneOfEach(time.UnixMilli(1))[:5]...)); err != nil {
			t.Fatal(err)
		}
		d.Advance(2 * time.Minute)
	}
	if _, err := d.Apply(t.Context(), batch(oneOfEach(time.UnixMilli(1))[:5]...)); err != nil {
		t.Fatal(err)
	}
	root := admin(t, s)
	for _, k := range root.Keys(t.Context(), "*").Val() {
		var size int64
		switch _, name, _ := strings.Cut(k, "}:"); name {
		case "docs", "rows":
			size = root.HLen(t.Context(), k).Val()
		case "names", "docs-ttl", "seen", "states", "rows-ttl":
			size = root.ZCard(t.Context(), k).Val()
		}
		if size > 1 {
			t.Errorf("%s holds %d", k, size)
		}
	}
}

func TestWritersRaceWithErasing(t *testing.T) {
	d := open(t, single.URL(), redis.Options{})
	p := storage.Shard(1)
	done := make(chan error, 1)
	go func() {
		var err error
		for n := 0; n < 200 && err == nil; n++ {
			_, err = d.Apply(t.Context(), batch(storage.Op{Append: &storage.AppendOp{Log: fmt.Sprint(n), Values: [][]byte{{1}}}}))
		}
		done <- err
	}()
	for {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			findings, err := d.Check(t.Context())
			if err != nil || len(findings) > 0 {
				t.Errorf("found %v, %v", findings, err)
			}
			return
		default:
			// It may be overtaken by new logs again and again, and says so.
			if err := d.Erase(t.Context(), p); err != nil && !errors.Is(err, storage.ErrUnavailable) {
				t.Fatal(err)
			}
		}
	}
}
