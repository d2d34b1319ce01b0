package outbox_test

import (
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"talaria/core/chat"
	"talaria/gateway/outbox"
	"talaria/storage/teststore"
)

// TestWhateverHappensAtMostOneAnswerAndNeverSilence runs an answer through
// any sequence of crashes, time-outs, refusals and waits.
func TestWhateverHappensAtMostOneAnswerAndNeverSilence(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		placeholder := rapid.Bool().Draw(rt, "placeholder")
		faults := rapid.SliceOfN(rapid.SampledFrom([]string{"", "crash after", "crash before", "lost reply", "lost call", "429", "5xx"}), 0, 8).Draw(rt, "faults")
		var shown []string
		var counts outbox.Counts
		synctest.Test(t, func(t *testing.T) { shown, counts = survive(t, placeholder, faults) })

		answers := 0
		for _, s := range shown {
			if s == "the answer" {
				answers++
			}
		}
		told := slices.ContainsFunc(shown, func(s string) bool { return s != dots && s != "the answer" })
		switch {
		case answers > 1:
			rt.Fatalf("answered %d times: %q", answers, shown)
		case placeholder && answers != 1:
			rt.Fatalf("not answered: %q", shown)
		case answers == 0 && !told:
			rt.Fatalf("silence: %q", shown)
		}
		orphans := 0
		for _, s := range shown {
			if s == dots {
				orphans++
			}
		}
		if uint64(orphans) > counts.Orphans {
			rt.Fatalf("%d orphans, %d counted: %q", orphans, counts.Orphans, shown)
		}
	})
}

// survive has the message sent under faults, restarting after each crash.
func survive(t *testing.T, placeholder bool, faults []string) ([]string, outbox.Counts) {
	store, p := teststore.Memory(t), newPlatform()
	p.placeholder = placeholder
	var living atomic.Pointer[replica]
	p.script = func(call int, op string) fault {
		if call > len(faults) {
			return fault{}
		}
		crash := func() { living.Load().crash() }
		unknown := &chat.Error{Op: op}
		switch faults[call-1] {
		case "crash after":
			return fault{crash: crash, err: unknown}
		case "crash before":
			return fault{crash: crash, err: unknown, before: true}
		case "lost reply":
			return fault{err: unknown}
		case "lost call":
			return fault{err: unknown, before: true}
		case "429":
			return limited(3 * time.Second)
		case "5xx":
			return fault{before: true, err: &chat.Error{Kind: chat.Transient, Op: op}}
		}
		return fault{}
	}
	var total outbox.Counts
	for run := 0; ; run++ {
		r := start(t, store, p, outbox.Config{}, living.Store)
		if run == 0 {
			r.say(t, "t1", "the answer")
		}
		r.box.Wait()
		total.Orphans += r.box.Counts().Orphans
		crashed := r.shard.Context().Err() != nil
		r.die()
		if !crashed {
			return p.shown(), total
		}
	}
}
