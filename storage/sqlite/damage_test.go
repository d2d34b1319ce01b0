package sqlite_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"talaria/storage"
	"talaria/storage/sqlite"
)

// sample makes a store with some of everything and returns its bytes and
// those of a log that was not yet moved into it.
func sample(t *testing.T) (file, wal []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "store.db")
	d := open(t, path, sqlite.Options{})
	fill := func(from, to int) {
		for n := from; n < to; n++ {
			write(t, d, everything(n))
			if _, err := storage.New(d).PutBlob(t.Context(), shard, bytes.Repeat(fmt.Append(nil, n), 500)); err != nil {
				t.Fatal(err)
			}
		}
	}
	fill(0, 60)
	if err := d.Script(t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		t.Fatal(err)
	}
	fill(60, 80)
	return contents(t, path), contents(t, path+"-wal")
}

func contents(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// everything is a batch with operations of most kinds.
func everything(n int) storage.Ops {
	key := fmt.Sprint(n)
	return storage.Ops{Partition: storage.Shard(n % 5), Ops: []storage.Op{
		{Put: &storage.PutOp{Ref: storage.Ref{Collection: "c", Key: key}, Value: value, Expect: storage.Any}},
		{Append: &storage.AppendOp{Log: "l", Values: [][]byte{value, value}}},
		{Receive: &storage.ReceiveOp{Keys: []string{key}, Value: value, Remember: time.Hour}},
		{Queue: &storage.QueueOp{Key: key, State: storage.Queued, Value: value}},
		{SetTimer: &storage.SetTimerOp{Timer: storage.Timer{ID: key, Due: time.UnixMilli(int64(n)), Value: value}}},
		{Index: &storage.IndexOp{Place: "p", IndexedDoc: storage.IndexedDoc{
			Doc: key, Counts: map[string]int{"term": 1, "term" + key: 2}}}},
	}}
}

// use calls everything that reads and writes, and returns all errors.
func use(ctx context.Context, d *sqlite.Driver) []error {
	var errs []error
	keep := func(_ any, err error) { errs = append(errs, err) }
	for n := range 5 {
		p := storage.Shard(n)
		keep(d.List(ctx, p, "c", "", 1000))
		keep(d.ReadLog(ctx, p, "l", 0, 1000))
		keep(d.Pending(ctx, p, 0, 1000))
		keep(d.Rows(ctx, p, 0, 1000, storage.Queued, storage.Sent))
		keep(d.Due(ctx, p, time.UnixMilli(1<<40), 1000))
		keep(d.IndexStats(ctx, p, "p", []string{"term", "term7"}))
		keep(d.Postings(ctx, p, "p", []string{"term", "term7"}, 100))
		keep(nil, d.Dump(ctx, p, func(storage.Record) error { return nil }))
	}
	for n := range 20 {
		keep(d.Apply(ctx, everything(n)))
	}
	keep(d.Acquire(ctx, shard, "a", time.Hour))
	keep(nil, d.Partitions(ctx, func(storage.Partition) error { return nil }))
	keep(nil, d.Erase(ctx, shard))
	return errs
}

func TestDamagedFilesWorkOrAreNamedWithARemedy(t *testing.T) {
	file, wal := sample(t)
	r := rand.New(rand.NewPCG(3, 4))
	mutations := 60
	if os.Getenv("TALARIA_TORTURE") != "" {
		mutations = 2000
	}
	worked, refused, found := 0, 0, 0
	for n := range mutations {
		dir := t.TempDir()
		path := filepath.Join(dir, "store.db")
		damagedFile, damagedWAL := file, wal
		if n%4 == 3 {
			damagedWAL = damage(r, wal)
		} else {
			damagedFile = damage(r, file)
		}
		for name, data := range map[string][]byte{path: damagedFile, path + "-wal": damagedWAL} {
			if err := os.WriteFile(name, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		errs, findings := openAndUse(t, path)
		if len(errs) == 0 {
			worked++
		} else {
			refused++
		}
		if findings > 0 {
			found++
		}
		for _, err := range errs {
			if !errors.Is(err, storage.ErrCorrupt) && !errors.Is(err, storage.ErrUnavailable) && !errors.Is(err, storage.ErrInvalid) {
				t.Errorf("mutation %d: unclear error: %v", n, err)
			} else if !strings.Contains(err.Error(), path) {
				t.Errorf("mutation %d: the file is not named: %v", n, err)
			}
		}
	}
	t.Logf("%d worked, %d were refused, %d had findings", worked, refused, found)
	if refused == 0 || found == 0 {
		t.Error("no damage was noticed")
	}
}

func TestADamagedIndexIsNamedAsDamage(t *testing.T) {
	for name, harm := range map[string]string{
		"its format is unknown": "UPDATE postings_config SET v = 0 WHERE k = 'version'",
		"its tables are gone":   "DROP TABLE postings_config",
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "store.db")
			d := open(t, path, sqlite.Options{})
			write(t, d, everything(1))
			if err := d.Close(); err != nil {
				t.Fatal(err)
			}
			damageIndex(t, path, harm)
			errs, _ := openAndUse(t, path)
			if len(errs) == 0 {
				t.Error("it works")
			}
			for _, err := range errs {
				if !errors.Is(err, storage.ErrCorrupt) || !strings.Contains(err.Error(), "store restore") {
					t.Error(err)
				}
			}
		})
	}
}

