package sqlite

import "time"

// Advance moves the driver's clock, which outside tests only Open sets.
func (d *Driver) Advance(by time.Duration) { d.offset.Add(int64(by)) }

// Offset is how far the clock was moved.
func (d *Driver) Offset() time.Duration { return time.Duration(d.offset.Load()) }
