package lane

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"talaria/core/chat"
	"talaria/core/journal"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/tool"
	"talaria/gateway/inbox"
	"talaria/gateway/outbox"
	"talaria/storage"
)

// eraser removes what one shard keeps of a person: their sessions with files
// and transcripts, their exchanges in the sessions they share, what they said
// with its index, and what is not sent to them yet. It may be repeated.
type eraser struct {
	store *storage.Store
	shard int
	who   person.Subject
	spare string                // key of the request to forget, which is answered yet
	begin func() *storage.Batch // on the shard
	more  []person.ShardEraser  // of what other domains keep in the shard
	alone func(session string, f func() error) error
	found bool // there was something
}

// Erase removes what a shard keeps of a person, in a store that nobody serves:
// after a restore, for whoever was forgotten since the backup.
func Erase(ctx context.Context, s *storage.Store, shard int, who person.Subject, more ...person.ShardEraser) error {
	e := eraser{
		store: s, shard: shard, who: who, more: more,
		begin: func() *storage.Batch { return storage.On(storage.Shard(shard)) },
		alone: func(_ string, f func() error) error { return f() },
	}
	if err := e.pending(ctx); err != nil {
		return err
	}
	return e.run(ctx)
}

func (e *eraser) at() storage.Partition { return storage.Shard(e.shard) }

