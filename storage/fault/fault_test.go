package fault_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"talaria/storage"
	"talaria/storage/fault"
	"talaria/storage/sqlite"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func wrap(t *testing.T, seed uint64, rules ...fault.Rule) (*fault.Driver, *storage.Store) {
	t.Helper()
	d, err := sqlite.Open(t.Context(), ":memory:", sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := fault.Wrap(d, seed, rules...)
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f, storage.New(f)
}

var place = storage.Shard(1)

func put(t *testing.T, s *storage.Store, key string) error {
	_, err := s.Commit(t.Context(), storage.On(place).Put("c", key, 1, storage.Any))
	return err
}

func has(t *testing.T, s *storage.Store, key string) bool {
	t.Helper()
	_, err := storage.Get[int](t.Context(), s, place, "c", key)
	if err != nil && !errors.Is(err, storage.ErrNotFound) {
		t.Fatal(err)
	}
	return err == nil
}

func TestWithoutRulesEveryCallPasses(t *testing.T) {
	f, s := wrap(t, 1)
	if err := put(t, s, "k"); err != nil || !has(t, s, "k") {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{}, f.Met()); diff != "" {
		t.Fatal(diff)
	}
}

func TestFaultBeforeHasNoEffect(t *testing.T) {
	_, s := wrap(t, 1, fault.Rule{Calls: []string{"Apply"}, Times: 1, Fault: fault.Unavailable()})
	if err := put(t, s, "k"); !errors.Is(err, storage.ErrUnavailable) {
		t.Fatal(err)
	}
	if has(t, s, "k") {
		t.Fatal("written")
	}
	if err := put(t, s, "k"); err != nil {
		t.Fatal("still failing after one time:", err)
	}
}

func TestFaultAfterHasItsEffect(t *testing.T) {
	_, s := wrap(t, 1, fault.Rule{Calls: []string{"Apply"}, Fault: fault.LostAfter()})
	if err := put(t, s, "k"); !errors.Is(err, fault.ErrLost) {
		t.Fatal(err)
	}
	if !has(t, s, "k") {
		t.Fatal("not written")
	}
}

func TestFaultAfterKeepsTheCallsOwnError(t *testing.T) {
	_, s := wrap(t, 1, fault.Rule{Fault: fault.LostAfter()})
	_, err := s.Commit(t.Context(), storage.On(place).Put("c", "k", 1, 5))
	if !errors.Is(err, storage.ErrConflict) {
		t.Fatal(err)
	}
}

func TestSkipPassesTheFirstCalls(t *testing.T) {
	f, s := wrap(t, 1, fault.Rule{Calls: []string{"Apply"}, Skip: 2, Times: 1, Fault: fault.LostBefore()})
	var got []bool
	for n := range 4 {
		got = append(got, put(t, s, fmt.Sprint(n)) == nil)
	}
	if diff := cmp.Diff([]bool{true, true, false, true}, got); diff != "" {
		t.Fatal(diff)
	}
	if diff := cmp.Diff([]int{1}, f.Met()); diff != "" {
		t.Fatal(diff)
	}
}

func TestRuleForOneKindOfOperation(t *testing.T) {
	_, s := wrap(t, 1, fault.Rule{Op: "Queue", Fault: fault.DiskFull()})
	if err := put(t, s, "k"); err != nil {
		t.Fatal(err)
	}
	_, err := s.Commit(t.Context(), storage.On(place).Put("c", "l", 1, storage.Any).Queue("k", storage.Queued, 1))
	if !errors.Is(err, storage.ErrUnavailable) || has(t, s, "l") {
		t.Fatal(err)
	}
}

func TestDiskFullLetsReadsPassAndSpaceReturns(t *testing.T) {
	f, s := wrap(t, 1)
	if err := put(t, s, "k"); err != nil {
		t.Fatal(err)
	}
	f.Set(fault.Rule{Calls: fault.Writes(), Fault: fault.DiskFull()})
	if _, err := s.PutBlob(t.Context(), place, []byte("x")); !errors.Is(err, storage.ErrUnavailable) {
		t.Fatal(err)
	}
	if !has(t, s, "k") {
		t.Fatal("not readable")
	}
	f.Set()
	if _, err := s.PutBlob(t.Context(), place, []byte("x")); err != nil {
		t.Fatal(err)
	}
}

func TestFirstRuleThatMeetsDecides(t *testing.T) {
	_, s := wrap(t, 1,
		fault.Rule{Calls: []string{"Apply"}, Times: 1, Fault: fault.LostBefore()},
		fault.Rule{Fault: fault.Unavailable()})
	if err := put(t, s, "k"); !errors.Is(err, fault.ErrLost) {
		t.Fatal(err)
	}
	if err := put(t, s, "k"); !errors.Is(err, storage.ErrUnavailable) {
		t.Fatal(err)
	}
}

func TestChanceIsDecidedByTheSeed(t *testing.T) {
	pattern := func(seed uint64) (out string) {
		_, s := wrap(t, seed, fault.Rule{Calls: []string{"Apply"}, Chance: 0.5, Fault: fault.LostBefore()})
		for range 64 {
			if put(t, s, "k") == nil {
				out += "."
			} else {
				out += "x"
			}
		}
		return out
	}
	first, again, other := pattern(1), pattern(1), pattern(2)
	if first != again {
		t.Errorf("seed 1 gave %s, then %s", first, again)
	}
	if first == other {
		t.Errorf("seeds 1 and 2 gave the same")
	}
}

func TestSlowCallWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, s := wrap(t, 1, fault.Rule{Calls: []string{"Apply"}, Fault: fault.Slow(time.Minute)})
		begin := time.Now()
		if err := put(t, s, "k"); err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(begin); waited < time.Minute {
			t.Fatalf("waited %v", waited)
		}
	})
}

func TestContextEndsTheWaitOfASlowCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, s := wrap(t, 1, fault.Rule{Fault: fault.Slow(time.Hour)})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := s.Now(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
	})
}
