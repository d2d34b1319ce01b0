package sqlite

import (
	"context"
	"time"
)

// Advance moves the driver's clock, which outside tests only Open sets.
func (d *Driver) Advance(by time.Duration) { d.offset.Add(int64(by)) }

// Offset is how far the clock was moved.
func (d *Driver) Offset() time.Duration { return time.Duration(d.offset.Load()) }

// Unused is the part of a page that is wiped.
var Unused = unused

// Script runs statements on the writer's connection.
func (d *Driver) Script(ctx context.Context, query string) error {
	c, err := d.writing.take(ctx)
	if err != nil {
		return err
	}
	defer d.writing.give(c)
	return c.script(ctx, query)
}

// Number runs a query for one number on the writer's connection.
func (d *Driver) Number(ctx context.Context, query string) (n int64, err error) {
	c, err := d.writing.take(ctx)
	if err != nil {
		return 0, err
	}
	defer d.writing.give(c)
	_, err = c.one(ctx, query, func(r *row) { n = r.int(0) })
	return n, err
}
