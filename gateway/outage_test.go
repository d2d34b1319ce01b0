package main

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"talaria/storage"
)

func TestAnOutageOfTheStoreDoesNotFloodTheLog(t *testing.T) {
	var out bytes.Buffer
	h := withoutFlood(slog.NewTextHandler(&out, nil))
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	away := fmt.Errorf("commit: %w", storage.ErrUnavailable)
	record := func(after time.Duration, words string, err error) {
		t.Helper()
		r := slog.NewRecord(began.Add(after), slog.LevelWarn, words, 0)
		r.AddAttrs(slog.Any("err", err))
		if err := h.WithAttrs([]slog.Attr{slog.Int("shard", 1)}).Handle(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	damaged := fmt.Errorf("read: %w", storage.ErrCorrupt)
	for n := range 100 {
		record(time.Duration(n)*time.Millisecond, "not kept", away)
		record(time.Duration(n)*time.Millisecond, "not read", damaged)
	}
	record(outageEach, "not kept", away)
	for range 3 {
		record(0, "not kept", errors.New("another reason"))
	}
	got := out.String()
	for words, times := range map[string]int{`"not kept"`: 5, `"not read"`: 1, "left_out=99": 1, "another reason": 3, "shard=1": 6} {
		if n := strings.Count(got, words); n != times {
			t.Errorf("%s is told %d times, want %d:\n%s", words, n, times, got)
		}
	}
}
