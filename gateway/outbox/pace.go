package outbox

import (
	"context"
	"maps"
	"sync"
	"time"

	"talaria/core/chat"
	"talaria/gateway/inbox"
)

// strictFor is how long calls are spaced out after a platform asked for it.
const strictFor = time.Minute

// pace lets calls through at once until the platform says otherwise; then it
// keeps the platform's wait, and for a while a least time between calls.
type pace struct {
	mu     sync.Mutex
	next   time.Time // no call before this
	strict time.Time // calls are spaced out until this
	// left is the shard whose next owner is left a message. What comes after it
	// is left too, or it would be said before.
	left *inbox.Shard
}

// leave notes that a message is left to the next owner of its shard.
func (p *pace) leave(s *inbox.Shard) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left = s
}

// leaves reports whether what a shard has to say here is left to its next owner.
func (p *pace) leaves(s *inbox.Shard) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.left == s
}

// reserve takes the next slot and returns how long to wait for it.
func (p *pace) reserve(now time.Time, each time.Duration) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := now
	if p.next.After(at) {
		at = p.next
	}
	if at.Before(p.strict) {
		p.next = at.Add(each)
	}
	return at.Sub(now)
}

// limited notes that the platform wants no call for a while.
func (p *pace) limited(now time.Time, wait time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if until := now.Add(wait); until.After(p.next) {
		p.next = until
	}
	p.strict = p.next.Add(strictFor)
}

// free reports whether a call could be made now, without taking a slot. While
// calls are spaced out nothing optional is free: the budget is for answers.
func (p *pace) free(now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left != nil && p.left.Context().Err() == nil {
		return false
	}
	return !now.Before(p.next) && !now.Before(p.strict)
}

// paceOf is what is remembered of a place's pace. Called with o.mu held.
func (o *Outbox) paceOf(place string) *pace {
	const most = 4096 // forget what is over, now and then
	if len(o.paces) > most {
		now := time.Now()
		maps.DeleteFunc(o.paces, func(key string, p *pace) bool { return o.lines[key] == nil && p.free(now) })
	}
	p := o.paces[place]
	if p == nil {
		p = &pace{}
		o.paces[place] = p
	}
	return p
}

// Typing shows that an answer is on its way, where the platform can and asks
// for no wait. Nothing depends on it.
func (o *Outbox) Typing(ctx context.Context, a chat.Address) {
	b := o.bots[a.Platform]
	if b == nil || b.typer == nil {
		return
	}
	o.mu.Lock()
	p := o.paceOf(a.Place().String())
	o.mu.Unlock()
	now := time.Now()
	if !p.free(now) || !b.pace.free(now) {
		return
	}
	if err := b.typer.Typing(ctx, a); err != nil {
		o.slowed(&line{bot: b, pace: p}, err)
	}
}
