package fault

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"talaria/storage"
)

// Driver is a driver whose calls meet faults.
type Driver struct {
	d storage.Driver

	mu    sync.Mutex
	rand  *rand.Rand
	rules []rule
}

// rule is a Rule with what has happened to it.
type rule struct {
	Rule
	seen, met int
}

var _ storage.Driver = (*Driver)(nil)

// Wrap returns d under a plan; closing it closes d. The first rule that meets
// a call decides what happens to it.
func Wrap(d storage.Driver, seed uint64, rules ...Rule) *Driver {
	f := &Driver{d: d, rand: rand.New(rand.NewPCG(seed, seed))}
	f.Set(rules...)
	return f
}

// Set replaces the rules; none lets every call pass again.
func (f *Driver) Set(rules ...Rule) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rules = make([]rule, len(rules))
	for n, r := range rules {
		f.rules[n].Rule = r
	}
}

// Met is how many calls each rule has met, in the order of the rules.
func (f *Driver) Met() []int {
	f.mu.Lock()
	defer f.mu.Unlock()
	met := make([]int, len(f.rules))
	for n, r := range f.rules {
		met[n] = r.met
	}
	return met
}

// pick returns the fault that a call meets.
func (f *Driver) pick(call string, ops []storage.Op) Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	for n := range f.rules {
		if r := &f.rules[n]; r.matches(call, ops) && r.meets(f.rand) {
			return r.Fault
		}
	}
	return Fault{}
}

// meets counts a matching call and reports whether the fault is its.
func (r *rule) meets(random *rand.Rand) bool {
	r.seen++
	if r.seen <= r.Skip || r.Times > 0 && r.met >= r.Times {
		return false
	}
	if r.Chance > 0 && random.Float64() >= r.Chance {
		return false
	}
	r.met++
	return true
}

// do makes a call with the fault that it meets.
func do[T any](ctx context.Context, met Fault, call func() (T, error)) (T, error) {
	var none T
	if met.Delay > 0 {
		timer := time.NewTimer(met.Delay)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return none, ctx.Err()
		}
	}
	if met.Before != nil {
		return none, met.Before
	}
	v, err := call()
	if err == nil && met.After != nil {
		return none, met.After
	}
	return v, err
}

// run is do for a call that returns only an error.
func run(ctx context.Context, met Fault, call func() error) error {
	_, err := do(ctx, met, func() (struct{}, error) { return struct{}{}, call() })
	return err
}
