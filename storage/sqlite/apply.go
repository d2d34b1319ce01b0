package sqlite

import (
	"context"

	"talaria/storage"
)

// Apply implements storage.Driver. A batch shares its transaction, and where
// one of them is durable the sync too, with those that wait at the same time.
func (d *Driver) Apply(ctx context.Context, b storage.Ops) ([]storage.Result, error) {
	if err := b.Check(); err != nil {
		return nil, err
	}
	var results []storage.Result
	err := d.writer.submit(ctx, &request{
		durable: b.Durable,
		late:    refusesLate(b.Ops),
		work: func(t *tx) (err error) {
			results, err = t.apply(b)
			return err
		},
	})
	if err != nil {
		return nil, err
	}
	return results, nil
}

// refusesLate reports whether an operation may be refused after an earlier one
// of its batch has written.
func refusesLate(ops []storage.Op) bool {
	for n, op := range ops {
		if n > 0 && (op.Move != nil || op.Put != nil && op.Put.Expect != storage.Any ||
			op.Delete != nil && op.Delete.Expect != storage.Any) {
			return true
		}
	}
	return false
}

func (t *tx) apply(b storage.Ops) ([]storage.Result, error) {
	part := b.Partition.String()
	if b.Fence != nil {
		if err := t.fenced(part, *b.Fence); err != nil {
			return nil, err
		}
	}
	results := make([]storage.Result, len(b.Ops))
	for n, op := range b.Ops {
		var err error
		if results[n], err = t.perform(part, op); err != nil {
			return nil, err
		}
	}
	return results, nil
}

func (t *tx) perform(part string, op storage.Op) (storage.Result, error) {
	switch {
	case op.Put != nil:
		return t.put(part, op.Put)
	case op.Delete != nil:
		return storage.Result{}, t.remove(part, op.Delete)
	case op.Append != nil:
		return t.append(part, op.Append)
	case op.Trim != nil:
		return storage.Result{}, t.trim(part, op.Trim)
	case op.Receive != nil:
		return t.receive(part, op.Receive)
	case op.Done != nil:
		_, err := t.exec("DELETE FROM events WHERE part = ? AND seq = ?", part, op.Done.Sequence)
		return storage.Result{}, err
	case op.Queue != nil:
		return t.queue(part, op.Queue)
	case op.Move != nil:
		return storage.Result{}, t.move(part, op.Move)
	case op.SetTimer != nil:
		return storage.Result{}, t.setTimer(part, op.SetTimer.Timer)
	case op.ClaimTimer != nil:
		return t.claimTimer(part, op.ClaimTimer)
	case op.SettleTimer != nil:
		return storage.Result{}, t.settleTimer(part, op.SettleTimer)
	case op.Index != nil:
		return storage.Result{}, t.index(part, op.Index.Place, op.Index.IndexedDoc)
	default:
		return storage.Result{}, t.unindex(part, op.Unindex.Place, op.Unindex.Doc)
	}
}

// next counts one of the partition's sequences up. Reading and then writing
// takes half the time of one statement with RETURNING.
func (t *tx) next(part, counter string) (uint64, error) {
	n := uint64(1)
	_, err := t.one(func(r *row) { n = r.uint(0) + 1 },
		"SELECT last FROM counters WHERE part = ? AND name = ?", part, counter)
	if err != nil {
		return 0, err
	}
	_, err = t.exec("INSERT INTO counters VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET last = excluded.last", part, counter, n)
	return n, err
}
