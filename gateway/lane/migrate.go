package lane

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/storage"
)

// migrate carries the sessions of a place over to its new address. A session
// that has begun anew there meanwhile is left alone. It may be repeated.
func (l *Lanes) migrate(ctx context.Context, m chat.Migration) error {
	from, to := person.ShardOf(m.From), person.ShardOf(m.To)
	after := ""
	for {
		const page = 200
		docs, err := storage.List[state](ctx, l.cfg.Store, from, sessions, after, page)
		if err != nil {
			return fmt.Errorf("list sessions of %s: %w", m.From, err)
		}
		for _, d := range docs {
			after = d.Key
			key, ok := moved(d.Key, m)
			if !ok {
				continue
			}
			if err := l.carry(ctx, from, to, d, key); err != nil {
				return fmt.Errorf("carry session %s over: %w", d.Key, err)
			}
		}
		if len(docs) < page {
			return nil
		}
	}
}

// moved is a session's key at the new address; false for another place's.
func moved(key string, m chat.Migration) (string, bool) {
	rest, ok := strings.CutPrefix(key, m.From.Place().String())
	if !ok || rest != "" && rest[0] != '#' && rest[0] != ':' {
		return "", false
	}
	return m.To.Place().String() + rest, true
}

// carry copies one session in one step.
func (l *Lanes) carry(ctx context.Context, from, to storage.Partition, d storage.Doc[state], key string) error {
	b := storage.On(to).Durable().Put(sessions, key, d.Value, storage.Absent)
	log := transcript(d.Key, d.Value.Generation)
	for offset := uint64(0); ; {
		const page = 500
		entries, err := storage.ReadLog[Exchange](ctx, l.cfg.Store, from, log, offset, page)
		if err != nil {
			return err
		}
		for _, e := range entries {
			b.Append(transcript(key, d.Value.Generation), e.Value)
			offset = e.Offset + 1
		}
		if len(entries) < page {
			break
		}
	}
	_, err := l.cfg.Store.Commit(ctx, b)
	if errors.Is(err, storage.ErrConflict) {
		return nil
	}
	return err
}
