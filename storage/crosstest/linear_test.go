package crosstest_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"talaria/storage"
)

func TestHistoriesAreLinearisable(t *testing.T) {
	for name, open := range stores(t) {
		for what, c := range map[string]struct {
			call  caller
			model porcupine.Model
		}{
			"documents": {callDocument, documentModel},
			"leases":    {callLease, leaseModel},
			"claims":    {callTimer, timerModel},
		} {
			t.Run(name+"/"+what, func(t *testing.T) {
				t.Parallel()
				history := record(t, open(t), c.call)
				unknown := 0
				for _, op := range history {
					if op.Output.(outcome).err == errUnknown {
						unknown++
					}
				}
				// On a busy machine so many calls may end in doubt that there are
				// too many orders to try: then nothing is refuted.
				result := porcupine.CheckOperationsTimeout(c.model, history, 20*time.Second)
				if result == porcupine.Illegal {
					t.Fatalf("%s: %d calls, %d of them unknown", result, len(history), unknown)
				}
				t.Logf("%s: %d calls, %d of them unknown", result, len(history), unknown)
			})
		}
	}
}

var linearPartition = storage.Shard(9)

// byKey splits a history into those of single keys.
func byKey(key func(input any) string) func([]porcupine.Operation) [][]porcupine.Operation {
	return func(history []porcupine.Operation) [][]porcupine.Operation {
		keys := map[string][]porcupine.Operation{}
		for _, op := range history {
			keys[key(op.Input)] = append(keys[key(op.Input)], op)
		}
		var parts [][]porcupine.Operation
		for _, part := range keys {
			parts = append(parts, part)
		}
		return parts
	}
}

// Documents: get, put and delete with an expected revision.

type documentCall struct {
	what, key string
	expect    storage.Revision
	value     string
}

type documentState struct {
	revision storage.Revision
	value    string
}

func callDocument(ctx context.Context, d storage.Driver, random *rand.Rand) (any, outcome, error) {
	in := documentCall{
		what: []string{"get", "put", "put", "delete"}[random.IntN(4)], key: fmt.Sprint(random.IntN(3)),
		expect: storage.Revision(random.IntN(5) - 1), value: fmt.Sprint(random.Uint64()),
	}
	ref := storage.Ref{Collection: "c", Key: in.key}
	if in.what == "get" {
		docs, err := d.Get(ctx, linearPartition, ref)
		if err != nil || len(docs) == 0 {
			return in, outcome{}, err
		}
		return in, outcome{number: uint64(docs[0].Revision), text: string(docs[0].Value)}, nil
	}
	op := storage.Op{Delete: &storage.DeleteOp{Ref: ref, Expect: in.expect}}
	if in.what == "put" {
		op = storage.Op{Put: &storage.PutOp{Ref: ref, Value: []byte(in.value), Expect: in.expect}}
	}
	results, err := d.Apply(ctx, storage.Ops{Partition: linearPartition, Ops: []storage.Op{op}})
	if err != nil {
		return in, outcome{}, err
	}
	return in, outcome{number: uint64(results[0].Revision)}, nil
}

var documentModel = porcupine.Model{
	Partition: byKey(func(in any) string { return in.(documentCall).key }),
	Init:      func() any { return documentState{} },
	Step: func(state, input, output any) (bool, any) {
		s, in, out := state.(documentState), input.(documentCall), output.(outcome)
		if in.what == "get" {
			return out.err == errUnknown || out.number == uint64(s.revision) && out.text == s.value, s
		}
		next := documentState{}
		if in.what == "put" {
			next = documentState{s.revision + 1, in.value}
		}
		switch expected := in.expect == storage.Any || in.expect == s.revision; {
		case !expected:
			return out.err == storage.ErrConflict || out.err == errUnknown, s
		case out.err == errUnknown:
			return true, next
		default:
			return out.err == nil && out.number == uint64(next.revision), next
		}
	},
}

// Leases: one of one partition, that does not expire meanwhile.

type leaseCall struct {
	what, holder string
	token        uint64
}

// leaseState has the greatest token seen so far. After an acquisition of
// unknown outcome the current token is not known until somebody looks.
type leaseState struct {
	holder         string
	token, highest uint64
	hidden         bool
}

