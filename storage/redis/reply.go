package redis

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	"talaria/storage"
)

// Replies come as int64, string, nil and lists of those. What does not fit is
// read as the zero value here and found where the value is decoded.

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

func at(l []any, n int) any {
	if n >= 0 && n < len(l) {
		return l[n]
	}
	return nil
}

func text(l []any, n int) string {
	s, _ := at(l, n).(string)
	return s
}

func whole(l []any, n int) int64 {
	switch v := at(l, n).(type) {
	case int64:
		return v
	case string:
		i, _ := strconv.ParseInt(v, 10, 64)
		return i
	}
	return 0
}

func moment(milliseconds int64) time.Time { return time.UnixMilli(milliseconds).UTC() }

// expiry is moment with zero for never.
func expiry(milliseconds int64) time.Time {
	if milliseconds == 0 {
		return time.Time{}
	}
	return moment(milliseconds)
}

// unixMilli is a time in milliseconds, zero for the zero time.
func unixMilli(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// millis is a duration in whole milliseconds, rounded up.
func millis(d time.Duration) int64 {
	return int64((d + time.Millisecond - 1) / time.Millisecond)
}

// header reads the n whole numbers that stand before a stored value, each with
// its separator, and returns them with the value.
func header(stored string, separators string) ([]int64, []byte, error) {
	rest := []byte(stored)
	numbers := make([]int64, len(separators))
	for n := range numbers {
		word, after, ok := bytes.Cut(rest, []byte{separators[n]})
		var err error
		if numbers[n], err = strconv.ParseInt(string(word), 10, 64); !ok || err != nil {
			return nil, nil, fmt.Errorf("%w: the stored value has no valid head; restore the partition from a backup", storage.ErrCorrupt)
		}
		rest = after
	}
	return numbers, rest, nil
}
