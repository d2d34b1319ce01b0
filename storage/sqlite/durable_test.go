package sqlite_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"talaria/storage"
	"talaria/storage/sqlite"
)

func TestOnlyGroupsWithADurableBatchAreSynced(t *testing.T) {
	d := open(t, filepath.Join(t.TempDir(), "store.db"), sqlite.Options{})
	for n, durable := range []bool{false, true, true, false, true, false} {
		ops := put("k", "v")
		ops.Durable = durable
		write(t, d, ops)
		want := int64(1) // NORMAL: the log is written but not synced
		if durable {
			want = 2 // FULL
		}
		if level, err := d.Number(t.Context(), "PRAGMA synchronous"); err != nil || level != want {
			t.Errorf("batch %d: synchronous is %d, want %d: %v", n, level, want, err)
		}
	}
}

// crashEnv names the file on which the test binary, run as a child, writes
// until it is killed.
const crashEnv = "TALARIA_TEST_CRASH_STORE"

// writeUntilKilled prints a number once the batch with it is acknowledged.
func writeUntilKilled(path string) error {
	ctx := context.Background()
	d, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return err
	}
	for n := 1; ; n++ {
		_, err := d.Apply(ctx, storage.Ops{Partition: shard, Durable: n%2 == 0, Ops: []storage.Op{
			{Append: &storage.AppendOp{Log: "l", Values: [][]byte{fmt.Append(nil, n)}}},
			{Put: &storage.PutOp{Ref: storage.Ref{Collection: "c", Key: "count"}, Value: fmt.Append(nil, n), Expect: storage.Any}},
		}})
		if err != nil {
			return err
		}
		fmt.Println(n)
	}
}

func TestKilledProcessLosesNothingAcknowledged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	for _, enough := range []int{1, 50, 500} {
		acknowledged := crash(t, path, enough)
		d, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		entries, err := d.TailLog(t.Context(), shard, "l", 1)
		if err != nil || len(entries) != 1 {
			t.Fatal(entries, err)
		}
		if last := string(entries[0].Value); last != read(t, d, "count") {
			t.Errorf("half a batch: the log ends with %s, the count is %s", last, read(t, d, "count"))
		} else if n, err := strconv.Atoi(last); err != nil || n < acknowledged {
			t.Errorf("%d was acknowledged, %s is kept", acknowledged, last)
		}
		if findings, err := d.Check(t.Context()); len(findings) > 0 || err != nil {
			t.Error(findings, err)
		}
		if err := errors.Join(d.Erase(t.Context(), shard), d.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// crash runs a writer, kills it after it has acknowledged enough batches and
// returns the last number that it printed.
func crash(t *testing.T, path string, enough int) int {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), crashEnv+"="+path)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	last := 0
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if last, err = strconv.Atoi(lines.Text()); err != nil {
			t.Error(err)
		}
		if last == enough {
			if err := cmd.Process.Kill(); err != nil {
				t.Error(err)
			}
		}
	}
	if err := cmd.Wait(); err == nil || last < enough {
		t.Fatalf("ended after %d: %v: %s", last, err, stderr.String())
	}
	return last
}

