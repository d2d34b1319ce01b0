package redis

import "time"

// Advance moves the driver's clock, as another ClockOffset would.
func (d *Driver) Advance(by time.Duration) { d.offset.Add(by.Milliseconds()) }

// Offset is how far the driver's clock was moved.
func (d *Driver) Offset() time.Duration { return time.Duration(d.offset.Load()) * time.Millisecond }
