package storage_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"talaria/storage"
)

// furnish writes some of everything into several partitions.
func furnish(t testing.TB, s *storage.Store) {
	t.Helper()
	now, err := s.Now(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []storage.Partition{storage.Shard(3), storage.Person("ann"), storage.Person("日本"), storage.Team("t"), storage.System("timers")} {
		commit(t, s, storage.On(p).
			Put("notes", "a", note{Text: "of " + p.String()}, storage.Absent).
			PutFor("notes", "b", note{}, storage.Absent, time.Hour).
			Append("log", 1, 2, 3).Trim("log", 2).
			Receive([]string{"1", "2"}, "event", time.Hour).
			Receive([]string{"3"}, "event", time.Hour).Done(2).
			Queue("q", storage.Queued, "row").Queue("r", storage.Queued, "row").
			Move("r", []storage.State{storage.Queued}, storage.Sent, nil, time.Hour).
			SetTimer("t", now.Add(time.Hour), "timer").
			Index("place", "1", map[string]int{"a": 1, "b": 2}))
		if _, err := s.PutBlob(t.Context(), p, []byte("blob of "+p.String())); err != nil {
			t.Fatal(err)
		}
	}
}

// content is everything in a store, by partition, but for its standing.
func content(t testing.TB, d storage.Driver) map[string][]storage.Record {
	t.Helper()
	all := map[string][]storage.Record{}
	err := d.Partitions(t.Context(), func(p storage.Partition) error {
		if p == storage.System("installation") {
			return nil
		}
		return d.Dump(t.Context(), p, func(r storage.Record) error {
			all[p.String()] = append(all[p.String()], r)
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func backup(t testing.TB, s *storage.Store) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := storage.Backup(t.Context(), s, &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// lines unpacks a backup, pack packs it again.
func lines(t testing.TB, data []byte) []string {
	t.Helper()
	zip, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(zip)
	if err != nil {
		t.Fatal(err)
	}
	return strings.SplitAfter(strings.TrimSuffix(string(text), "\n"), "\n")
}

func pack(t testing.TB, lines ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	zip := gzip.NewWriter(&b)
	if _, err := io.WriteString(zip, strings.Join(lines, "")); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Each partition holds a document that counts the entries of its log.
func TestBackupWhileTheStoreWorksIsConsistentInEachPartition(t *testing.T) {
	_, s := memory(t)
	ctx, stop := context.WithCancel(t.Context())
	started := make(chan struct{}, 4)
	var writers sync.WaitGroup
	for n := range 4 {
		writers.Go(func() {
			for i := 1; ctx.Err() == nil; i++ {
				_, err := s.Commit(ctx, storage.On(storage.Shard(n)).Append("log", i).Put("c", "count", i, storage.Any))
				if err != nil && ctx.Err() == nil {
					t.Error(err)
				}
				if i == 10 {
					started <- struct{}{}
				}
			}
		})
	}
	for range 4 {
		<-started
	}
	data := backup(t, s)
	stop()
	writers.Wait()

	_, restored := memory(t)
	if _, err := storage.Restore(t.Context(), restored, bytes.NewReader(data), nil); err != nil {
		t.Fatal(err)
	}
	for n := range 4 {
		count, err := storage.Get[int](t.Context(), restored, storage.Shard(n), "c", "count")
		if err != nil {
			t.Fatal(err)
		}
		last, err := storage.TailLog[int](t.Context(), restored, storage.Shard(n), "log", 1)
		if err != nil || len(last) != 1 || last[0].Value != count.Value {
			t.Errorf("shard %d: count %d, log ends with %v, %v", n, count.Value, last, err)
		}
	}
}

// refuse checks that a backup is refused with want and nothing was applied.
func refuse(t *testing.T, name string, data []byte, want error) {
	t.Helper()
	d, s := memory(t)
	_, err := storage.Restore(t.Context(), s, bytes.NewReader(data), nil)
	if !errors.Is(err, want) {
		t.Errorf("%s: error is %v, want %v", name, err, want)
	}
	if left := content(t, d); len(left) > 0 {
		t.Errorf("%s: something was applied: %v", name, left)
	}
	if live, err := s.Live(t.Context()); !live || err != nil {
		t.Errorf("%s: the store was marked: %v", name, err)
	}
	if _, err := storage.VerifyBackup(t.Context(), bytes.NewReader(data)); !errors.Is(err, want) {
		t.Errorf("%s: verified as %v, want %v", name, err, want)
	}
}

func TestDamagedBackupsAreRefusedBeforeAnythingIsApplied(t *testing.T) {
	_, s := memory(t)
	furnish(t, s)
	whole := backup(t, s)
	text := lines(t, whole)
	last := len(text) - 1
	without := func(n int) []byte {
		return pack(t, append(append([]string{}, text[:n]...), text[n+1:]...)...)
	}
	replaced := func(n int, from, to string) []byte {
		changed := append([]string{}, text...)
		if changed[n] = strings.Replace(text[n], from, to, 1); changed[n] == text[n] {
			t.Fatalf("line %d has no %q: %s", n, from, text[n])
		}
		return pack(t, changed...)
	}
	for name, data := range map[string][]byte{
		"empty":                     nil,
		"no gzip":                   []byte("hello, world, this is no backup"),
		"nothing in the gzip":       pack(t),
		"cut in the middle":         whole[:len(whole)/2],
		"last byte missing":         whole[:len(whole)-1],
		"rubbish after the end":     append(bytes.Clone(whole), "rubbish"...),
		"a second backup after it":  append(bytes.Clone(whole), whole...),
		"no trailer":                without(last),
		"a record missing":          without(3),
		"a partition's end missing": without(last - 1),
		"a partition's name gone":   without(1),
		"a value altered":           replaced(2, `"blob":"`, `"blob":"IC`),
		"a partition renamed":       replaced(1, "p/ann", "p/bob"),
		"no partition":              replaced(1, "p/ann", "y/ann"),
		"a record of unknown kind":  replaced(2, `"kind":"document"`, `"kind":"surprise"`),
		"a number altered":          replaced(last, `"records":80`, `"records":81`),
		"no JSON":                   replaced(2, "{", "["),
		"an empty line":             pack(t, append(append([]string{text[0]}, "\n"), text[1:]...)...),
		"an empty object":           pack(t, append(append([]string{text[0]}, "{}\n"), text[1:]...)...),
		"the header twice":          pack(t, append([]string{text[0]}, text...)...),
	} {
		refuse(t, name, data, storage.ErrCorrupt)
	}
	refuse(t, "another format", replaced(0, "talaria backup", "other"), storage.ErrInvalid)
	refuse(t, "a newer version", replaced(0, `"version":1`, `"version":2`), storage.ErrInvalid)
	refuse(t, "no header", pack(t, text[1:]...), storage.ErrInvalid)
}

func TestEveryAlteredByteIsNoticed(t *testing.T) {
	_, s := memory(t)
	furnish(t, s)
	whole := backup(t, s)
	text := lines(t, whole)
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		data := bytes.Clone(whole)
		n := r.IntN(len(data))
		data[n] ^= byte(1 << r.IntN(8))
		// A few bits of gzip's frame say nothing.
		_, err := storage.VerifyBackup(t.Context(), bytes.NewReader(data))
		if err == nil && !cmp.Equal(lines(t, data), text) {
			t.Errorf("byte %d of %d altered, not noticed", n, len(data))
		}
	}
}

func TestRecordsThatNoStoreWritesAreRefused(t *testing.T) {
	for name, r := range map[string]storage.Record{
		"empty name":  storage.Stored{Log: &storage.StoredLog{Last: 1}}.Record(),
		"long name":   storage.Stored{Seen: &storage.StoredKey{Key: strings.Repeat("k", 513), Until: time.UnixMilli(1 << 50)}}.Record(),
		"large value": storage.Stored{Entry: &storage.StoredEntry{Log: "l", Entry: storage.Entry{Offset: 1, Value: make([]byte, storage.MaxValue+1)}}}.Record(),
		"wrong hash":  storage.Stored{Blob: &storage.StoredBlob{Hash: strings.Repeat("0", 64), Data: []byte("x")}}.Record(),
	} {
		d, s := memory(t)
		if err := d.Load(t.Context(), storage.Team("t"), []storage.Record{r}); err != nil {
			t.Fatal(err)
		}
		if _, err := storage.VerifyBackup(t.Context(), bytes.NewReader(backup(t, s))); !errors.Is(err, storage.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestBackupOntoAFullDiskFails(t *testing.T) {
	_, s := memory(t)
	furnish(t, s)
	if _, err := storage.Backup(t.Context(), s, fullDisk{}); err == nil {
		t.Error("written")
	}
}

// handmade is the text of a backup with one record of each kind.
func handmade(t testing.TB) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(`{"backup":{"format":"talaria backup","version":1,"at":"2030-01-02T03:04:05Z"}}` + "\n" + `{"partition":"p/ann"}` + "\n")
	count := 0
	for _, s := range stored() {
		if s.Blob != nil {
			continue // its hash is made up
		}
		data, err := json.Marshal(map[string]storage.Record{"record": s.Record()})
		if err != nil {
			t.Fatal(err)
		}
		count++
		b.Write(append(data, '\n'))
	}
	fmt.Fprintf(&b, `{"end":{"records":%d}}`+"\n", count)
	sum := sha256.Sum256([]byte(b.String()))
	fmt.Fprintf(&b, `{"trailer":{"partitions":1,"records":%d,"sha256":"%x"}}`+"\n", count, sum)
	return b.String()
}

func TestTheFormatOfABackupIsFixed(t *testing.T) {
	report, err := storage.VerifyBackup(t.Context(), bytes.NewReader(pack(t, handmade(t))))
	if err != nil || report.Records != 10 || report.Partitions != 1 {
		t.Errorf("%+v, %v", report, err)
	}
}

func FuzzVerifyBackup(f *testing.F) {
	f.Add([]byte(handmade(f)))
	f.Add([]byte("{}\n"))
	f.Add([]byte(`{"backup":{"format":"talaria backup","version":1}}` + "\n" + `{"record":{"kind":"entry"}}` + "\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, data := range [][]byte{text, pack(t, string(text))} {
			_, err := storage.VerifyBackup(t.Context(), bytes.NewReader(data))
			if err != nil && !errors.Is(err, storage.ErrCorrupt) && !errors.Is(err, storage.ErrInvalid) {
				t.Errorf("unclear error: %v", err)
			}
		}
	})
}
