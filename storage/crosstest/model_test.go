package crosstest_test

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"talaria/storage"
)

// model is the contract written as plainly as possible: one partition in maps,
// copied for each batch. Its clock stands still until it is moved. Of Driver
// it has what the machine calls.
type model struct {
	storage.Driver
	state
	now   time.Time
	token uint64
}

type state struct {
	docs                  map[storage.Ref]storage.Document
	last                  map[string]uint64 // of each log
	entries               map[string][]storage.Entry
	inboxLast, outboxLast uint64
	events                []storage.InboxEvent
	seen                  map[string]time.Time
	rows                  map[string]storage.StoredRow
	timers                map[string]storage.Timer
	claims                map[string]time.Time
	index                 map[string]map[string]map[string]int // place, document, term
	blobs                 map[string][]byte
	lease                 storage.LeaseInfo
}

func newModel(now time.Time) *model {
	return &model{now: now, state: state{
		docs: map[storage.Ref]storage.Document{}, last: map[string]uint64{}, entries: map[string][]storage.Entry{},
		seen: map[string]time.Time{}, rows: map[string]storage.StoredRow{}, timers: map[string]storage.Timer{},
		claims: map[string]time.Time{}, index: map[string]map[string]map[string]int{}, blobs: map[string][]byte{},
	}}
}

func (s state) clone() state {
	s.docs, s.last, s.entries = maps.Clone(s.docs), maps.Clone(s.last), maps.Clone(s.entries)
	s.events, s.seen, s.rows = slices.Clone(s.events), maps.Clone(s.seen), maps.Clone(s.rows)
	s.timers, s.claims, s.blobs = maps.Clone(s.timers), maps.Clone(s.claims), maps.Clone(s.blobs)
	index := map[string]map[string]map[string]int{}
	for place, docs := range s.index {
		index[place] = maps.Clone(docs)
	}
	s.index = index
	return s
}

// gone tells whether an expiry has passed; the zero one never does.
func (m *model) gone(expires time.Time) bool { return !expires.IsZero() && !expires.After(m.now) }

func (m *model) after(ttl time.Duration) time.Time {
	if ttl == 0 {
		return time.Time{}
	}
	return m.now.Add(ttl)
}

func (m *model) Apply(_ context.Context, b storage.Ops) ([]storage.Result, error) {
	if b.Fence != nil && (m.lease.Token != b.Fence.Token || m.gone(m.lease.Until)) {
		return nil, storage.ErrFenced
	}
	before := m.state.clone()
	var results []storage.Result
	for _, op := range b.Ops {
		r, err := m.perform(op)
		if err != nil {
			m.state = before
			return nil, err
		}
		results = append(results, r)
	}
	return results, nil
}

func (m *model) perform(op storage.Op) (storage.Result, error) {
	var r storage.Result
	var err error
	switch {
	case op.Put != nil:
		r.Revision, err = m.put(op.Put)
	case op.Delete != nil:
		if _, err = m.expect(op.Delete.Ref, op.Delete.Expect); err == nil {
			delete(m.docs, op.Delete.Ref)
		}
	case op.Append != nil:
		r.Offset = m.last[op.Append.Log] + 1
		for _, v := range op.Append.Values {
			m.last[op.Append.Log]++
			m.entries[op.Append.Log] = append(slices.Clone(m.entries[op.Append.Log]), storage.Entry{Offset: m.last[op.Append.Log], Value: v})
		}
	case op.Trim != nil:
		m.trim(op.Trim)
	case op.Receive != nil:
		r = m.receive(op.Receive)
	case op.Done != nil:
		m.events = slices.DeleteFunc(m.events, func(e storage.InboxEvent) bool { return e.Sequence == op.Done.Sequence })
	case op.Queue != nil:
		r = m.queue(op.Queue)
	case op.Move != nil:
		err = m.move(op.Move)
	case op.Index != nil:
		if m.index[op.Index.Place] == nil {
			m.index[op.Index.Place] = map[string]map[string]int{}
		}
		m.index[op.Index.Place][op.Index.Doc] = op.Index.Counts
	case op.Unindex != nil:
		delete(m.index[op.Unindex.Place], op.Unindex.Doc)
	default:
		r = m.timer(op)
	}
	return r, err
}

