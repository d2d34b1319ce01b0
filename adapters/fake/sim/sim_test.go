package sim_test

import (
	"context"
	"io"
	"net/http"
	"slices"
	"testing"
	"time"

	"talaria/adapters/fake/sim"

	"github.com/google/go-cmp/cmp"
)

func TestFaultsHappenAsOftenAsScripted(t *testing.T) {
	var f sim.Faults[string]
	f.Add("send", 0)
	f.Add("read", 2)
	f.Add("any", -1)
	var met []string
	for _, call := range []string{"read", "send", "send", "read", "read"} {
		hit := f.Next(func(fault string) bool { return fault == call || fault == "any" })
		met = append(met, *hit)
	}
	if diff := cmp.Diff([]string{"read", "send", "any", "read", "any"}, met); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	f.Heal()
	if hit := f.Next(func(string) bool { return true }); hit != nil {
		t.Errorf("after healing: %q", *hit)
	}
}

func TestBucketRefillsByItsRate(t *testing.T) {
	var b sim.Bucket
	now := time.Unix(1000, 0)
	for range 3 {
		if wait := b.Take(now, 2, 3); wait != 0 {
			t.Fatalf("a full bucket has one wait %v", wait)
		}
	}
	wait := b.Take(now, 2, 3)
	if wait != 500*time.Millisecond || b.Take(now.Add(wait), 2, 3) != 0 {
		t.Errorf("an empty bucket has one wait %v", wait)
	}
}

func TestAwaitLooksAgainWhenSomethingChanged(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var s sim.Signal
	looked := 0
	err := s.Await(ctx, func() bool {
		looked++
		s.Raise() // changes while it is looked at are not missed
		return looked == 3
	})
	if err != nil || looked != 3 {
		t.Errorf("looked %d times: %v", looked, err)
	}
	ended, end := context.WithCancel(ctx)
	end()
	if err := s.Await(ended, func() bool { return false }); err == nil {
		t.Error("waited for nothing")
	}
}

func TestCloseWaitsForWhatRuns(t *testing.T) {
	host, err := sim.Listen("nothing")
	if err != nil {
		t.Fatal(err)
	}
	host.Serve(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "here") }))
	resp, err := http.Get("http://" + host.Address())
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	var order []string
	leave := host.Enter()
	host.Go(func() {
		<-host.Ending().Done()
		order = append(order, "ended")
		leave()
	})
	host.Close(func() {})
	if order = append(order, "closed"); !slices.Equal(order, []string{"ended", "closed"}) {
		t.Errorf("order: %v", order)
	}
	if _, err := http.Get("http://" + host.Address()); err == nil {
		t.Error("still served")
	}
}
