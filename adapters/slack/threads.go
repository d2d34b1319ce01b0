package slack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"talaria/core/chat"
)

const (
	// threadsBack is how old a thread's first message may be for its new
	// replies to be found: Slack lists threads only by their roots.
	threadsBack = 7 * 24 * time.Hour
	// maxRoots bounds the messages that are looked through for threads.
	maxRoots = 3 * pageSize
)

var _ chat.Threader = (*Adapter)(nil)

// Threads implements chat.Threader.
func (a *Adapter) Threads(ctx context.Context, place chat.Address, since time.Time, limit int) ([]chat.Address, error) {
	var roots []kept
	seen := 0
	err := a.pages(ctx, place.Place(), stampOf(since.Add(-threadsBack)), func(page []kept) bool {
		for _, m := range page {
			if m.LatestReply > stampOf(since) {
				roots = append(roots, m)
			}
		}
		seen += len(page)
		return seen >= maxRoots
	})
	if err != nil && !errors.Is(err, errTooMany) {
		return nil, err
	}
	slices.SortFunc(roots, func(x, y kept) int { return cmp.Compare(y.LatestReply, x.LatestReply) })
	var out []chat.Address
	for _, m := range roots[:min(len(roots), limit)] {
		at := place.Place()
		at.Thread = m.TS
		out = append(out, at)
	}
	return out, nil
}

// stampOf is a time as the ts of a message: they are all of one length.
func stampOf(t time.Time) string { return fmt.Sprintf("%d.%06d", t.Unix(), t.Nanosecond()/1000) }
