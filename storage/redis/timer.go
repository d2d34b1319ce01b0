package redis

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"talaria/storage"
)

// Due returns the timers due at now that nobody has claimed.
func (d *Driver) Due(ctx context.Context, p storage.Partition, now time.Time, limit int) ([]storage.Timer, error) {
	if limit <= 0 {
		return nil, nil
	}
	reply, err := d.read(ctx, d.scripts.due, d.space(p).keys(timerKeys()...), d.offset.Load(), now.UnixMilli(), limit)
	if err != nil {
		return nil, fmt.Errorf("list due timers of %s: %w", p, err)
	}
	timers := make([]storage.Timer, 0, len(reply)/3)
	for n := 0; n < len(reply); n += 3 {
		due, err := score(reply, n+1)
		if err != nil {
			return nil, fmt.Errorf("%s, timer %q: %w", p, text(reply, n), err)
		}
		timers = append(timers, storage.Timer{ID: text(reply, n), Due: moment(due), Value: []byte(text(reply, n+2))})
	}
	return timers, nil
}

// NextDue returns the earliest due time, or ErrNotFound.
func (d *Driver) NextDue(ctx context.Context, p storage.Partition) (time.Time, error) {
	reply, err := d.query(ctx, "zrange", d.space(p).key("due"), 0, 0, "withscores")
	if err != nil {
		return time.Time{}, fmt.Errorf("find the next timer of %s: %w", p, err)
	}
	if len(list(reply)) == 0 {
		return time.Time{}, fmt.Errorf("timers of %s: %w", p, storage.ErrNotFound)
	}
	due, err := score(list(reply), 1)
	return moment(due), err
}

// score reads a whole number that Redis keeps as a floating-point one.
func score(l []any, n int) (int64, error) {
	f, err := strconv.ParseFloat(text(l, n), 64)
	if err != nil || f != float64(int64(f)) {
		return 0, fmt.Errorf("%w: the score %q is not a whole number", storage.ErrCorrupt, text(l, n))
	}
	return int64(f), nil
}
