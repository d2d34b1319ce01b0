package outbox

import (
	"context"
	"fmt"

	"talaria/storage"
)

// unsettledPage is how many rows are looked through at a time.
const unsettledPage = 256

// Withdraw takes back what is not said yet and drop names: it is not sent any
// more, unless a call is under way, and its words are gone from the store. Rows
// that are settled hold no words. Batches are begun with begin.
func Withdraw(ctx context.Context, s *storage.Store, begin func() *storage.Batch, at storage.Partition, drop func(*Message) bool) error {
	for after := uint64(0); ; {
		rows, err := s.Rows(ctx, at, after, unsettledPage, unsettled...)
		if err != nil {
			return fmt.Errorf("look for what is not said yet: %w", err)
		}
		for _, r := range rows {
			after = r.Sequence
			m, err := decode(r)
			if err != nil {
				return err
			}
			if !drop(m) {
				continue
			}
			m.Delivery.Payload, m.Text, m.Error = nil, "", "withdrawn"
			if _, err := s.Commit(ctx, begin().Move(r.Key, unsettled, storage.Failed, m, keep)); err != nil {
				return fmt.Errorf("withdraw a message: %w", err)
			}
		}
		if len(rows) < unsettledPage {
			return nil
		}
	}
}
