package slack_test

import (
	"testing"
	"time"

	simulator "talaria/adapters/fake/slack"
	"talaria/core/chat"

	"github.com/google/go-cmp/cmp"
)

func TestThreadsWithNewRepliesAreFound(t *testing.T) {
	r := newRig(t, setup{})
	var roots []string
	for range 4 {
		roots = append(roots, r.Server.Past(simulator.Speech{User: ada, Channel: general, Text: "root"}))
	}
	begin := time.Now()
	for _, n := range []int{2, 0, 3, 0} {
		r.Server.Past(simulator.Speech{User: ada, Channel: general, Thread: roots[n], Text: "reply"})
	}
	got, err := r.Adapter.Threads(r.Ctx, place(general, ""), begin.Add(-time.Hour), 2)
	if err != nil {
		t.Fatal(err)
	}
	want := []chat.Address{place(general, roots[0]), place(general, roots[3])}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got, err := r.Adapter.Threads(r.Ctx, place(general, ""), time.Now().Add(time.Hour), 2); err != nil || len(got) > 0 {
		t.Errorf("of later than now: %v, %v", got, err)
	}
}
