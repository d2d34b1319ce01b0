package discord

import "time"

// Hurry has the adapter wait as pause says between attempts, start new
// sessions at once, give servers that keep silent up after greeting, and save
// its checkpoint all the time.
func (a *Adapter) Hurry(pause func(attempt int) time.Duration, greeting time.Duration) {
	a.timing.pause = pause
	a.timing.identify = func() time.Duration { return pause(1) }
	a.timing.greeting = greeting
	a.timing.saving = time.Millisecond
}

// Hold bounds the events that may wait to be kept.
func (a *Adapter) Hold(open int) { a.timing.open = open }

// Now sets the adapter's clock.
func (a *Adapter) Now(now func() time.Time) {
	a.timing.now = now
	a.client.pace.now = now
}

// Nonce is the nonce of a key.
func Nonce(key string) string { return nonce(key) }