// expect returns the revision that a document has, or ErrConflict.
func (m *model) expect(ref storage.Ref, want storage.Revision) (storage.Revision, error) {
	have := storage.Absent
	if d, ok := m.docs[ref]; ok && !m.gone(d.Expires) {
		have = d.Revision
	}
	if want != storage.Any && want != have {
		return 0, storage.ErrConflict
	}
	return have, nil
}

func (m *model) put(op *storage.PutOp) (storage.Revision, error) {
	have, err := m.expect(op.Ref, op.Expect)
	if err != nil {
		return 0, err
	}
	m.docs[op.Ref] = storage.Document{Ref: op.Ref, Value: op.Value, Revision: have + 1, Expires: m.after(op.TTL)}
	return have + 1, nil
}

func (m *model) trim(op *storage.TrimOp) {
	if op.Before == 0 {
		delete(m.last, op.Log)
		delete(m.entries, op.Log)
		return
	}
	m.entries[op.Log] = slices.DeleteFunc(slices.Clone(m.entries[op.Log]), func(e storage.Entry) bool { return e.Offset < op.Before })
}

func (m *model) receive(op *storage.ReceiveOp) storage.Result {
	known := false
	for _, k := range op.Keys {
		known = known || m.seen[k].After(m.now)
	}
	for _, k := range op.Keys {
		if until := m.now.Add(op.Remember); until.After(m.seen[k]) {
			m.seen[k] = until
		}
	}
	if known {
		return storage.Result{Known: true}
	}
	m.inboxLast++
	m.events = append(m.events, storage.InboxEvent{Sequence: m.inboxLast, Value: op.Value, At: m.now})
	return storage.Result{Offset: m.inboxLast}
}

func (m *model) row(key string) (storage.StoredRow, bool) {
	r, ok := m.rows[key]
	return r, ok && !m.gone(r.Expires)
}

func (m *model) queue(op *storage.QueueOp) storage.Result {
	if _, ok := m.row(op.Key); ok {
		return storage.Result{Known: true}
	}
	m.outboxLast++
	m.rows[op.Key] = storage.StoredRow{Row: storage.Row{Key: op.Key, Sequence: m.outboxLast, State: op.State, Value: op.Value}}
	return storage.Result{Offset: m.outboxLast}
}

func (m *model) move(op *storage.MoveOp) error {
	r, ok := m.row(op.Key)
	if !ok || !slices.Contains(op.From, r.State) {
		return storage.ErrConflict
	}
	r.State, r.Expires = op.To, m.after(op.TTL)
	if op.Value != nil {
		r.Value = op.Value
	}
	m.rows[op.Key] = r
	return nil
}

func (m *model) timer(op storage.Op) storage.Result {
	switch {
	case op.SetTimer != nil:
		m.timers[op.SetTimer.ID] = op.SetTimer.Timer
		delete(m.claims, op.SetTimer.ID)
	case op.ClaimTimer != nil:
		c := op.ClaimTimer
		if t, ok := m.timers[c.ID]; !ok || !t.Due.Equal(c.Due) || m.claims[c.ID].After(m.now) {
			return storage.Result{Known: true}
		}
		m.claims[c.ID] = m.now.Add(c.Lease)
	case op.SettleTimer != nil:
		s := op.SettleTimer
		t, ok := m.timers[s.ID]
		if !ok || !t.Due.Equal(s.Due) {
			break
		}
		delete(m.claims, s.ID)
		delete(m.timers, s.ID)
		if !s.Next.IsZero() {
			t.Due = s.Next
			m.timers[s.ID] = t
		}
	}
	return storage.Result{}
}

func (m *model) Get(_ context.Context, _ storage.Partition, refs ...storage.Ref) ([]storage.Document, error) {
	var found []storage.Document
	for _, r := range refs {
		if d, ok := m.docs[r]; ok && !m.gone(d.Expires) {
			found = append(found, d)
		}
	}
	return found, nil
}

