package redis

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"talaria/storage"
)

// Apply performs a batch by one run of apply.lua.
func (d *Driver) Apply(ctx context.Context, b storage.Ops) ([]storage.Result, error) {
	if b.Partition.IsZero() {
		return nil, fmt.Errorf("%w: a batch without a partition", storage.ErrInvalid)
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
	for n, op := range b.Ops {
		if err := encode(r, op); err != nil {
			return nil, fmt.Errorf("operation %d on %s: %w", n, b.Partition, err)
		}
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
func encode(r *request, op storage.Op) error {
	if n := fields(op); n != 1 {
		return fmt.Errorf("%w: %d fields set, not one", storage.ErrInvalid, n)
	}
	switch {
	case op.Put != nil:
		ttl, err := timeToLive(op.Put.TTL)
		r.add("put", r.group(documentKeys()), field(op.Put.Ref), int64(op.Put.Expect), ttl, op.Put.Value)
		return err
	case op.Delete != nil:
		r.add("delete", r.group(documentKeys()), field(op.Delete.Ref), int64(op.Delete.Expect))
	case op.Append != nil:
		return encodeAppend(r, op.Append)
	case op.Trim != nil:
		r.add("trim", r.group(logKeys(op.Trim.Log)), op.Trim.Log, op.Trim.Before)
	case op.Receive != nil:
		return encodeReceive(r, op.Receive)
	case op.Done != nil:
		r.add("done", r.group(inboxKeys()), op.Done.Sequence)
	case op.Queue != nil:
		r.add("queue", r.group(outboxKeys()), op.Queue.Key, string(op.Queue.State), op.Queue.Value)
		return checkState(op.Queue.State)
	case op.Move != nil:
		return encodeMove(r, op.Move)
	case op.Index != nil:
		i := op.Index
		r.add("index", r.group(placeKeys(i.Place)), i.Place, i.Doc, encodeCounts(i.Counts), i.Length())
	case op.Unindex != nil:
		r.add("unindex", r.group(placeKeys(op.Unindex.Place)), op.Unindex.Place, op.Unindex.Doc)
	case op.SetTimer != nil:
		r.add("timer", r.group(timerKeys()), op.SetTimer.ID, op.SetTimer.Due.UnixMilli(), op.SetTimer.Value)
	case op.ClaimTimer != nil:
		c := op.ClaimTimer
		r.add("claim", r.group(timerKeys()), c.ID, c.Due.UnixMilli(), millis(c.Lease))
	case op.SettleTimer != nil:
		encodeSettle(r, op.SettleTimer)
	}
	return nil
}

func fields(op storage.Op) int {
	n := 0
	for _, set := range []bool{
		op.Put != nil, op.Delete != nil, op.Append != nil, op.Trim != nil, op.Receive != nil,
		op.Done != nil, op.Queue != nil, op.Move != nil, op.SetTimer != nil, op.ClaimTimer != nil,
		op.SettleTimer != nil, op.Index != nil, op.Unindex != nil,
	} {
		if set {
			n++
		}
	}
	return n
}

func encodeSettle(r *request, op *storage.SettleTimerOp) {
	next := ""
	if !op.Next.IsZero() {
		next = strconv.FormatInt(op.Next.UnixMilli(), 10)
	}
	r.add("settle", r.group(timerKeys()), op.ID, op.Due.UnixMilli(), next)
}

func encodeAppend(r *request, op *storage.AppendOp) error {
	if len(op.Values) == 0 {
		return fmt.Errorf("%w: nothing to append to %q", storage.ErrInvalid, op.Log)
	}
	args := []any{r.group(logKeys(op.Log)), op.Log}
	for _, v := range op.Values {
		args = append(args, v)
	}
	r.add("append", args...)
	return nil
}

func encodeReceive(r *request, op *storage.ReceiveOp) error {
	if len(op.Keys) == 0 {
		return fmt.Errorf("%w: an event without a key", storage.ErrInvalid)
	}
	args := []any{r.group(inboxKeys()), op.Value, millis(op.Remember)}
	for _, k := range op.Keys {
		args = append(args, k)
	}
	r.add("receive", args...)
	return nil
}

func encodeMove(r *request, op *storage.MoveOp) error {
	ttl, err := timeToLive(op.TTL)
	if err != nil {
		return err
	}
	value := "replace"
	if op.Value == nil {
		value = "keep"
	}
	args := []any{r.group(outboxKeys()), op.Key, string(op.To), ttl, value, op.Value}
	for _, from := range op.From {
		args = append(args, string(from))
	}
	r.add("move", args...)
	return checkState(op.To)
}

// checkState refuses what would blur the stored form of a row.
func checkState(s storage.State) error {
	if s == "" || strings.ContainsAny(string(s), "\n\x00") {
		return fmt.Errorf("%w: state %q", storage.ErrInvalid, s)
	}
	return nil
}

func timeToLive(d time.Duration) (int64, error) {
	if d < 0 {
		return 0, fmt.Errorf("%w: time to live %s", storage.ErrInvalid, d)
	}
	return millis(d), nil
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
	counts := map[string]int{}
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
