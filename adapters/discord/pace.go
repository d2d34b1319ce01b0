package discord

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"

	"talaria/adapters/wire"
	"talaria/core/chat"
)

const (
	// invalidWindow and invalidBudget: a bot whose calls end with 401, 403 or
	// 429 ten thousand times in ten minutes is shut out
	// (discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans).
	// The budget stops short of that.
	invalidWindow = 10 * time.Minute
	invalidBudget = 8000
	// refusedFor is how long nothing is called after a 401: every further call
	// would count as invalid and be refused just so.
	refusedFor = time.Minute
	// unknownWait is waited where a 429 doesn't say how long.
	unknownWait = 5 * time.Second
	// maxWait bounds what a 429 may ask for.
	maxWait = time.Hour
)

// pace remembers what Discord said of rates. It never waits: a call that would
// be refused is refused here, with the time to wait, and whoever queues calls
// decides.
type pace struct {
	now func() time.Time

	mu      sync.Mutex
	buckets map[string]string // route -> name of the bucket it counts in
	limits  map[string]limit  // bucket and scope -> what is left
	global  time.Time         // nothing before
	refused time.Time         // the token is refused until
	since   time.Time         // begin of the window of invalid calls
	invalid int
}

// limit is the state of one bucket.
type limit struct {
	left  int
	reset time.Time
}

// manyLimits is when expired limits are thrown away.
const manyLimits = 1024

func newPace(now func() time.Time) *pace {
	return &pace{now: now, buckets: map[string]string{}, limits: map[string]limit{}}
}

// key is the bucket that r counts in. Discord names it in every answer; until
// then the route stands for itself.
func (p *pace) key(r request) string {
	return cmp.Or(p.buckets[r.op], r.op) + " " + r.scope
}

// allow takes one call from r's bucket, or says how long there is none.
func (p *pace) allow(r request) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	switch {
	case r.answers():
	case now.Before(p.refused):
		return &chat.Error{Kind: chat.NotAllowed, Op: r.op, Err: errors.New(refusedToken)}
	case now.Before(p.global):
		return &chat.Error{Kind: chat.RateLimited, Op: r.op, Whole: true, RetryAfter: p.global.Sub(now)}
	case p.invalid >= invalidBudget && now.Before(p.since.Add(invalidWindow)):
		return &chat.Error{Kind: chat.RateLimited, Op: r.op, Whole: true, RetryAfter: p.since.Add(invalidWindow).Sub(now),
			Err: errors.New("too many calls were refused")}
	}
	l, known := p.limits[p.key(r)]
	switch {
	case !known || !now.Before(l.reset):
		return nil
	case l.left <= 0:
		return &chat.Error{Kind: chat.RateLimited, Op: r.op, RetryAfter: l.reset.Sub(now)}
	}
	l.left--
	p.limits[p.key(r)] = l
	return nil
}

// learn takes in what an answer says.
func (p *pace) learn(r request, x *wire.Exchange) {
	if x.Status == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now, h := p.now(), x.Header
	if name := h.Get("X-RateLimit-Bucket"); name != "" {
		p.buckets[r.op] = name
	}
	left, err := strconv.Atoi(h.Get("X-RateLimit-Remaining"))
	if after, ok := seconds(h.Get("X-RateLimit-Reset-After")); ok && err == nil && h.Get("X-RateLimit-Global") == "" {
		p.note(r, limit{left, now.Add(after)})
	}
	switch x.Status {
	case http.StatusTooManyRequests:
		after, whole := retryAfter(x)
		if whole {
			p.global = now.Add(after)
		} else {
			p.note(r, limit{0, now.Add(after)})
		}
		if h.Get("X-RateLimit-Scope") != "shared" { // a shared limit is nobody's fault
			p.countInvalid(now)
		}
	case http.StatusUnauthorized:
		if !r.answers() {
			p.refused = now.Add(refusedFor)
		}
		p.countInvalid(now)
	case http.StatusForbidden:
		p.countInvalid(now)
	}
}

// note keeps a limit. An answer that is late says more is left than there is.
func (p *pace) note(r request, l limit) {
	if there, known := p.limits[p.key(r)]; known && there.reset.Sub(l.reset).Abs() < 50*time.Millisecond {
		l.left = min(l.left, there.left)
	}
	if len(p.limits) >= manyLimits {
		for key, old := range p.limits {
			if !p.now().Before(old.reset) {
				delete(p.limits, key)
			}
		}
	}
	p.limits[p.key(r)] = l
}

func (p *pace) countInvalid(now time.Time) {
	if now.Sub(p.since) >= invalidWindow {
		p.since, p.invalid = now, 0
	}
	p.invalid++
}

// invalidCalls is how many calls of the current window were refused.
func (p *pace) invalidCalls() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.now().Sub(p.since) >= invalidWindow {
		return 0
	}
	return p.invalid
}

// retryAfter is what a 429 asks for, and whether it holds for every call.
func retryAfter(x *wire.Exchange) (time.Duration, bool) {
	var body struct {
		After  json.Number `json:"retry_after"`
		Global bool        `json:"global"`
	}
	// In front of Discord stands a server that answers in HTML; when it refuses,
	// it refuses everything.
	front := json.Unmarshal(x.Body, &body) != nil
	after, ok := seconds(body.After.String())
	if !ok {
		after, ok = seconds(x.Header.Get("Retry-After"))
	}
	if !ok {
		after = unknownWait
	}
	return after, front || body.Global || x.Header.Get("X-RateLimit-Global") != ""
}

func seconds(s string) (time.Duration, bool) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || !(f >= 0 && f <= maxWait.Seconds()) {
		return 0, false
	}
	return max(time.Duration(f*float64(time.Second)), time.Millisecond), true
}
