package storage

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Check returns ErrInvalid for a batch that breaks a rule of the contract. The
// Store calls it, so that the same ones are refused over every driver. Names
// and the size of values are checked where the batch is built.
func (o Ops) Check() error {
	if o.Partition.IsZero() {
		return fmt.Errorf("%w: a batch without a partition", ErrInvalid)
	}
	for n, op := range o.Ops {
		if err := op.check(); err != nil {
			return fmt.Errorf("%w: operation %d: %w", ErrInvalid, n, err)
		}
	}
	return nil
}

func (o Op) check() error {
	if n := o.fields(); n != 1 {
		return fmt.Errorf("%d fields are set, not one", n)
	}
	switch {
	case o.Put != nil:
		return cmp.Or(checkExpect(o.Put.Expect), checkTTL(o.Put.TTL))
	case o.Delete != nil:
		return checkExpect(o.Delete.Expect)
	case o.Append != nil && len(o.Append.Values) == 0:
		return fmt.Errorf("nothing to append to %q", o.Append.Log)
	case o.Receive != nil && len(o.Receive.Keys) == 0:
		return errors.New("an event without a key")
	case o.Receive != nil:
		return checkTTL(o.Receive.Remember)
	case o.Queue != nil:
		return checkState(o.Queue.State)
	case o.Move != nil:
		return cmp.Or(checkState(o.Move.To), checkTTL(o.Move.TTL))
	case o.ClaimTimer != nil:
		return checkTTL(o.ClaimTimer.Lease)
	}
	return nil
}

// fields is how many fields of an operation are set.
func (o Op) fields() int {
	n := 0
	for _, set := range []bool{
		o.Put != nil, o.Delete != nil, o.Append != nil, o.Trim != nil, o.Receive != nil, o.Done != nil,
		o.Queue != nil, o.Move != nil, o.SetTimer != nil, o.ClaimTimer != nil, o.SettleTimer != nil,
		o.Index != nil, o.Unindex != nil,
	} {
		if set {
			n++
		}
	}
	return n
}

func checkExpect(r Revision) error {
	if r < Any {
		return fmt.Errorf("revision %d can't be expected", r)
	}
	return nil
}

func checkTTL(d time.Duration) error {
	if d < 0 {
		return fmt.Errorf("time to live %v is negative", d)
	}
	return nil
}

// states are all the states of an outbox row.
func states() []State { return []State{Queued, Sending, Sent, Failed, Unknown} }

func checkState(s State) error {
	if !slices.Contains(states(), s) {
		return fmt.Errorf("state %q is none of %q", s, states())
	}
	return nil
}

// CheckLease returns ErrInvalid for a lease that nobody would hold, or for no
// time; for Acquire.
func CheckLease(p Partition, holder string, ttl time.Duration) error {
	if p.IsZero() || holder == "" {
		return fmt.Errorf("%w: a lease needs a partition and a holder", ErrInvalid)
	}
	return CheckRenewal(ttl)
}

// CheckRenewal returns ErrInvalid for a lease for no time; for Renew.
func CheckRenewal(ttl time.Duration) error {
	if ttl < time.Millisecond {
		return fmt.Errorf("%w: a lease of %v, which is no time", ErrInvalid, ttl)
	}
	return nil
}
