package crosstest_test

import (
	"encoding/json"
	"slices"
	"time"

	"pgregory.net/rapid"

	"talaria/storage"
)

// Few names, so that operations meet each other.
var (
	collections = []string{"c", "c2"}
	logs        = []string{"l", "log/日"}
	places      = []string{"p", "p2"}

	keys   = anyOf("a", "b", "ab", "日")
	values = rapid.SliceOfN(rapid.Byte(), 1, 6)
	states = anyOf(storage.Queued, storage.Sending, storage.Sent, storage.Unknown)
	// Terms as the analyser makes them: words, and pairs of characters.
	term = rapid.StringOfN(rapid.RuneFrom([]rune("日本語中文かなab")), 1, 2, -1)
)

// pick draws one of a list, each as often as the others; rapid's own draws
// prefer the first.
func pick[T any](t *rapid.T, label string, from []T) T {
	n := 0
	for range 6 {
		n *= 2
		if rapid.Bool().Draw(t, label) {
			n++
		}
	}
	return from[n%len(from)]
}

func anyOf[T any](from ...T) *rapid.Generator[T] {
	return rapid.Custom(func(t *rapid.T) T { return pick(t, "one", from) })
}

func drawRef(t *rapid.T) storage.Ref {
	return storage.Ref{Collection: pick(t, "collection", collections), Key: keys.Draw(t, "key")}
}

func drawLog(t *rapid.T) string { return pick(t, "log", logs) }

func drawPlace(t *rapid.T) string { return pick(t, "place", places) }

func drawRow(t *rapid.T) string { return pick(t, "row", []string{"a", "b"}) }

// drawTTL is half a step away from the ticks.
func drawTTL(t *rapid.T) time.Duration {
	return step/2 + pick(t, "ttl", []time.Duration{0, 1, 2})*step
}

func drawTTLOrNone(t *rapid.T) time.Duration {
	if rapid.Bool().Draw(t, "for ever") {
		return 0
	}
	return drawTTL(t)
}

func drawExpect(t *rapid.T) storage.Revision {
	return pick(t, "expect", []storage.Revision{storage.Any, storage.Any, storage.Absent, 1, 2})
}

func (m *machine) drawDue(t *rapid.T) time.Time {
	return m.base.Add(pick(t, "due", []time.Duration{0, 1, 2}) * step)
}

// The kinds of operations, by the part of the store that they are about, so
// that a batch is often about one part only.
func (m *machine) parts() [][]func(*rapid.T) storage.Op {
	return [][]func(*rapid.T) storage.Op{
		{drawPut, drawPut, drawDelete},
		{drawAppend, drawTrim},
		{drawReceive, drawReceive, drawDone},
		{drawQueue, drawMove},
		{drawIndex, drawIndex, drawUnindex},
		{m.drawSet, m.drawClaim, m.drawSettle},
	}
}

func (m *machine) drawOps() []storage.Op {
	parts := m.parts()
	kinds := pick(m.T, "part", append(parts, slices.Concat(parts...)))
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) storage.Op { return pick(t, "kind", kinds)(t) }), 1, 6).Draw(m.T, "ops")
}

func drawPut(t *rapid.T) storage.Op {
	return storage.Op{Put: &storage.PutOp{Ref: drawRef(t), Value: values.Draw(t, "value"), Expect: drawExpect(t), TTL: drawTTLOrNone(t)}}
}

func drawDelete(t *rapid.T) storage.Op {
	return storage.Op{Delete: &storage.DeleteOp{Ref: drawRef(t), Expect: drawExpect(t)}}
}

func drawAppend(t *rapid.T) storage.Op {
	return storage.Op{Append: &storage.AppendOp{Log: drawLog(t), Values: rapid.SliceOfN(values, 1, 3).Draw(t, "values")}}
}

func drawTrim(t *rapid.T) storage.Op {
	return storage.Op{Trim: &storage.TrimOp{Log: drawLog(t), Before: uint64(rapid.IntRange(0, 9).Draw(t, "before"))}}
}

func drawReceive(t *rapid.T) storage.Op {
	some := rapid.SliceOfN(keys, 1, 3).Draw(t, "keys")
	return storage.Op{Receive: &storage.ReceiveOp{Keys: some, Value: values.Draw(t, "value"), Remember: drawTTL(t)}}
}

func drawDone(t *rapid.T) storage.Op {
	return storage.Op{Done: &storage.DoneOp{Sequence: uint64(rapid.IntRange(1, 6).Draw(t, "sequence"))}}
}

func drawQueue(t *rapid.T) storage.Op {
	return storage.Op{Queue: &storage.QueueOp{Key: drawRow(t), State: states.Draw(t, "state"), Value: values.Draw(t, "value")}}
}

func drawMove(t *rapid.T) storage.Op {
	op := &storage.MoveOp{
		Key: drawRow(t), From: rapid.SliceOfN(states, 1, 4).Draw(t, "from"), To: states.Draw(t, "to"), TTL: drawTTLOrNone(t),
	}
	if rapid.Bool().Draw(t, "new value") {
		op.Value = values.Draw(t, "value")
	}
	return storage.Op{Move: op}
}

func drawIndex(t *rapid.T) storage.Op {
	counts := rapid.MapOfN(term, rapid.IntRange(1, 3), 0, 5).Draw(t, "counts")
	return storage.Op{Index: &storage.IndexOp{Place: drawPlace(t), IndexedDoc: storage.IndexedDoc{Doc: keys.Draw(t, "doc"), Counts: counts}}}
}

func drawUnindex(t *rapid.T) storage.Op {
	return storage.Op{Unindex: &storage.UnindexOp{Place: drawPlace(t), Doc: keys.Draw(t, "doc")}}
}

func (m *machine) drawSet(t *rapid.T) storage.Op {
	timer := storage.Timer{ID: keys.Draw(t, "id"), Due: m.drawDue(t), Value: values.Draw(t, "value")}
	return storage.Op{SetTimer: &storage.SetTimerOp{Timer: timer}}
}

func (m *machine) drawClaim(t *rapid.T) storage.Op {
	return storage.Op{ClaimTimer: &storage.ClaimTimerOp{ID: keys.Draw(t, "id"), Due: m.drawDue(t), Lease: drawTTL(t)}}
}

func (m *machine) drawSettle(t *rapid.T) storage.Op {
	op := &storage.SettleTimerOp{ID: keys.Draw(t, "id"), Due: m.drawDue(t)}
	if rapid.Bool().Draw(t, "again") {
		op.Next = m.drawDue(t)
	}
	return storage.Op{SettleTimer: op}
}

// describe shows operations readably when they fail.
func describe(ops []storage.Op) string {
	text, err := json.Marshal(ops)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