func (m *model) List(_ context.Context, _ storage.Partition, collection, after string, limit int) ([]storage.Document, error) {
	var found []storage.Document
	for r, d := range m.docs {
		if r.Collection == collection && r.Key > after && !m.gone(d.Expires) {
			found = append(found, d)
		}
	}
	slices.SortFunc(found, func(a, b storage.Document) int { return cmp.Compare(a.Key, b.Key) })
	return first(found, limit), nil
}

func (m *model) ReadLog(_ context.Context, _ storage.Partition, log string, from uint64, limit int) ([]storage.Entry, error) {
	entries := slices.DeleteFunc(slices.Clone(m.entries[log]), func(e storage.Entry) bool { return e.Offset < from })
	return first(entries, limit), nil
}

func (m *model) TailLog(_ context.Context, _ storage.Partition, log string, limit int) ([]storage.Entry, error) {
	entries := m.entries[log]
	return entries[max(0, len(entries)-limit):], nil
}

func (m *model) Pending(_ context.Context, _ storage.Partition, after uint64, limit int) ([]storage.InboxEvent, error) {
	events := slices.DeleteFunc(slices.Clone(m.events), func(e storage.InboxEvent) bool { return e.Sequence <= after })
	return first(events, limit), nil
}

func (m *model) Rows(_ context.Context, _ storage.Partition, after uint64, limit int, states ...storage.State) ([]storage.Row, error) {
	var found []storage.Row
	for key := range m.rows {
		if r, ok := m.row(key); ok && r.Sequence > after && slices.Contains(states, r.State) {
			found = append(found, r.Row)
		}
	}
	slices.SortFunc(found, func(a, b storage.Row) int { return cmp.Compare(a.Sequence, b.Sequence) })
	return first(found, limit), nil
}

func (m *model) Row(_ context.Context, _ storage.Partition, key string) (storage.Row, error) {
	r, ok := m.row(key)
	if !ok {
		return storage.Row{}, storage.ErrNotFound
	}
	return r.Row, nil
}

func (m *model) Due(_ context.Context, _ storage.Partition, now time.Time, limit int) ([]storage.Timer, error) {
	due := m.timetable()
	due = slices.DeleteFunc(due, func(t storage.Timer) bool { return t.Due.After(now) || m.claims[t.ID].After(m.now) })
	return first(due, limit), nil
}

func (m *model) NextDue(context.Context, storage.Partition) (time.Time, error) {
	all := m.timetable()
	if len(all) == 0 {
		return time.Time{}, storage.ErrNotFound
	}
	return all[0].Due, nil
}

func (m *model) timetable() []storage.Timer {
	return slices.SortedFunc(maps.Values(m.timers), func(a, b storage.Timer) int {
		return cmp.Or(a.Due.Compare(b.Due), cmp.Compare(a.ID, b.ID))
	})
}

func (m *model) IndexStats(_ context.Context, _ storage.Partition, place string, terms []string) (storage.IndexStats, error) {
	stats := storage.IndexStats{Documents: len(m.index[place]), Holding: make([]int, len(terms))}
	for doc, counts := range m.index[place] {
		stats.Terms += storage.IndexedDoc{Doc: doc, Counts: counts}.Length()
		for n, t := range terms {
			if counts[t] > 0 {
				stats.Holding[n]++
			}
		}
	}
	return stats, nil
}

func (m *model) Postings(_ context.Context, _ storage.Partition, place string, terms []string, limit int) ([][]string, error) {
	postings := make([][]string, len(terms))
	for n, t := range terms {
		for doc, counts := range m.index[place] {
			if counts[t] > 0 {
				postings[n] = append(postings[n], doc)
			}
		}
		slices.Sort(postings[n])
		slices.Reverse(postings[n])
		postings[n] = first(postings[n], limit)
	}
	return postings, nil
}

