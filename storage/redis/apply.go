package redis

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"talaria/storage"
)

// Apply performs a batch by one run of apply.lua.
func (d *Driver) Apply(ctx context.Context, b storage.Ops) ([]storage.Result, error) {
	if err := b.Check(); err != nil {
		return nil, err
	}
	if len(b.Ops) == 0 {
		return nil, nil
	}
	fence := ""
	if b.Fence != nil {
		if b.Fence.Partition != b.Partition {
			return nil, fmt.Errorf("%w: the fence is for %s, the batch for %s", storage.ErrFenced, b.Fence.Partition, b.Partition)
		}
		fence = strconv.FormatUint(b.Fence.Token, 10)
	}
	r := newRequest(d.space(b.Partition), d.offset.Load(), "", fence, 0)
	for _, op := range b.Ops {
		encode(r, op)
		if adds(op) {
			r.args[3] = 1
		}
	}
	words, err := d.change(ctx, d.client, d.scripts.apply, b.Partition, r.keys, func(registered string) []any {
		r.args[1] = registered
		return r.args
	})
	if err != nil {
		return nil, fmt.Errorf("apply batch on %s: %w", b.Partition, err)
	}
	return results(b, words)
}

func results(b storage.Ops, words []any) ([]storage.Result, error) {
	switch text(words, 0) {
	case "ok":
	case "fenced":
		return nil, fmt.Errorf("%w: %s", storage.ErrFenced, b.Partition)
	case "conflict":
		return nil, fmt.Errorf("%w: operation %d on %s", storage.ErrConflict, whole(words, 1)-1, b.Partition)
	default:
		return nil, fmt.Errorf("apply batch on %s: unexpected reply", b.Partition)
	}
	out := make([]storage.Result, len(b.Ops))
	for n, op := range b.Ops {
		value := whole(words, n+1)
		switch {
		case op.Put != nil:
			out[n].Revision = storage.Revision(value)
		case op.Append != nil:
			out[n].Offset = uint64(value)
		case op.Receive != nil, op.Queue != nil:
			out[n].Offset, out[n].Known = uint64(value), value == 0
		case op.ClaimTimer != nil:
			out[n].Known = value == 0
		}
	}
	return out, nil
}

// adds tells whether an operation may store something, as opposed to only
// removing. A full server still lets batches through that only remove.
func adds(op storage.Op) bool {
	return op.Delete == nil && op.Trim == nil && op.Done == nil && op.Unindex == nil &&
		(op.SettleTimer == nil || !op.SettleTimer.Next.IsZero())
}

// encode appends an operation in the form that apply.lua reads: name, group,
// then the arguments in the order given here.
func encode(r *request, op storage.Op) {
	switch {
	case op.Put != nil:
		r.add("put", r.group(documentKeys()), field(op.Put.Ref), int64(op.Put.Expect), millis(op.Put.TTL), op.Put.Value)
	case op.Delete != nil:
		r.add("delete", r.group(documentKeys()), field(op.Delete.Ref), int64(op.Delete.Expect))
	case op.Append != nil:
		r.add("append", listed(op.Append.Values, r.group(logKeys(op.Append.Log)), op.Append.Log)...)
	case op.Trim != nil:
		r.add("trim", r.group(logKeys(op.Trim.Log)), op.Trim.Log, op.Trim.Before)
	case op.Receive != nil:
		r.add("receive", listed(op.Receive.Keys, r.group(inboxKeys()), op.Receive.Value, millis(op.Receive.Remember))...)
	case op.Done != nil:
		r.add("done", r.group(inboxKeys()), op.Done.Sequence)
	case op.Queue != nil:
		r.add("queue", r.group(outboxKeys()), op.Queue.Key, string(op.Queue.State), op.Queue.Value)
	case op.Move != nil:
		encodeMove(r, op.Move)
	case op.SetTimer != nil:
		r.add("timer", r.group(timerKeys()), op.SetTimer.ID, op.SetTimer.Due.UnixMilli(), op.SetTimer.Value)
	case op.ClaimTimer != nil:
		c := op.ClaimTimer
		r.add("claim", r.group(timerKeys()), c.ID, c.Due.UnixMilli(), millis(c.Lease))
	case op.SettleTimer != nil:
		encodeSettle(r, op.SettleTimer)
	case op.Index != nil:
		i := op.Index
		r.add("index", r.group(placeKeys(i.Place)), i.Place, i.Doc, encodeCounts(i.Counts), i.Length())
	case op.Unindex != nil:
		r.add("unindex", r.group(placeKeys(op.Unindex.Place)), op.Unindex.Place, op.Unindex.Doc)
	}
}

// listed is arguments with a list behind them.
func listed[T any](list []T, args ...any) []any {
	for _, v := range list {
		args = append(args, v)
	}
	return args
}

func encodeMove(r *request, op *storage.MoveOp) {
	value := "replace"
	if op.Value == nil {
		value = "keep"
	}
	r.add("move", listed(texts(op.From), r.group(outboxKeys()), op.Key, string(op.To), millis(op.TTL), value, op.Value)...)
}

// texts are states as the client library can write them.
func texts(states []storage.State) []string {
	list := make([]string, len(states))
	for n, s := range states {
		list[n] = string(s)
	}
	return list
}

func encodeSettle(r *request, op *storage.SettleTimerOp) {
	next := ""
	if !op.Next.IsZero() {
		next = strconv.FormatInt(op.Next.UnixMilli(), 10)
	}
	r.add("settle", r.group(timerKeys()), op.ID, op.Due.UnixMilli(), next)
}

// field is a document's name in the hash and the sorted set of documents.
func field(r storage.Ref) string { return r.Collection + "\x00" + r.Key }

// encodeCounts writes terms and counts, each with a NUL behind it, in order.
func encodeCounts(counts map[string]int) string {
	terms := make([]string, 0, len(counts))
	for t := range counts {
		terms = append(terms, t)
	}
	slices.Sort(terms)
	var b strings.Builder
	for _, t := range terms {
		b.WriteString(t)
		b.WriteByte(0)
		b.WriteString(strconv.Itoa(counts[t]))
		b.WriteByte(0)
	}
	return b.String()
}

func decodeCounts(stored string) (map[string]int, error) {
	counts := make(map[string]int, strings.Count(stored, "\x00")/2)
	for rest := stored; rest != ""; {
		term, after, _ := strings.Cut(rest, "\x00")
		number, after, ok := strings.Cut(after, "\x00")
		n, err := strconv.Atoi(number)
		if !ok || err != nil {
			return nil, fmt.Errorf("%w: counts of an indexed document", storage.ErrCorrupt)
		}
		counts[term], rest = n, after
	}
	return counts, nil
}
