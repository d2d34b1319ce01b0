package storagetest

import (
	"fmt"
	"time"

	"talaria/storage"
)

func outbox() group {
	return group{"outbox", []testCase{
		{"every value comes back exactly", func(e *env) {
			for n, v := range values() {
				e.apply(queue(fmt.Sprint(n), string(v)))
			}
			for n, v := range values() {
				e.equal(string(e.row(fmt.Sprint(n)).Value), string(v))
			}
		}},
		{"every key is a row of its own", func(e *env) {
			for _, k := range awkward() {
				e.apply(queue(k, k))
			}
			for n, k := range awkward() {
				e.equal(e.row(k), storage.Row{Key: k, Sequence: uint64(n + 1), State: storage.Queued, Value: []byte(k)})
			}
		}},
		{"a missing row is not found", func(e *env) {
			_, err := e.d.Row(e.ctx, e.p, "k")
			e.is(err, storage.ErrNotFound)
		}},
		{"queue tells the sequence, which grows", func(e *env) {
			e.equal(e.apply(queue("a", ""), queue("b", "")), []storage.Result{{Offset: 1}, {Offset: 2}})
			e.equal(e.apply(queue("c", ""))[0], storage.Result{Offset: 3})
		}},
		{"queue in the sending state", func(e *env) {
			e.apply(storage.Op{Queue: &storage.QueueOp{Key: "k", State: storage.Sending, Value: []byte("v")}})
			e.equal(e.row("k").State, storage.Sending)
		}},
		{"queue of a known key changes nothing", func(e *env) {
			e.apply(queue("k", "first"))
			e.equal(e.apply(queue("k", "second"))[0], storage.Result{Known: true})
			e.equal(e.row("k"), storage.Row{Key: "k", Sequence: 1, State: storage.Queued, Value: []byte("first")})
		}},
		{"queue of a known key in any state", func(e *env) {
			e.apply(queue("k", "v"))
			e.apply(move("k", storage.Sent, storage.Queued))
			e.equal(e.apply(queue("k", "again"))[0].Known, true)
			e.equal(e.row("k").State, storage.Sent)
		}},
		{"rows of another partition are apart", func(e *env) {
			e.apply(queue("k", "v"))
			_, err := e.d.Row(e.ctx, storage.Shard(8), "k")
			e.is(err, storage.ErrNotFound)
			e.equal(e.on(storage.Shard(8)).rows(0, 10, storage.Queued), []string(nil))
		}},
		{"move changes the state and keeps sequence and value", func(e *env) {
			e.apply(queue("k", "v"))
			e.apply(move("k", storage.Sending, storage.Queued))
			e.equal(e.row("k"), storage.Row{Key: "k", Sequence: 1, State: storage.Sending, Value: []byte("v")})
		}},
		{"move can change the value, also to an empty one", func(e *env) {
			e.apply(queue("k", "v"))
			op := move("k", storage.Sending, storage.Queued)
			op.Move.Value = []byte("w")
			e.apply(op)
			e.equal(e.row("k").Value, []byte("w"))
			op = move("k", storage.Sent, storage.Sending)
			op.Move.Value = []byte{}
			e.apply(op)
			e.equal(len(e.row("k").Value), 0)
		}},
		{"move from one of several states", func(e *env) {
			e.apply(queue("k", "v"))
			e.apply(move("k", storage.Failed, storage.Sending, storage.Queued))
			e.equal(e.row("k").State, storage.Failed)
		}},
		{"move into the state it is in", func(e *env) {
			e.apply(queue("k", "v"))
			op := move("k", storage.Queued, storage.Queued)
			op.Move.Value = []byte("w")
			e.apply(op)
			e.equal(e.row("k"), storage.Row{Key: "k", Sequence: 1, State: storage.Queued, Value: []byte("w")})
			e.equal(e.rows(0, 10, storage.Queued), []string{"1 k"})
		}},
		{"move from another state conflicts", func(e *env) {
			e.apply(queue("k", "v"))
			e.refused(storage.ErrConflict, move("k", storage.Sent, storage.Sending, storage.Unknown))
			e.refused(storage.ErrConflict, move("k", storage.Sent))
			e.equal(e.row("k").State, storage.Queued)
		}},
		{"move of a missing row conflicts", func(e *env) {
			e.refused(storage.ErrConflict, move("k", storage.Sent, storage.Queued, storage.Sending))
		}},
		{"queued and moved in one batch", func(e *env) {
			e.apply(queue("k", "v"), move("k", storage.Sending, storage.Queued), move("k", storage.Sent, storage.Sending))
			e.equal(e.row("k").State, storage.Sent)
		}},
		{"rows are in the asked states, by sequence", func(e *env) {
			e.fillOutbox()
			e.equal(e.rows(0, 10, storage.Queued), []string{"1 a", "4 d"})
			e.equal(e.rows(0, 10, storage.Sent), []string{"3 c"})
			e.equal(e.rows(0, 10, storage.Queued, storage.Sending), []string{"1 a", "2 b", "4 d"})
			e.equal(e.rows(0, 10, storage.Unknown, storage.Sent, storage.Queued), []string{"1 a", "3 c", "4 d", "5 e"})
			e.equal(e.rows(0, 10, storage.Failed), []string(nil))
			e.equal(e.rows(0, 10), []string(nil))
		}},
		{"rows begin after a sequence and keep to the limit", func(e *env) {
			e.fillOutbox()
			e.equal(e.rows(1, 10, storage.Queued, storage.Sending), []string{"2 b", "4 d"})
			e.equal(e.rows(0, 2, storage.Queued, storage.Sending), []string{"1 a", "2 b"})
			e.equal(e.rows(0, 0, storage.Queued), []string(nil))
			e.equal(e.rows(1<<63, 10, storage.Queued), []string(nil))
		}},
		{"rows of a state named twice come once", func(e *env) {
			e.fillOutbox()
			e.equal(e.rows(0, 10, storage.Sent, storage.Sent), []string{"3 c"})
		}},
		{"rows come whole", func(e *env) {
			e.apply(queue("k", "v"))
			e.equal(must(e.d.Rows(e.ctx, e.p, 0, 1, storage.Queued))(e.t),
				[]storage.Row{{Key: "k", Sequence: 1, State: storage.Queued, Value: []byte("v")}})
		}},
		{"a row moved with a time to live is forgotten after it", func(e *env) {
			e.apply(queue("k", "v"))
			op := move("k", storage.Sent, storage.Queued)
			op.Move.TTL = time.Minute
			e.apply(op)
			e.advance(59 * time.Second)
			e.equal(e.row("k").State, storage.Sent)
			e.advance(2 * time.Second)
			_, err := e.d.Row(e.ctx, e.p, "k")
			e.is(err, storage.ErrNotFound)
			e.equal(e.rows(0, 10, storage.Sent), []string(nil))
			e.refused(storage.ErrConflict, move("k", storage.Failed, storage.Sent))
		}},
		{"the key of a forgotten row can be queued again", func(e *env) {
			e.apply(queue("k", "v"))
			op := move("k", storage.Sent, storage.Queued)
			op.Move.TTL = time.Minute
			e.apply(op)
			e.advance(2 * time.Minute)
			e.equal(e.apply(queue("k", "w"))[0], storage.Result{Offset: 2})
			e.equal(e.row("k"), storage.Row{Key: "k", Sequence: 2, State: storage.Queued, Value: []byte("w")})
			e.advance(24 * time.Hour)
			e.equal(e.rows(0, 10, storage.Queued), []string{"2 k"})
		}},
		{"a row moved without a time to live is kept", func(e *env) {
			e.apply(queue("k", "v"))
			op := move("k", storage.Sending, storage.Queued)
			op.Move.TTL = time.Minute
			e.apply(op)
			e.apply(move("k", storage.Unknown, storage.Sending))
			e.advance(time.Hour)
			e.equal(e.row("k").State, storage.Unknown)
		}},
		{"two move one row, one wins", func(e *env) {
			e.apply(queue("k", "v"))
			e.one(race(8, func(int) error {
				_, err := e.batch(move("k", storage.Sending, storage.Queued))
				return err
			}), storage.ErrConflict)
		}},
		{"two queue one key, one wins", func(e *env) {
			results := make([]storage.Result, 8)
			for _, err := range race(8, func(n int) error {
				got, err := e.batch(queue("k", fmt.Sprint(n)))
				if err == nil {
					results[n] = got[0]
				}
				return err
			}) {
				e.check(err)
			}
			won := 0
			for n, r := range results {
				if !r.Known {
					won++
					e.equal(string(e.row("k").Value), fmt.Sprint(n))
				}
			}
			e.equal(won, 1)
		}},
		{"a thousand rows can be paged by state", func(e *env) {
			var ops []storage.Op
			for n := range 1000 {
				key := fmt.Sprintf("%03d", n)
				ops = append(ops, queue(key, ""))
				if n%2 == 1 {
					ops = append(ops, move(key, storage.Sent, storage.Queued))
				}
			}
			e.apply(ops...)
			var last uint64
			seen := 0
			for {
				rows := must(e.d.Rows(e.ctx, e.p, last, 64, storage.Queued))(e.t)
				if len(rows) == 0 {
					break
				}
				for _, r := range rows {
					e.equal(r.Key, fmt.Sprintf("%03d", 2*seen))
					last = r.Sequence
					seen++
				}
			}
			e.equal(seen, 500)
		}},
	}}
}

// fillOutbox queues a to e and moves b to sending, c to sent and e to unknown.
func (e *env) fillOutbox() {
	e.t.Helper()
	e.apply(queue("a", ""), queue("b", ""), queue("c", ""), queue("d", ""), queue("e", ""))
	e.apply(move("c", storage.Sent, storage.Queued), move("b", storage.Sending, storage.Queued), move("e", storage.Unknown, storage.Queued))
}

func (e *env) row(key string) storage.Row {
	e.t.Helper()
	return must(e.d.Row(e.ctx, e.p, key))(e.t)
}

func (e *env) rows(after uint64, limit int, states ...storage.State) []string {
	e.t.Helper()
	var out []string
	for _, r := range must(e.d.Rows(e.ctx, e.p, after, limit, states...))(e.t) {
		out = append(out, fmt.Sprintf("%d %s", r.Sequence, r.Key))
	}
	return out
}
