package storagetest

import (
	"time"

	"talaria/storage"
)

func put(collection, key, value string, expect storage.Revision) storage.Op {
	return putFor(collection, key, value, expect, 0)
}

func putFor(collection, key, value string, expect storage.Revision, ttl time.Duration) storage.Op {
	return storage.Op{Put: &storage.PutOp{
		Ref: storage.Ref{Collection: collection, Key: key}, Value: []byte(value), Expect: expect, TTL: ttl,
	}}
}

func remove(collection, key string, expect storage.Revision) storage.Op {
	return storage.Op{Delete: &storage.DeleteOp{Ref: storage.Ref{Collection: collection, Key: key}, Expect: expect}}
}

func appendTo(log string, values ...string) storage.Op {
	op := &storage.AppendOp{Log: log}
	for _, v := range values {
		op.Values = append(op.Values, []byte(v))
	}
	return storage.Op{Append: op}
}

func trim(log string, before uint64) storage.Op {
	return storage.Op{Trim: &storage.TrimOp{Log: log, Before: before}}
}

func receive(value string, remember time.Duration, keys ...string) storage.Op {
	return storage.Op{Receive: &storage.ReceiveOp{Keys: keys, Value: []byte(value), Remember: remember}}
}

func done(sequence uint64) storage.Op {
	return storage.Op{Done: &storage.DoneOp{Sequence: sequence}}
}

func queue(key, value string) storage.Op {
	return storage.Op{Queue: &storage.QueueOp{Key: key, State: storage.Queued, Value: []byte(value)}}
}

func move(key string, to storage.State, from ...storage.State) storage.Op {
	return storage.Op{Move: &storage.MoveOp{Key: key, From: from, To: to}}
}

func setTimer(id string, due time.Time, value string) storage.Op {
	return storage.Op{SetTimer: &storage.SetTimerOp{Timer: storage.Timer{ID: id, Due: due, Value: []byte(value)}}}
}

func claim(id string, due time.Time, lease time.Duration) storage.Op {
	return storage.Op{ClaimTimer: &storage.ClaimTimerOp{ID: id, Due: due, Lease: lease}}
}

func settle(id string, due, next time.Time) storage.Op {
	return storage.Op{SettleTimer: &storage.SettleTimerOp{ID: id, Due: due, Next: next}}
}

func index(place, doc string, counts map[string]int) storage.Op {
	return storage.Op{Index: &storage.IndexOp{Place: place, IndexedDoc: storage.IndexedDoc{Doc: doc, Counts: counts}}}
}

func unindex(place, doc string) storage.Op {
	return storage.Op{Unindex: &storage.UnindexOp{Place: place, Doc: doc}}
}
