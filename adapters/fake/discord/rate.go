package discord

import (
	"net/http"
	"strconv"
	"time"
)

// The limits that are simulated. Discord tells those of channels in headers
// and does not document them; these are usual
// (discord.com/developers/docs/topics/rate-limits).
const (
	channelCalls  = 5
	channelWindow = 5 * time.Second
	globalCalls   = 50
	globalWindow  = time.Second
)

// rates are the buckets of calls.
type rates struct {
	buckets   map[string]*bucket
	all       bucket
	waits     int // calls refused with 429
	premature int // of these, while a wait that was told was not over
}

type bucket struct {
	used  int
	reset time.Time
	told  bool // a wait until reset
}

// take counts a call. Where it is over a limit, the reply refuses it.
func (b *bucket) take(now time.Time, calls int, window time.Duration) (left int, over bool) {
	if !now.Before(b.reset) {
		*b = bucket{reset: now.Add(window)}
	}
	if b.used >= calls {
		return 0, true
	}
	b.used++
	return calls - b.used, false
}

// writes are the calls that share a channel's bucket.
var writes = map[string]string{"createMessage": "write", "editMessage": "write", "deleteMessage": "delete", "triggerTyping": "typing"}

// take counts a call and reports whether it is refused.
func (r *rates) take(o Options, c *call) (reply, bool) {
	name, counted := writes[c.op]
	if o.NoRates || !counted {
		return reply{}, false
	}
	now := time.Now()
	if _, over := r.all.take(now, globalCalls, globalWindow); over {
		return r.refuse(&r.all, now, true), true
	}
	b := r.buckets[name+c.channel]
	if b == nil {
		b = &bucket{}
		r.buckets[name+c.channel] = b
	}
	left, over := b.take(now, channelCalls, channelWindow)
	if over {
		return r.refuse(b, now, false), true
	}
	h := http.Header{}
	h.Set("X-RateLimit-Bucket", "bucket-"+name)
	h.Set("X-RateLimit-Limit", strconv.Itoa(channelCalls))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(left))
	h.Set("X-RateLimit-Reset-After", decimal(b.reset.Sub(now)))
	return reply{header: h}, false
}

func (r *rates) refuse(b *bucket, now time.Time, global bool) reply {
	r.waits++
	if b.told {
		r.premature++
	}
	b.told = true
	return tooMany(b.reset.Sub(now), global)
}

func tooMany(after time.Duration, global bool) reply {
	h := http.Header{}
	h.Set("Retry-After", decimal(after))
	h.Set("X-RateLimit-Scope", "user")
	if global {
		h.Set("X-RateLimit-Global", "true")
		h.Set("X-RateLimit-Scope", "global")
	}
	return reply{status: http.StatusTooManyRequests, header: h, value: map[string]any{
		"message": "You are being rate limited.", "retry_after": after.Seconds(), "global": global,
	}}
}

func decimal(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 3, 64) }

// Waits is how many calls were refused with 429; premature how many of them
// came before the wait that an earlier refusal told was over.
func (s *Server) Waits() (waits, premature int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rates.waits, s.rates.premature
}
