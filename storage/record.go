package storage

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// The kinds of records. Leases and claims on timers are no records: they end
// with the processes that held them.
const (
	kindDocument = "document"
	kindLog      = "log"
	kindEntry    = "entry"
	kindCounter  = "counter"
	kindEvent    = "event"
	kindSeen     = "seen"
	kindRow      = "row"
	kindTimer    = "timer"
	kindIndexed  = "indexed"
	kindBlob     = "blob"
)

// Stored is the typed form of a Record; exactly one field is set. Drivers
// make and take records only through it, so that both write the same ones.
// Each stands for itself: records may be loaded in any order.
type Stored struct {
	Document *Document
	Log      *StoredLog
	Entry    *StoredEntry
	Counter  *StoredCounter
	Event    *InboxEvent
	Seen     *StoredKey
	Row      *StoredRow
	Timer    *Timer
	Indexed  *StoredIndex
	Blob     *StoredBlob
}

// StoredLog keeps a log's count, which outlives its trimmed entries.
type StoredLog struct {
	Log  string
	Last uint64 // the highest offset given so far
}

// StoredEntry is one entry of a log.
type StoredEntry struct {
	Log string
	Entry
}

// The names of the counters of a partition.
const (
	InboxCounter  = "inbox"
	OutboxCounter = "outbox"
)

// StoredCounter keeps the highest sequence that an inbox or outbox gave.
type StoredCounter struct {
	Name string // InboxCounter or OutboxCounter
	Last uint64
}

// StoredKey is a remembered key of a received event.
type StoredKey struct {
	Key   string
	Until time.Time
}

// StoredRow is an outbox row with the end of its time to live.
type StoredRow struct {
	Row
	Expires time.Time // zero: never
}

// StoredIndex is an indexed document with its place.
type StoredIndex struct {
	Place string
	IndexedDoc
}

// StoredBlob is a blob under its hash.
type StoredBlob struct {
	Hash string
	Data []byte
}

// Record returns the driver-independent form.
func (s Stored) Record() Record {
	switch {
	case s.Document != nil:
		d := s.Document
		return Record{kindDocument, d.Key, withTime(map[string]string{
			"collection": d.Collection, "revision": strconv.FormatInt(int64(d.Revision), 10),
		}, "expires", d.Expires), d.Value}
	case s.Log != nil:
		return Record{kindLog, s.Log.Log, map[string]string{"last": number(s.Log.Last)}, nil}
	case s.Entry != nil:
		return Record{kindEntry, s.Entry.Log, map[string]string{"offset": number(s.Entry.Offset)}, s.Entry.Value}
	case s.Counter != nil:
		return Record{kindCounter, s.Counter.Name, map[string]string{"last": number(s.Counter.Last)}, nil}
	case s.Event != nil:
		return Record{kindEvent, "", withTime(map[string]string{"sequence": number(s.Event.Sequence)}, "at", s.Event.At), s.Event.Value}
	case s.Seen != nil:
		return Record{kindSeen, s.Seen.Key, withTime(map[string]string{}, "until", s.Seen.Until), nil}
	case s.Row != nil:
		return Record{kindRow, s.Row.Key, withTime(map[string]string{
			"sequence": number(s.Row.Sequence), "state": string(s.Row.State),
		}, "expires", s.Row.Expires), s.Row.Value}
	case s.Timer != nil:
		return Record{kindTimer, s.Timer.ID, withTime(map[string]string{}, "due", s.Timer.Due), s.Timer.Value}
	case s.Indexed != nil:
		counts, _ := json.Marshal(s.Indexed.Counts) // a map of numbers can always be encoded
		return Record{kindIndexed, s.Indexed.Doc, map[string]string{"place": s.Indexed.Place}, counts}
	case s.Blob != nil:
		return Record{kindBlob, s.Blob.Hash, nil, s.Blob.Data}
	}
	return Record{}
}

// Stored reads a record, or returns ErrCorrupt.
func (r Record) Stored() (Stored, error) {
	f := fields{data: r.Data}
	var s Stored
	switch r.Kind {
	case kindDocument:
		s.Document = &Document{Ref{r.Data["collection"], r.Key}, r.Blob, Revision(f.number("revision")), f.time("expires")}
	case kindLog:
		s.Log = &StoredLog{r.Key, f.number("last")}
	case kindEntry:
		s.Entry = &StoredEntry{r.Key, Entry{f.number("offset"), r.Blob}}
	case kindCounter:
		s.Counter = &StoredCounter{r.Key, f.number("last")}
		if r.Key != InboxCounter && r.Key != OutboxCounter {
			f.keep("name", errors.New("no such counter"))
		}
	case kindEvent:
		s.Event = &InboxEvent{f.number("sequence"), r.Blob, f.instant("at")}
	case kindSeen:
		s.Seen = &StoredKey{r.Key, f.instant("until")}
	case kindRow:
		s.Row = &StoredRow{Row{r.Key, f.number("sequence"), State(r.Data["state"]), r.Blob}, f.time("expires")}
		f.keep("state", checkState(s.Row.State))
	case kindTimer:
		s.Timer = &Timer{r.Key, f.instant("due"), r.Blob}
	case kindIndexed:
		s.Indexed = &StoredIndex{r.Data["place"], IndexedDoc{Doc: r.Key}}
		f.json(r.Blob, &s.Indexed.Counts)
		for term, n := range s.Indexed.Counts {
			if n < 1 {
				f.keep("counts", fmt.Errorf("term %q has count %d", term, n))
			}
		}
	case kindBlob:
		s.Blob = &StoredBlob{r.Key, r.Blob}
	default:
		return s, fmt.Errorf("%w: record of unknown kind %q", ErrCorrupt, r.Kind)
	}
	if f.err != nil {
		return Stored{}, fmt.Errorf("%w: record %s %q: %v", ErrCorrupt, r.Kind, r.Key, f.err)
	}
	return s, nil
}

func number(n uint64) string { return strconv.FormatUint(n, 10) }

// withTime adds a time in milliseconds UTC; a zero time is left out.
func withTime(data map[string]string, name string, t time.Time) map[string]string {
	if !t.IsZero() {
		data[name] = strconv.FormatInt(t.UnixMilli(), 10)
	}
	return data
}

// fields reads the data of a record and keeps the first mistake.
type fields struct {
	data map[string]string
	err  error
}

func (f *fields) number(name string) uint64 {
	n, err := strconv.ParseUint(f.data[name], 10, 63)
	f.keep(name, err)
	return n
}

// instant is a time that must be there.
func (f *fields) instant(name string) time.Time {
	if _, ok := f.data[name]; !ok {
		f.keep(name, errors.New("missing"))
	}
	return f.time(name)
}

// time is a time, or the zero one.
func (f *fields) time(name string) time.Time {
	text, ok := f.data[name]
	if !ok {
		return time.Time{}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	f.keep(name, err)
	return time.UnixMilli(n).UTC()
}

func (f *fields) json(data []byte, v any) { f.keep("value", json.Unmarshal(data, v)) }

func (f *fields) keep(name string, err error) {
	if err != nil && f.err == nil {
		f.err = fmt.Errorf("%s: %w", name, err)
	}
}
