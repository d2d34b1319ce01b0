package trace_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"talaria/core/trace"
	"talaria/storage"
	"talaria/storage/teststore"
)

func TestTasksSinceATime(t *testing.T) {
	s := teststore.Memory(t)
	at := storage.Shard(3)
	b := storage.On(at)
	for _, id := range []string{"20260501T090000Z-aa", "20260502T090000Z-bb", "20260502T090000Z-cc", "20260503T090000Z-dd"} {
		trace.Put(b, trace.Task{ID: id}, storage.Absent, time.Hour)
	}
	if _, err := s.Commit(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	var got []string
	err := trace.Since(t.Context(), s, at, time.Date(2026, 5, 2, 9, 0, 0, 0, time.UTC), func(t trace.Task) error {
		got = append(got, t.ID)
		return nil
	})
	if diff := cmp.Diff([]string{"20260502T090000Z-bb", "20260502T090000Z-cc", "20260503T090000Z-dd"}, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
}