func callLease(ctx context.Context, d storage.Driver, random *rand.Rand) (any, outcome, error) {
	in := leaseCall{what: []string{"acquire", "acquire", "lease", "renew", "release"}[random.IntN(5)], holder: fmt.Sprint(random.IntN(3))}
	if in.what == "acquire" {
		f, err := d.Acquire(ctx, linearPartition, in.holder, keep)
		return in, outcome{number: f.Token}, err
	}
	info, err := d.Lease(ctx, linearPartition)
	if in.what == "lease" || err != nil {
		in.what = "lease"
		return in, outcome{number: info.Token, text: info.Holder}, err
	}
	// The lease that was seen is another's by now, now and then.
	in.token = info.Token
	f := storage.Fence{Partition: linearPartition, Token: in.token}
	if in.what == "renew" {
		return in, outcome{}, d.Renew(ctx, f, keep)
	}
	return in, outcome{}, d.Release(ctx, f)
}

var leaseModel = porcupine.Model{
	Init: func() any { return leaseState{} },
	Step: func(state, input, output any) (bool, any) {
		s, in, out := state.(leaseState), input.(leaseCall), output.(outcome)
		if in.what == "acquire" {
			return s.acquire(in, out)
		}
		if in.what == "lease" {
			return s.look(out)
		}
		s, current := s.holds(in.token)
		switch {
		case in.what == "renew":
			return out.err == errUnknown || current == (out.err == nil), s
		case current:
			s.holder = ""
		}
		return out.err == nil || out.err == errUnknown, s
	},
}

func (s leaseState) acquire(in leaseCall, out outcome) (bool, any) {
	if s.holder != "" && s.holder != in.holder {
		return out.err == storage.ErrHeld || out.err == errUnknown, s
	}
	s.holder = in.holder
	if s.hidden = out.err == errUnknown; s.hidden {
		return true, s
	}
	grows := out.err == nil && out.number > s.highest
	s.token, s.highest = out.number, max(s.highest, out.number)
	return grows, s
}

func (s leaseState) look(out outcome) (bool, any) {
	switch {
	case out.err == errUnknown:
		return true, s
	case out.err == storage.ErrNotFound:
		return s.holder == "", s
	}
	s, current := s.holds(out.number)
	return out.err == nil && current && s.holder == out.text, s
}

// holds tells whether a token is the current one. A hidden one is known once
// a greater token than all before shows up.
func (s leaseState) holds(token uint64) (leaseState, bool) {
	if s.holder != "" && s.hidden && token > s.highest {
		s.token, s.highest, s.hidden = token, token, false
	}
	return s, s.holder != "" && !s.hidden && s.token == token
}

// Timers: set, claimed and settled.

type timerCall struct {
	what, id  string
	due, next int64
}

type timerState struct {
	due     int64 // zero: gone
	claimed bool
}

func callTimer(ctx context.Context, d storage.Driver, random *rand.Rand) (any, outcome, error) {
	in := timerCall{
		what: []string{"set", "claim", "claim", "claim", "settle"}[random.IntN(5)], id: fmt.Sprint(random.IntN(3)),
		due: 1 + random.Int64N(2), next: random.Int64N(3),
	}
	due := time.UnixMilli(in.due)
	var op storage.Op
	switch in.what {
	case "set":
		op.SetTimer = &storage.SetTimerOp{Timer: storage.Timer{ID: in.id, Due: due}}
	case "claim":
		op.ClaimTimer = &storage.ClaimTimerOp{ID: in.id, Due: due, Lease: keep}
	case "settle":
		op.SettleTimer = &storage.SettleTimerOp{ID: in.id, Due: due}
		if in.next > 0 {
			op.SettleTimer.Next = time.UnixMilli(in.next)
		}
	}
	results, err := d.Apply(ctx, storage.Ops{Partition: linearPartition, Ops: []storage.Op{op}})
	if err != nil {
		return in, outcome{}, err
	}
	return in, outcome{granted: in.what == "claim" && !results[0].Known}, nil
}

var timerModel = porcupine.Model{
	Partition: byKey(func(in any) string { return in.(timerCall).id }),
	Init:      func() any { return timerState{} },
	Step: func(state, input, output any) (bool, any) {
		s, in, out := state.(timerState), input.(timerCall), output.(outcome)
		known := out.err == nil || out.err == errUnknown
		switch {
		case in.what == "set":
			return known, timerState{due: in.due}
		case in.what == "settle" && s.due == in.due:
			return known, timerState{due: in.next}
		case in.what == "settle":
			return known, s
		}
		free := s.due == in.due && !s.claimed
		s.claimed = s.claimed || free
		return out.err == errUnknown || known && out.granted == free, s
	},
}
