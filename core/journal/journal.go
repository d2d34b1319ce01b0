package journal

import (
	"context"
	"encoding/json"
	"fmt"

	"talaria/core/agent"
	"talaria/storage"
)

// chunk is how much of an encoded entry goes into one stored value. Base64
// makes it a third larger there.
const chunk = 2 << 20

// page is how many log entries are read at once.
const page = 64

// stored is one log entry: a whole step, or a piece of one.
type stored struct {
	Entry *agent.Entry `json:"entry,omitempty"`
	Piece []byte       `json:"piece,omitempty"`
	More  bool         `json:"more,omitempty"` // the step goes on in the next log entry
}

func logOf(turn string) string { return "journal/" + turn }

// Record adds entries to the turn's journal as part of a batch on its shard.
func Record(b *storage.Batch, turn string, entries ...agent.Entry) error {
	for _, e := range entries {
		if e.Started != nil {
			b.Durable()
		}
		values, err := pieces(e)
		if err != nil {
			return fmt.Errorf("encode a step of turn %s: %w", turn, err)
		}
		b.Append(logOf(turn), values...)
	}
	return nil
}

func pieces(e agent.Entry) ([]any, error) {
	data, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	if len(data) <= chunk {
		return []any{stored{Entry: &e}}, nil
	}
	var values []any
	for len(data) > 0 {
		n := min(len(data), chunk)
		values = append(values, stored{Piece: data[:n], More: n < len(data)})
		data = data[n:]
	}
	return values, nil
}

// Load returns all that is recorded of a turn, in order; nothing for a turn
// that never began or is over.
func Load(ctx context.Context, s *storage.Store, p storage.Partition, turn string) ([]agent.Entry, error) {
	var entries []agent.Entry
	var partial []byte
	for from := uint64(1); ; {
		read, err := storage.ReadLog[stored](ctx, s, p, logOf(turn), from, page)
		if err != nil {
			return nil, fmt.Errorf("load journal of turn %s: %w", turn, err)
		}
		for _, r := range read {
			from = r.Offset + 1
			if r.Value.Entry != nil {
				entries = append(entries, *r.Value.Entry)
				continue
			}
			partial = append(partial, r.Value.Piece...)
			if r.Value.More {
				continue
			}
			var e agent.Entry
			if err := json.Unmarshal(partial, &e); err != nil {
				return nil, fmt.Errorf("load journal of turn %s: %w: entry %d: %v", turn, storage.ErrCorrupt, r.Offset, err)
			}
			entries, partial = append(entries, e), nil
		}
		if len(read) < page {
			return entries, nil
		}
	}
}

// Delete removes a turn's journal as part of a batch on its shard.
func Delete(b *storage.Batch, turn string) { b.Trim(logOf(turn), 0) }
