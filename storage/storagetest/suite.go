package storagetest

import (
	"testing"
	"time"

	"talaria/storage"
)

// Harness is how the suite gets at a driver. Each function fails t itself.
type Harness struct {
	// Open returns a driver over an empty store and closes it when t ends.
	Open func(t *testing.T) storage.Driver
	// Reopen closes d and returns a driver over the same store, with the same
	// clock, closed when t ends.
	Reopen func(t *testing.T, d storage.Driver) storage.Driver
	// Advance moves d's clock forward.
	Advance func(t *testing.T, d storage.Driver, by time.Duration)
}

// group is the cases of one primitive.
type group struct {
	name  string
	cases []testCase
}

// testCase is one sentence of the contract, tried on a store of its own.
type testCase struct {
	name string
	run  func(e *env)
}

// Run tries a driver against the contract. There is nothing to skip.
func Run(t *testing.T, h Harness) {
	groups := []group{
		batches(), documents(), logs(), inbox(), outbox(), timers(), indexes(), leases(), fences(),
		blobs(), buses(), dumps(), lifecycle(), cancellation(),
	}
	total := 0
	for _, g := range groups {
		total += len(g.cases)
		t.Run(g.name, func(t *testing.T) {
			for _, c := range g.cases {
				t.Run(c.name, func(t *testing.T) { c.run(newEnv(t, h)) })
			}
		})
	}
	t.Logf("%d cases of the storage contract", total)
}