// damageIndex goes round the driver, which lets nobody change the index's tables.
func damageIndex(t *testing.T, path, harm string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), harm); err != nil {
		t.Error(err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

// openAndUse returns the errors that came up, and how many findings a check has.
func openAndUse(t *testing.T, path string) (errs []error, findings int) {
	t.Helper()
	var noticed atomic.Int64
	d, err := sqlite.Open(t.Context(), path, sqlite.Options{Damaged: func(error) { noticed.Add(1) }})
	if err != nil {
		return []error{err}, 0
	}
	defer d.Close()
	found, err := d.Check(t.Context())
	for _, err := range append(use(t.Context(), d), err) {
		if err != nil {
			errs = append(errs, err)
		}
		if errors.Is(err, storage.ErrCorrupt) && noticed.Load() == 0 {
			t.Errorf("nobody was told of %v", err)
		}
	}
	return errs, len(found)
}

// damage returns a copy with a few bytes changed, a stretch overwritten, or
// the end cut off.
func damage(r *rand.Rand, data []byte) []byte {
	data = bytes.Clone(data)
	switch r.IntN(3) {
	case 0:
		for range r.IntN(20) + 1 {
			data[r.IntN(len(data))] ^= byte(1 + r.IntN(255))
		}
	case 1:
		from := r.IntN(len(data))
		for n := from; n < min(len(data), from+r.IntN(8192)); n++ {
			data[n] = byte(r.Uint32())
		}
	default:
		data = data[:r.IntN(len(data))]
	}
	return data
}

func TestFullDiskRefusesWritesAndRecoversByItself(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	d := open(t, path, sqlite.Options{})
	write(t, d, put("before", "v"))
	pages, err := d.Number(t.Context(), "PRAGMA page_count")
	if err != nil {
		t.Fatal(err)
	}
	limit(t, d, pages+20)

	acknowledged := 0
	for {
		_, err := d.Apply(t.Context(), storage.Ops{Partition: shard, Durable: true, Ops: []storage.Op{
			{Append: &storage.AppendOp{Log: "l", Values: [][]byte{make([]byte, 3000)}}},
			{Put: &storage.PutOp{Ref: storage.Ref{Collection: "c", Key: "count"}, Value: fmt.Append(nil, acknowledged+1), Expect: storage.Any}},
		}})
		if err != nil {
			if !errors.Is(err, storage.ErrUnavailable) || !strings.Contains(err.Error(), "free some space") || !strings.Contains(err.Error(), path) {
				t.Fatal(err)
			}
			break
		}
		acknowledged++
	}
	if acknowledged == 0 {
		t.Fatal("full from the start")
	}
	agrees := func(want int) {
		t.Helper()
		entries, err := d.ReadLog(t.Context(), shard, "l", 0, 10000)
		if err != nil || len(entries) != want || read(t, d, "count") != fmt.Sprint(want) {
			t.Errorf("%d entries, counted %s, acknowledged %d: %v", len(entries), read(t, d, "count"), want, err)
		}
	}
	agrees(acknowledged)

	limit(t, d, pages+1000) // space returns
	write(t, d, storage.Ops{Partition: shard, Ops: []storage.Op{
		{Append: &storage.AppendOp{Log: "l", Values: [][]byte{nil}}},
		{Put: &storage.PutOp{Ref: storage.Ref{Collection: "c", Key: "count"}, Value: fmt.Append(nil, acknowledged+1), Expect: storage.Any}},
	}})
	agrees(acknowledged + 1)
	if findings, err := d.Check(t.Context()); len(findings) > 0 || err != nil {
		t.Error(findings, err)
	}
}

func limit(t *testing.T, d *sqlite.Driver, pages int64) {
	t.Helper()
	if err := d.Script(t.Context(), fmt.Sprintf("PRAGMA max_page_count = %d", pages)); err != nil {
		t.Fatal(err)
	}
}

func TestWriteThatFillsTheDiskDoesNotTakeOthersWithIt(t *testing.T) {
	d := open(t, filepath.Join(t.TempDir(), "store.db"), sqlite.Options{})
	for n := range 16 {
		write(t, d, put(fmt.Sprint(n), "old"))
	}
	pages, err := d.Number(t.Context(), "PRAGMA page_count")
	if err != nil {
		t.Fatal(err)
	}
	limit(t, d, pages+4)
	errs := make(chan error, 16)
	for n := range 16 {
		go func() {
			size := 3
			if n%4 == 0 {
				size = 1 << 20
			}
			_, err := d.Apply(t.Context(), put(fmt.Sprint(n), strings.Repeat("x", size)))
			if n%4 == 0 && !errors.Is(err, storage.ErrUnavailable) {
				err = fmt.Errorf("a large write: %w", err)
			} else if n%4 == 0 {
				err = nil
			}
			errs <- err
		}()
	}
	for range 16 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	for n := range 16 {
		if got, large := read(t, d, fmt.Sprint(n)), n%4 == 0; large != (got == "old") {
			t.Errorf("document %d is %.10q", n, got)
		}
	}
}

func TestReadOnlyStoreCanBeRead(t *testing.T) {
	d := open(t, filepath.Join(t.TempDir(), "store.db"), sqlite.Options{})
	write(t, d, put("k", "v"))
	if err := d.Script(t.Context(), "PRAGMA query_only = ON"); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Apply(t.Context(), put("k", "w")); !errors.Is(err, storage.ErrUnavailable) || !strings.Contains(err.Error(), "let this user write") {
		t.Error(err)
	}
	if got := read(t, d, "k"); got != "v" {
		t.Error(got)
	}
}

func TestStoreHeldByAnotherProcessIsUnavailable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	d, other := open(t, path, sqlite.Options{}), open(t, path, sqlite.Options{})
	for _, err := range []error{
		d.Script(t.Context(), "PRAGMA busy_timeout = 1"),
		other.Script(t.Context(), "BEGIN IMMEDIATE"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.Apply(t.Context(), put("k", "v")); !errors.Is(err, storage.ErrUnavailable) || !strings.Contains(err.Error(), "another process") {
		t.Error(err)
	}
	if err := other.Script(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	write(t, d, put("k", "v"))
}
