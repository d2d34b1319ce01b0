package telegram

import (
	"math"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"talaria/adapters/fake/sim"
)

// The paces that the FAQ names
// (core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this).
const (
	chatPace  = 1.0 // calls a second into one chat
	totalPace = 30.0
	groupCap  = 20 // calls a minute into one group
)

// pace is the budget of one chat; its place's lock guards it.
type pace struct {
	bucket sim.Bucket
	minute []time.Time // calls of the last minute, of a group
	until  time.Time   // flood wait
}

// flood is the budget of the whole bot.
type flood struct {
	mu        sync.Mutex
	bucket    sim.Bucket
	waits     atomic.Int64 // refusals with 429
	premature atomic.Int64 // calls before the wait was over
}

// pace returns how long a call into the place has to wait, zero if it may go
// on. The place's lock is held.
func (s *Server) pace(p *place) time.Duration {
	if s.opts.NoFlood {
		return 0
	}
	now := time.Now()
	if wait := p.pace.until.Sub(now); wait > 0 {
		s.flood.premature.Add(1)
		return wait
	}
	wait := p.pace.bucket.Take(now, chatPace, float64(s.opts.ChatBurst))
	if wait == 0 && p.kind != "private" {
		wait = p.pace.inMinute(now)
	}
	if wait == 0 {
		s.flood.mu.Lock()
		wait = s.flood.bucket.Take(now, totalPace, totalPace)
		s.flood.mu.Unlock()
	}
	if wait > 0 {
		s.flood.waits.Add(1)
		p.pace.until = now.Add(seconds(wait))
	}
	return wait
}

func (p *pace) inMinute(now time.Time) time.Duration {
	p.minute = slices.DeleteFunc(p.minute, func(t time.Time) bool { return now.Sub(t) >= time.Minute })
	if len(p.minute) >= groupCap {
		return p.minute[0].Add(time.Minute).Sub(now)
	}
	p.minute = append(p.minute, now)
	return 0
}

// seconds rounds up to what retry_after can say.
func seconds(d time.Duration) time.Duration {
	return time.Duration(math.Ceil(d.Seconds())) * time.Second
}

func tooMany(wait time.Duration) reply {
	n := int(seconds(wait) / time.Second)
	return reply{code: http.StatusTooManyRequests, description: "Too Many Requests: retry after " + decimal(int64(n)), retryAfter: n}
}
