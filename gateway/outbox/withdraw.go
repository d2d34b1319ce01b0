package outbox

import (
	"context"
	"fmt"
	"slices"

	"talaria/storage"
)

// rowsPage is how many rows are looked through at a time.
const rowsPage = 256

// Withdraw takes back what is not said yet and drop names: it is not sent any
// more, unless a call is under way. Its words are gone from the store, and so
// are those that were kept of what was said. Batches are begun with begin.
func Withdraw(ctx context.Context, s *storage.Store, begin func() *storage.Batch, at storage.Partition, drop func(*Message) bool) error {
	all := append([]storage.State{storage.Sent, storage.Failed, storage.Unknown}, unsettled...)
	for after := uint64(0); ; {
		rows, err := s.Rows(ctx, at, after, rowsPage, all...)
		if err != nil {
			return fmt.Errorf("look for what was said: %w", err)
		}
		for _, r := range rows {
			after = r.Sequence
			m, err := decode(r)
			if err != nil {
				return err
			}
			open := slices.Contains(unsettled, r.State)
			if !open && m.Text == "" || !drop(m) {
				continue
			}
			to := r.State
			if open {
				to, m.Error = storage.Failed, "withdrawn"
			}
			m.Delivery.Payload, m.Text = nil, ""
			if _, err := s.Commit(ctx, begin().Move(r.Key, []storage.State{r.State}, to, m, keep)); err != nil {
				return fmt.Errorf("withdraw a message: %w", err)
			}
		}
		if len(rows) < rowsPage {
			return nil
		}
	}
}
