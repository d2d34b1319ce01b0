package slack

import "time"

// Hurry has the adapter wait as pause says, read back after lag, and let a
// socket that was replaced go after drain.
func (a *Adapter) Hurry(pause func(attempt int) time.Duration, lag, drain time.Duration) {
	a.timing.pause, a.timing.lag, a.timing.drain = pause, lag, drain
}