func TestErasedContentIsInNoFile(t *testing.T) {
	dir := t.TempDir()
	d := open(t, filepath.Join(dir, "store.db"), sqlite.Options{})
	const secret = "canary7f3a"
	p := storage.Person("ann")
	write(t, d, storage.Ops{Partition: p, Ops: []storage.Op{
		{Put: &storage.PutOp{Ref: storage.Ref{Collection: secret, Key: secret}, Value: []byte(secret), Expect: storage.Any}},
		{Put: &storage.PutOp{Ref: storage.Ref{Collection: "large", Key: "k"}, Value: bytes.Repeat([]byte(secret), 5000), Expect: storage.Any}},
		{Append: &storage.AppendOp{Log: secret, Values: [][]byte{[]byte(secret)}}},
		{Receive: &storage.ReceiveOp{Keys: []string{secret}, Value: []byte(secret), Remember: time.Hour}},
		{Queue: &storage.QueueOp{Key: secret, State: storage.Queued, Value: []byte(secret)}},
		{SetTimer: &storage.SetTimerOp{Timer: storage.Timer{ID: secret, Due: time.Now(), Value: []byte(secret)}}},
		{Index: &storage.IndexOp{Place: secret, IndexedDoc: storage.IndexedDoc{Doc: secret, Counts: map[string]int{secret: 1}}}},
	}})
	if _, err := storage.New(d).PutBlob(t.Context(), p, []byte(secret)); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Acquire(t.Context(), p, secret, time.Hour); err != nil {
		t.Fatal(err)
	}
	write(t, d, put("other", "stays"))
	if !holds(t, dir, secret) {
		t.Fatal("the search finds nothing even before")
	}
	if err := d.Erase(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if holds(t, dir, secret) {
		t.Error("still there")
	}
	if got := read(t, d, "other"); got != "stays" {
		t.Error(got)
	}
}

// SQLite leaves copies of rows in the unused space of pages when it spreads full
// ones over their neighbours; many rows in no order bring that about.
func TestDeletedRowsThatHadMovedAreInNoFile(t *testing.T) {
	dir := t.TempDir()
	d := open(t, filepath.Join(dir, "store.db"), sqlite.Options{})
	const secret = "canary7f3a"
	random := rand.New(rand.NewPCG(2, 1))
	var secrets []storage.Op
	for range 2000 {
		ref := storage.Ref{Collection: "c", Key: fmt.Sprintf("%016x", random.Uint64())}
		value := strings.Repeat("x", random.IntN(900))
		if random.IntN(3) == 0 {
			value += secret
			secrets = append(secrets, storage.Op{Delete: &storage.DeleteOp{Ref: ref, Expect: storage.Any}})
		}
		write(t, d, storage.Ops{Partition: shard, Ops: []storage.Op{
			{Put: &storage.PutOp{Ref: ref, Value: []byte(value), Expect: storage.Any}},
		}})
	}
	write(t, d, storage.Ops{Partition: shard, Ops: secrets})
	if err := d.Erase(t.Context(), storage.System("nothing")); err != nil {
		t.Fatal(err)
	}
	if holds(t, dir, secret) {
		t.Error("still there")
	}
	if found, err := d.Check(t.Context()); err != nil || len(found) > 0 {
		t.Errorf("not sound any more: %v, %v", found, err)
	}
}

func FuzzUnusedSpaceOfAPage(f *testing.F) {
	f.Add(int64(1), make([]byte, 512))
	f.Add(int64(2), append([]byte{13, 0, 0, 0, 1, 0, 14, 0, 0, 14, 7, 7}, "rest"...))
	f.Add(int64(3), []byte{10, 0, 0, 255, 255, 0, 0, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, n int64, page []byte) {
		header := page[:min(len(page), 8)]
		before := bytes.Clone(header)
		clear(sqlite.Unused(n, page))
		if !bytes.Equal(header, before) {
			t.Errorf("the header %x became %x", before, header)
		}
	})
}

func holds(t *testing.T, dir, text string) bool {
	t.Helper()
	for _, name := range files(t, dir) {
		if bytes.Contains(contents(t, filepath.Join(dir, name)), []byte(text)) {
			return true
		}
	}
	return false
}

func TestTheLogIsEmptiedOnceReadersLetIt(t *testing.T) {
	dir := t.TempDir()
	d := open(t, filepath.Join(dir, "store.db"), sqlite.Options{})
	write(t, d, put("k", "canary7f3a"))
	p := storage.Person("ann")
	write(t, d, storage.Ops{Partition: p, Ops: put("k", "v").Ops})
	err := d.Dump(t.Context(), shard, func(storage.Record) error { // a reader of the state before
		return d.Erase(t.Context(), shard)
	})
	if err != nil {
		t.Fatal(err)
	}
	if !holds(t, dir, "canary7f3a") {
		t.Fatal("emptied under a reader")
	}
	d.Advance(time.Minute)
	write(t, d, storage.Ops{Partition: p, Ops: put("k", "w").Ops})
	write(t, d, storage.Ops{Partition: p, Ops: put("k", "x").Ops})
	if holds(t, dir, "canary7f3a") {
		t.Error("still there")
	}
}

func TestWhatHasExpiredIsRemoved(t *testing.T) {
	d := open(t, filepath.Join(t.TempDir(), "store.db"), sqlite.Options{})
	write(t, d, storage.Ops{Partition: shard, Ops: []storage.Op{
		{Put: &storage.PutOp{Ref: storage.Ref{Collection: "c", Key: "k"}, Value: value, Expect: storage.Any, TTL: time.Minute}},
		{Receive: &storage.ReceiveOp{Keys: []string{"1", "2"}, Value: value, Remember: time.Minute}},
		{Queue: &storage.QueueOp{Key: "k", State: storage.Queued, Value: value}},
		{Move: &storage.MoveOp{Key: "k", From: []storage.State{storage.Queued}, To: storage.Sent, TTL: time.Minute}},
	}})
	if _, err := d.Acquire(t.Context(), shard, "a", time.Minute); err != nil {
		t.Fatal(err)
	}
	const rows = `SELECT (SELECT count(*) FROM documents) + (SELECT count(*) FROM seen)
		+ (SELECT count(*) FROM outbox) + (SELECT count(*) FROM leases)`
	if n, err := d.Number(t.Context(), rows); n != 5 || err != nil {
		t.Fatal(n, err)
	}
	d.Advance(2 * time.Minute)
	for range 2 { // the first write's housekeeping may still run when it is answered
		write(t, d, put("other", "v"))
	}
	if n, err := d.Number(t.Context(), rows); n != 1 || err != nil {
		t.Errorf("%d rows, %v", n, err)
	}
}

func TestAReaderDoesNotHoldUpWriters(t *testing.T) {
	d := open(t, filepath.Join(t.TempDir(), "store.db"), sqlite.Options{})
	write(t, d, put("k", "v"))
	seen := 0
	err := d.Dump(t.Context(), shard, func(storage.Record) error {
		seen++
		for n := range 10 {
			write(t, d, put(fmt.Sprint(n), "v"))
		}
		return nil
	})
	if err != nil || seen != 1 {
		t.Errorf("%d records, %v", seen, err)
	}
}

func TestWordsOfTheTextIndexAreNotInItsTokens(t *testing.T) {
	dir := t.TempDir()
	d := open(t, filepath.Join(dir, "store.db"), sqlite.Options{})
	index := func(counts map[string]int) {
		write(t, d, storage.Ops{Partition: shard, Ops: []storage.Op{
			{Index: &storage.IndexOp{Place: "p", IndexedDoc: storage.IndexedDoc{Doc: "d", Counts: counts}}}}})
	}
	index(map[string]int{"canary7f3a": 1})
	index(map[string]int{"other": 1}) // FTS5 keeps the old token until it merges
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if holds(t, dir, "canary7f3a") {
		t.Error("a removed word is still in the file")
	}
}

func TestDurabilityNamesWhatIsSynced(t *testing.T) {
	text, full, err := open(t, filepath.Join(t.TempDir(), "store.db"), sqlite.Options{}).Durability(t.Context())
	if err != nil || !full || !strings.Contains(text, "on disk") {
		t.Error(text, full, err)
	}
}
