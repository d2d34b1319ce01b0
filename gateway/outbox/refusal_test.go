package outbox

import (
	"errors"
	"testing"
	"time"
)

func TestARefusalIsToldOnceAndThenEachHour(t *testing.T) {
	var r refusal
	begun := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	told := 0
	for minute := range 150 {
		if r.met(begun.Add(time.Duration(minute)*time.Minute), errors.New("revoked")) {
			told++
		}
	}
	if told != 3 {
		t.Errorf("told %d times in two and a half hours", told)
	}
	if !r.over() || r.over() {
		t.Error("its end is not told once")
	}
	if !r.met(begun.Add(3*time.Hour), errors.New("revoked")) {
		t.Error("the next one is not told")
	}
}
