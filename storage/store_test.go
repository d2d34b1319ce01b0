package storage_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"talaria/storage"
)

type note struct {
	Text string `json:"text"`
	At   time.Time
}

func TestValuesComeBackDecoded(t *testing.T) {
	_, s := memory(t)
	p := storage.Person("ann")
	want := note{"日本 \x00 <&>", time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)}
	commit(t, s, storage.On(p).Put("notes", "a", want, storage.Absent).Append("log", want, want))

	doc, err := storage.Get[note](t.Context(), s, p, "notes", "a")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(storage.Doc[note]{Key: "a", Value: want, Revision: 1}, doc); diff != "" {
		t.Error(diff)
	}
	entries, err := storage.TailLog[note](t.Context(), s, p, "log", 1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]storage.LogEntry[note]{{Offset: 2, Value: want}}, entries); diff != "" {
		t.Error(diff)
	}
}

func TestMissingDocumentIsNotFound(t *testing.T) {
	_, s := memory(t)
	_, err := storage.Get[note](t.Context(), s, storage.Person("ann"), "notes", "a")
	if !errors.Is(err, storage.ErrNotFound) || !strings.Contains(err.Error(), `notes "a"`) {
		t.Error(err)
	}
}

func TestDamagedValuesAreToldApartFromMissingOnes(t *testing.T) {
	d, s := memory(t)
	p := storage.Person("ann")
	_, err := d.Apply(t.Context(), storage.Ops{Partition: p, Ops: []storage.Op{
		{Put: &storage.PutOp{Ref: storage.Ref{Collection: "notes", Key: "a"}, Value: []byte("{half"), Expect: storage.Any}},
		{Append: &storage.AppendOp{Log: "log", Values: [][]byte{[]byte("nothing")}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = storage.Get[note](t.Context(), s, p, "notes", "a")
	if !errors.Is(err, storage.ErrCorrupt) || !strings.Contains(err.Error(), "p/ann") {
		t.Errorf("get: %v", err)
	}
	if _, err := storage.List[note](t.Context(), s, p, "notes", "", 10); !errors.Is(err, storage.ErrCorrupt) {
		t.Errorf("list: %v", err)
	}
	if _, err := storage.ReadLog[note](t.Context(), s, p, "log", 0, 10); !errors.Is(err, storage.ErrCorrupt) {
		t.Errorf("read: %v", err)
	}
}

func TestMistakesInABatchAreRefusedBeforeTheDriver(t *testing.T) {
	_, s := memory(t)
	p := storage.Person("ann")
	now := time.Unix(0, 0)
	for name, b := range map[string]*storage.Batch{
		"empty collection":     storage.On(p).Put("", "k", 1, storage.Any),
		"empty key":            storage.On(p).Delete("c", "", storage.Any),
		"key of 513 bytes":     storage.On(p).Put("c", strings.Repeat("k", 513), 1, storage.Any),
		"key with NUL":         storage.On(p).Put("c", "a\x00b", 1, storage.Any),
		"key not UTF-8":        storage.On(p).Put("c", "\xff", 1, storage.Any),
		"no JSON":              storage.On(p).Put("c", "k", func() {}, storage.Any),
		"value too large":      storage.On(p).Put("c", "k", strings.Repeat("v", storage.MaxValue), storage.Any),
		"empty log":            storage.On(p).Append("", 1),
		"nothing to append":    storage.On(p).Append("l"),
		"trim of nothing":      storage.On(p).Trim("", 1),
		"receive without keys": storage.On(p).Receive(nil, 1, time.Hour),
		"receive, empty key":   storage.On(p).Receive([]string{"a", ""}, 1, time.Hour),
		"queue, empty key":     storage.On(p).Queue("", storage.Queued, 1),
		"move, empty key":      storage.On(p).Move("", []storage.State{storage.Queued}, storage.Sent, nil, 0),
		"timer, empty id":      storage.On(p).SetTimer("", now, 1),
		"claim, empty id":      storage.On(p).ClaimTimer("", now, time.Hour),
		"settle, empty id":     storage.On(p).SettleTimer("", now, now),
		"index, empty place":   storage.On(p).Index("", "d", map[string]int{"a": 1}),
		"index, empty term":    storage.On(p).Index("p", "d", map[string]int{"": 1}),
		"index, count of zero": storage.On(p).Index("p", "d", map[string]int{"a": 0}),
		"unindex, empty doc":   storage.On(p).Unindex("p", ""),
		"no partition":         storage.On(storage.Partition{}).Done(1),
		"negative time":        storage.On(p).PutFor("c", "k", 1, storage.Any, -time.Second),
		"receive, negative":    storage.On(p).Receive([]string{"a"}, 1, -time.Second),
		"claim, negative":      storage.On(p).ClaimTimer("t", now, -time.Second),
		"move, negative":       storage.On(p).Move("k", []storage.State{storage.Queued}, storage.Sent, nil, -1),
		"put, no revision":     storage.On(p).Put("c", "k", 1, -2),
		"delete, no revision":  storage.On(p).Delete("c", "k", -2),
		"queue, no such state": storage.On(p).Queue("k", "lost", 1),
		"move, no such state":  storage.On(p).Move("k", []storage.State{storage.Queued}, "lost", nil, 0),
	} {
		b.Put("also", "this", 1, storage.Any) // goes down with the mistake
		if _, err := s.Commit(t.Context(), b); !errors.Is(err, storage.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := storage.Get[int](t.Context(), s, p, "also", "this"); !errors.Is(err, storage.ErrNotFound) {
		t.Error("something was applied:", err)
	}
}

func TestEmptyBatchDoesNothing(t *testing.T) {
	_, s := memory(t)
	if results, err := s.Commit(t.Context(), storage.On(storage.Person("ann"))); results != nil || err != nil {
		t.Error(results, err)
	}
}

func TestTimersAreKeptToTheMillisecond(t *testing.T) {
	_, s := memory(t)
	p := storage.System("timers")
	due := time.Date(2030, 1, 2, 3, 4, 5, 678_999_999, time.FixedZone("", 3600))
	commit(t, s, storage.On(p).SetTimer("a", due, 1))
	if r := commit(t, s, storage.On(p).ClaimTimer("a", due, time.Minute)); r[0].Known {
		t.Error("the same time does not claim it")
	}
	next, err := s.NextDue(t.Context(), p)
	if want := due.UTC().Truncate(time.Millisecond); err != nil || !next.Equal(want) {
		t.Errorf("due %v, want %v: %v", next, want, err)
	}
}

func TestBlobsAreFoundByTheirHash(t *testing.T) {
	_, s := memory(t)
	p := storage.Person("ann")
	hash, err := s.PutBlob(t.Context(), p, []byte("hello"))
	if err != nil {
		t.Fatal(err)
	}
	if data, err := s.GetBlob(t.Context(), p, hash); err != nil || string(data) != "hello" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := s.PutBlob(t.Context(), p, make([]byte, storage.MaxBlob+1)); !errors.Is(err, storage.ErrInvalid) {
		t.Error("too large:", err)
	}
}

func TestDamagedBlobIsNotHandedOut(t *testing.T) {
	d, s := memory(t)
	p := storage.Person("ann")
	hash := strings.Repeat("0", 64)
	if err := d.PutBlob(t.Context(), p, hash, []byte("hello")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.GetBlob(t.Context(), p, hash); !errors.Is(err, storage.ErrCorrupt) || !strings.Contains(err.Error(), hash) {
		t.Error(err)
	}
}
