package storage_test

import (
	"errors"
	"fmt"
	"testing"

	"talaria/storage"
)

func TestAllGoesOverEveryPageAndEndsWhenItIsTold(t *testing.T) {
	_, s := memory(t)
	at := storage.Shard(1)
	b := storage.On(at)
	for n := range 250 {
		b.Put("c", fmt.Sprintf("%03d", n), n, storage.Absent)
	}
	commit(t, s, b)
	next := 7
	for d, err := range storage.All[int](t.Context(), s, at, "c", "006") {
		if err != nil || d.Value != next {
			t.Fatalf("got %d, %v, want %d", d.Value, err, next)
		}
		commit(t, s, storage.On(at).Delete("c", d.Key, storage.Any)) // what is over may go
		if next++; next == 240 {
			break
		}
	}
	left, err := storage.List[int](t.Context(), s, at, "c", "", 100)
	if next != 240 || err != nil || len(left) != 17 {
		t.Errorf("ended before %d with %d left, %v", next, len(left), err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	failures := 0
	for _, err := range storage.All[int](t.Context(), s, at, "c", "") {
		if !errors.Is(err, storage.ErrUnavailable) {
			t.Errorf("of a closed store: %v", err)
		}
		failures++
	}
	if failures != 1 {
		t.Errorf("%d errors of a closed store", failures)
	}
}