func (e *eraser) run(ctx context.Context) error {
	places, err := memory.PlacesOf(ctx, e.store, e.shard, e.who)
	if err != nil {
		return err
	}
	gone := map[string]bool{} // own sessions, and turns in shared ones
	err = eachSession(ctx, e.store, e.at(), func(d storage.Doc[state]) error {
		switch {
		case e.who.Is(d.Value.Person):
			gone[d.Key] = true
			return e.alone(d.Key, func() error { return e.remove(ctx, d.Key) })
		case isAt(d.Key, places):
			return e.alone(d.Key, func() error { return e.rewrite(ctx, d.Key, gone) })
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := e.unask(ctx); err != nil {
		return err
	}
	if err := e.others(ctx); err != nil {
		return err
	}
	if err := memory.Forget(ctx, e.store, e.shard, e.who); err != nil {
		return err
	}
	err = outbox.Withdraw(ctx, e.store, e.begin, e.at(), func(m *outbox.Message) bool {
		turn := m.Key()[:strings.LastIndexByte(m.Key(), '/')+1]
		return (gone[turn] || gone[m.Delivery.Address.String()]) && turn != e.spare+"/"
	})
	if err != nil || len(gone)+len(places) == 0 {
		return err
	}
	e.found = true
	return Scrub(ctx, e.store)
}

// Scrub erases an empty partition: with that the driver leaves in no file what
// was deleted before, either.
func Scrub(ctx context.Context, s *storage.Store) error {
	return s.Erase(ctx, storage.System("forgotten"))
}

// eachSession calls yield for each session of a shard.
func eachSession(ctx context.Context, s *storage.Store, at storage.Partition, yield func(storage.Doc[state]) error) error {
	for after := ""; ; {
		const page = 200
		docs, err := storage.List[state](ctx, s, at, sessions, after, page)
		if err != nil {
			return fmt.Errorf("list sessions: %w", err)
		}
		for _, d := range docs {
			after = d.Key
			if err := yield(d); err != nil {
				return fmt.Errorf("session %s: %w", d.Key, err)
			}
		}
		if len(docs) < page {
			return nil
		}
	}
}

// isAt reports whether a session is at one of the places.
func isAt(session string, places []chat.Address) bool {
	return slices.ContainsFunc(places, func(p chat.Address) bool {
		rest, ok := strings.CutPrefix(session, p.Place().String())
		return ok && (rest == "" || rest[0] == '#' || rest[0] == ':')
	})
}

// others removes what other domains keep in the shard.
func (e *eraser) others(ctx context.Context) error {
	for _, m := range e.more {
		if err := m.EraseShard(ctx, e.shard, e.who); err != nil {
			return err
		}
	}
	return nil
}

// unask removes the calls that wait for the person's yes.
func (e *eraser) unask(ctx context.Context) error {
	b := e.begin()
	for after := ""; ; {
		const page = 200
		docs, err := storage.List[question](ctx, e.store, e.at(), questions, after, page)
		if err != nil {
			return fmt.Errorf("list questions: %w", err)
		}
		for _, d := range docs {
			if after = d.Key; e.who.Is(d.Value.Who) {
				b.Delete(questions, d.Key, storage.Any)
			}
		}
		if len(docs) < page {
			break
		}
	}
	_, err := e.store.Commit(ctx, b)
	return err
}

// forever is after every instant that anything was kept at.
var forever = time.Unix(1<<40, 0)

// remove removes a session with its files.
func (e *eraser) remove(ctx context.Context, key string) error {
	doc, err := storage.Get[state](ctx, e.store, e.at(), sessions, key)
	if err != nil {
		return err
	}
	if err := dropFiles(ctx, e.store, e.at(), key, forever); err != nil {
		return err
	}
	b := e.begin().Delete(sessions, key, storage.Any).Delete(prefixes, key, storage.Any).Trim(transcript(key, doc.Value.Generation), 0)
	_, err = e.store.Commit(ctx, b)
	return err
}

// rewrite takes a person's exchanges out of a session that they may share, with
// what compaction made of it, whose words nobody can tell apart, and with what
// others' exchanges tell of their words; and the frozen prefix, which may hold a
// card of theirs.
func (e *eraser) rewrite(ctx context.Context, key string, gone map[string]bool) error {
	doc, err := storage.Get[state](ctx, e.store, e.at(), sessions, key)
	if err != nil {
		return err
	}
	name := transcript(key, doc.Value.Generation)
	var kept []any
	changed := false
	err = eachExchange(ctx, e.store, e.at(), name, func(_ uint64, x Exchange) bool {
		theirs := e.who.Is(x.Who)
		if theirs {
			gone[x.Turn+"/"] = true
		}
		if theirs || x.Who == "" || slices.ContainsFunc(tellers(x.Messages), e.who.Has) {
			changed = true
			return true
		}
		kept = append(kept, x)
		return true
	})
	if err != nil {
		return err
	}
	b := e.begin().Delete(prefixes, key, storage.Any)
	if changed {
		if b.Trim(name, 0); len(kept) > 0 {
			b.Append(name, kept...)
		}
	}
	_, err = e.store.Commit(ctx, b)
	return err
}

// eachExchange calls yield for each exchange of a transcript while it returns
// true.
func eachExchange(ctx context.Context, s *storage.Store, at storage.Partition, name string, yield func(uint64, Exchange) bool) error {
	for from := uint64(0); ; {
		const page = 200
		entries, err := storage.ReadLog[Exchange](ctx, s, at, name, from, page)
		if err != nil {
			return fmt.Errorf("read transcript: %w", err)
		}
		for _, x := range entries {
			from = x.Offset + 1
			if !yield(x.Offset, x.Value) {
				return nil
			}
		}
		if len(entries) < page {
			return nil
		}
	}
}

// dropFiles removes a session's files of before an instant, with those of
// their blobs that no other session of the shard has.
func dropFiles(ctx context.Context, s *storage.Store, at storage.Partition, session string, before time.Time) error {
	blobs, err := tool.Drop(ctx, s, at, session, before)
	if err != nil || len(blobs) == 0 {
		return err
	}
	err = eachSession(ctx, s, at, func(d storage.Doc[state]) error {
		files, err := tool.AllFiles(ctx, s, at, d.Key)
		blobs = slices.DeleteFunc(blobs, func(blob string) bool {
			return slices.ContainsFunc(files, func(f tool.File) bool { return f.Blob == blob })
		})
		return err
	})
	for _, blob := range blobs {
		if err == nil {
			err = s.DeleteBlob(ctx, at, blob)
		}
	}
	return err
}

// pending removes a person's events, and what was recorded of their turns,
// from the inbox of a shard that nobody serves.
func (e *eraser) pending(ctx context.Context) error {
	b := e.begin()
	for after := uint64(0); ; {
		const page = 200
		events, err := e.store.Pending(ctx, e.at(), after, page)
		if err != nil {
			return fmt.Errorf("read the inbox: %w", err)
		}
		for _, p := range events {
			after = p.Sequence
			var env inbox.Envelope
			if json.Unmarshal(p.Value, &env) == nil && e.who.Is(env.Who.Person) {
				journal.Delete(b.Done(p.Sequence), env.Event.Key())
			}
		}
		if len(events) < page {
			break
		}
	}
	_, err := e.store.Commit(ctx, b)
	return err
}
