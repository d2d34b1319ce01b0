package sleep

import (
	"context"
	"time"
)

// For waits for d and reports whether that time passed. It returns false at
// once when ctx ends first or has ended before; context.Cause tells why.
func For(ctx context.Context, d time.Duration) bool {
	if d <= 0 || ctx.Err() != nil {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
