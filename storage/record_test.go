package storage_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"talaria/storage"
)

// stored is one of each kind.
func stored() []storage.Stored {
	at := time.Date(2030, 1, 2, 3, 4, 5, 678_000_000, time.UTC)
	return []storage.Stored{
		{Document: &storage.Document{Ref: storage.Ref{Collection: "c", Key: "k"}, Value: []byte("v"), Revision: 3, Expires: at}},
		{Document: &storage.Document{Ref: storage.Ref{Collection: "日本", Key: "\n"}, Value: []byte{}, Revision: 1}},
		{Log: &storage.StoredLog{Log: "l", Last: 7}},
		{Entry: &storage.StoredEntry{Log: "l", Entry: storage.Entry{Offset: 7, Value: []byte{0, 255}}}},
		{Counter: &storage.StoredCounter{Name: storage.InboxCounter, Last: 1 << 62}},
		{Event: &storage.InboxEvent{Sequence: 4, Value: []byte("v"), At: at}},
		{Seen: &storage.StoredKey{Key: "k", Until: at}},
		{Row: &storage.StoredRow{Row: storage.Row{Key: "k", Sequence: 2, State: storage.Sent, Value: []byte("v")}, Expires: at}},
		{Timer: &storage.Timer{ID: "t", Due: at, Value: []byte("v")}},
		{Indexed: &storage.StoredIndex{Place: "p", IndexedDoc: storage.IndexedDoc{Doc: "d", Counts: map[string]int{"a": 1, "日": 2}}}},
		{Blob: &storage.StoredBlob{Hash: "abc", Data: []byte("data")}},
	}
}

func TestRecordsComeBackThroughJSON(t *testing.T) {
	for _, want := range stored() {
		data, err := json.Marshal(want.Record())
		if err != nil {
			t.Fatal(err)
		}
		var r storage.Record
		if err := json.Unmarshal(data, &r); err != nil {
			t.Fatal(err)
		}
		got, err := r.Stored()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: -want +got:\n%s", data, diff)
		}
	}
}

func TestRecordsThatCantBeReadAreDamage(t *testing.T) {
	for name, r := range map[string]storage.Record{
		"no kind":            {},
		"unknown kind":       {Kind: "lease"},
		"no revision":        {Kind: "document", Key: "k"},
		"revision too large": {Kind: "document", Key: "k", Data: map[string]string{"revision": "99999999999999999999"}},
		"negative offset":    {Kind: "entry", Key: "l", Data: map[string]string{"offset": "-1"}},
		"time is no number":  {Kind: "document", Key: "k", Data: map[string]string{"revision": "1", "expires": "tomorrow"}},
		"timer without time": {Kind: "timer", Key: "t"},
		"unknown counter":    {Kind: "counter", Key: "other", Data: map[string]string{"last": "1"}},
		"unknown state":      {Kind: "row", Key: "k", Data: map[string]string{"sequence": "1", "state": "lost"}},
		"counts are no map":  {Kind: "indexed", Key: "d", Blob: []byte("[1]")},
		"a count of nothing": {Kind: "indexed", Key: "d", Blob: []byte(`{"a":0}`)},
	} {
		if s, err := r.Stored(); !errors.Is(err, storage.ErrCorrupt) {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
}

func FuzzRecord(f *testing.F) {
	for _, s := range stored() {
		data, err := json.Marshal(s.Record())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var r storage.Record
		if json.Unmarshal(data, &r) != nil {
			return
		}
		s, err := r.Stored()
		if err != nil {
			return
		}
		again, err := s.Record().Stored()
		if err != nil {
			t.Fatalf("%s can be read once only: %v", data, err)
		}
		if diff := cmp.Diff(s, again, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	})
}