func (m *model) Indexed(_ context.Context, _ storage.Partition, place string, docs []string) ([]storage.IndexedDoc, error) {
	var found []storage.IndexedDoc
	for _, d := range docs {
		if counts, ok := m.index[place][d]; ok {
			found = append(found, storage.IndexedDoc{Doc: d, Counts: counts})
		}
	}
	return found, nil
}

func (m *model) Acquire(_ context.Context, p storage.Partition, holder string, ttl time.Duration) (storage.Fence, error) {
	if m.lease.Holder != "" && m.lease.Holder != holder && !m.gone(m.lease.Until) {
		return storage.Fence{}, storage.ErrHeld
	}
	m.token++
	m.lease = storage.LeaseInfo{Holder: holder, Token: m.token, Until: m.now.Add(ttl)}
	return storage.Fence{Partition: p, Token: m.token}, nil
}

func (m *model) Renew(_ context.Context, f storage.Fence, ttl time.Duration) error {
	if m.lease.Token != f.Token || m.gone(m.lease.Until) {
		return storage.ErrFenced
	}
	m.lease.Until = m.now.Add(ttl)
	return nil
}

func (m *model) Release(_ context.Context, f storage.Fence) error {
	if m.lease.Token == f.Token {
		m.lease = storage.LeaseInfo{}
	}
	return nil
}

func (m *model) Lease(context.Context, storage.Partition) (storage.LeaseInfo, error) {
	if m.lease.Holder == "" || m.gone(m.lease.Until) {
		return storage.LeaseInfo{}, storage.ErrNotFound
	}
	return m.lease, nil
}

func (m *model) PutBlob(_ context.Context, _ storage.Partition, hash string, data []byte) error {
	m.blobs[hash] = data
	return nil
}

func (m *model) GetBlob(_ context.Context, _ storage.Partition, hash string) ([]byte, error) {
	data, ok := m.blobs[hash]
	if !ok {
		return nil, storage.ErrNotFound
	}
	return data, nil
}

func (m *model) DeleteBlob(_ context.Context, _ storage.Partition, hash string) error {
	delete(m.blobs, hash)
	return nil
}

func (m *model) Erase(context.Context, storage.Partition) error {
	m.state = newModel(m.now).state
	return nil
}

func (m *model) Dump(_ context.Context, _ storage.Partition, yield func(storage.Record) error) error {
	var all []storage.Stored
	for _, d := range m.docs {
		if !m.gone(d.Expires) {
			all = append(all, storage.Stored{Document: &d})
		}
	}
	for log, last := range m.last {
		all = append(all, storage.Stored{Log: &storage.StoredLog{Log: log, Last: last}})
		for _, e := range m.entries[log] {
			all = append(all, storage.Stored{Entry: &storage.StoredEntry{Log: log, Entry: e}})
		}
	}
	for name, last := range map[string]uint64{storage.InboxCounter: m.inboxLast, storage.OutboxCounter: m.outboxLast} {
		if last > 0 {
			all = append(all, storage.Stored{Counter: &storage.StoredCounter{Name: name, Last: last}})
		}
	}
	for _, e := range m.events {
		all = append(all, storage.Stored{Event: &e})
	}
	for key, until := range m.seen {
		if until.After(m.now) {
			all = append(all, storage.Stored{Seen: &storage.StoredKey{Key: key, Until: until}})
		}
	}
	for key := range m.rows {
		if r, ok := m.row(key); ok {
			all = append(all, storage.Stored{Row: &r})
		}
	}
	for _, t := range m.timers {
		all = append(all, storage.Stored{Timer: &t})
	}
	for place, docs := range m.index {
		for doc, counts := range docs {
			all = append(all, storage.Stored{Indexed: &storage.StoredIndex{Place: place, IndexedDoc: storage.IndexedDoc{Doc: doc, Counts: counts}}})
		}
	}
	for hash, data := range m.blobs {
		all = append(all, storage.Stored{Blob: &storage.StoredBlob{Hash: hash, Data: data}})
	}
	for _, s := range all {
		if err := yield(s.Record()); err != nil {
			return err
		}
	}
	return nil
}

func first[T any](list []T, limit int) []T { return list[:min(len(list), max(limit, 0))] }
