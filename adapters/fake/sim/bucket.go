package sim

import "time"

// Bucket is a token bucket. The zero value is full.
type Bucket struct {
	tokens float64
	last   time.Time
}

// Take takes a token, or returns how long until there is one. Rate is tokens a
// second, burst how many there are at most.
func (b *Bucket) Take(now time.Time, rate, burst float64) time.Duration {
	if b.last.IsZero() {
		b.tokens = burst
	}
	b.tokens = min(burst, b.tokens+now.Sub(b.last).Seconds()*rate)
	b.last = now
	if b.tokens < 1 {
		return time.Duration((1 - b.tokens) / rate * float64(time.Second))
	}
	b.tokens--
	return 0
}
