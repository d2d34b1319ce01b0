package crosstest_test

import (
	"encoding/json"
	"time"

	"pgregory.net/rapid"

	"talaria/storage"
)

// Few names, so that operations meet each other.
var (
	keys   = rapid.SampledFrom([]string{"a", "b", "ab", "é", "日"})
	values = rapid.SliceOfN(rapid.Byte(), 1, 6)
	states = rapid.SampledFrom([]storage.State{storage.Queued, storage.Sending, storage.Sent, storage.Failed, storage.Unknown})
	// Terms as the analyser makes them: words, and pairs of characters.
	term = rapid.StringOfN(rapid.RuneFrom([]rune("日本語中文かなab")), 1, 2, -1)
)

func drawRef(t *rapid.T) storage.Ref {
	return storage.Ref{Collection: rapid.SampledFrom([]string{"c", "c2", "日"}).Draw(t, "collection"), Key: keys.Draw(t, "key")}
}

func drawLog(t *rapid.T) string { return rapid.SampledFrom([]string{"l", "log/日"}).Draw(t, "log") }

func drawPlace(t *rapid.T) string { return rapid.SampledFrom([]string{"p", "p2"}).Draw(t, "place") }

// drawTTL is half a step away from the ticks.
func drawTTL(t *rapid.T) time.Duration {
	return step/2 + time.Duration(rapid.IntRange(0, 2).Draw(t, "ttl"))*step
}

func drawTTLOrNone(t *rapid.T) time.Duration {
	if rapid.Bool().Draw(t, "for ever") {
		return 0
	}
	return drawTTL(t)
}

func drawExpect(t *rapid.T) storage.Revision {
	return rapid.SampledFrom([]storage.Revision{storage.Any, storage.Any, storage.Absent, 1, 2, 3}).Draw(t, "expect")
}

func (m *machine) drawDue(t *rapid.T) time.Time {
	return m.base.Add(time.Duration(rapid.IntRange(0, ticks-1).Draw(t, "due")) * step)
}

// op draws one operation of any kind.
func (m *machine) op(t *rapid.T) storage.Op {
	value := values.Draw(t, "value")
	switch rapid.IntRange(0, 12).Draw(t, "kind") {
	case 0:
		return storage.Op{Put: &storage.PutOp{Ref: drawRef(t), Value: value, Expect: drawExpect(t), TTL: drawTTLOrNone(t)}}
	case 1:
		return storage.Op{Delete: &storage.DeleteOp{Ref: drawRef(t), Expect: drawExpect(t)}}
	case 2:
		return storage.Op{Append: &storage.AppendOp{Log: drawLog(t), Values: rapid.SliceOfN(values, 1, 3).Draw(t, "values")}}
	case 3:
		return storage.Op{Trim: &storage.TrimOp{Log: drawLog(t), Before: uint64(rapid.IntRange(0, 6).Draw(t, "before"))}}
	case 4:
		some := rapid.SliceOfN(keys, 1, 3).Draw(t, "keys")
		return storage.Op{Receive: &storage.ReceiveOp{Keys: some, Value: value, Remember: drawTTL(t)}}
	case 5:
		return storage.Op{Done: &storage.DoneOp{Sequence: uint64(rapid.IntRange(1, 6).Draw(t, "sequence"))}}
	case 6:
		return storage.Op{Queue: &storage.QueueOp{Key: keys.Draw(t, "key"), State: states.Draw(t, "state"), Value: value}}
	case 7:
		if rapid.Bool().Draw(t, "keep value") {
			value = nil
		}
		from := rapid.SliceOfN(states, 1, 4).Draw(t, "from")
		return storage.Op{Move: &storage.MoveOp{
			Key: keys.Draw(t, "key"), From: from, To: states.Draw(t, "to"), Value: value, TTL: drawTTLOrNone(t),
		}}
	case 8:
		place, counts := drawPlace(t), rapid.MapOfN(term, rapid.IntRange(1, 3), 0, 5).Draw(t, "counts")
		return storage.Op{Index: &storage.IndexOp{Place: place, IndexedDoc: storage.IndexedDoc{Doc: keys.Draw(t, "doc"), Counts: counts}}}
	case 9:
		return storage.Op{Unindex: &storage.UnindexOp{Place: drawPlace(t), Doc: keys.Draw(t, "doc")}}
	default:
		return m.timerOp(t, value)
	}
}

func (m *machine) timerOp(t *rapid.T, value []byte) storage.Op {
	id, due := keys.Draw(t, "id"), m.drawDue(t)
	switch rapid.IntRange(0, 3).Draw(t, "timer") {
	case 0:
		return storage.Op{ClaimTimer: &storage.ClaimTimerOp{ID: id, Due: due, Lease: drawTTL(t)}}
	case 1:
		return storage.Op{SettleTimer: &storage.SettleTimerOp{ID: id, Due: due}}
	case 2:
		return storage.Op{SettleTimer: &storage.SettleTimerOp{ID: id, Due: due, Next: m.drawDue(t)}}
	default:
		return storage.Op{SetTimer: &storage.SetTimerOp{Timer: storage.Timer{ID: id, Due: due, Value: value}}}
	}
}

// describe shows operations readably when they fail.
func describe(ops []storage.Op) string {
	text, err := json.Marshal(ops)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
