package redis

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"talaria/storage"
)

// FuzzStored feeds every decoder; what one takes must be written the same way.
func FuzzStored(f *testing.F) {
	for _, seed := range []string{"1 0\nv", "3 1700000000000 sent\nv", "1:2:v", "日本\x002\x00a\x001\x00", "", " \n", "a\x00", "9999999999999999999 1\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, stored string) {
		if doc, err := decodeDocument(storage.Ref{}, stored); err == nil && len(doc.Value) >= len(stored) {
			t.Error("a document is longer than what it was read from")
		}
		if row, _, err := decodeRow("k", stored); err == nil && len(row.Value)+len(row.State) >= len(stored) {
			t.Error("a row is longer than what it was read from")
		}
		if event, err := decodeEvent(stored); err == nil && len(event.Value) >= len(stored) {
			t.Error("an event is longer than what it was read from")
		}
		counts, err := decodeCounts(stored)
		if err != nil {
			return
		}
		again, err := decodeCounts(encodeCounts(counts))
		if diff := cmp.Diff(counts, again); err != nil || diff != "" {
			t.Errorf("%v: %s", err, diff)
		}
	})
}
