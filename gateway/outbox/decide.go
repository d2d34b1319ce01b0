package outbox

import (
	"errors"
	"fmt"
	"time"

	"talaria/core/chat"
	"talaria/storage"
)

// decide deals with a failed call. It reports whether the message is settled;
// otherwise it is tried again.
func (it *item) decide(o *Outbox, l *line, err error, attempt int) (settled bool) {
	m := it.message
	var e *chat.Error
	if !errors.As(err, &e) {
		e = &chat.Error{Op: "send", Err: err}
	}
	log := o.cfg.Log.With("platform", m.Delivery.Address.Platform, "kind", e.Kind.String(), "attempt", attempt+1)
	switch e.Kind {
	case chat.RateLimited:
		return it.limited(o, l, e)
	case chat.UnknownOutcome:
		log.Warn("outcome of a call is unknown", "err", e)
		return it.unknown(o, l, attempt)
	case chat.Moved:
		m.Delivery.Address.Chat = e.To
		if attempt > 0 { // it may be sent to and fro
			return it.later(o, l, e, backoff(attempt))
		}
		return it.again(l, 0)
	case chat.Gone:
		if e.Thread && m.Delivery.Address.Thread != "" {
			log.Warn("thread is gone; sending to its place", "err", e)
			m.Delivery.Address.Thread, m.Delivery.ReplyTo, m.Moved = "", "", true
			return it.again(l, 0)
		}
	case chat.Permanent:
		if m.Delivery.Message != "" && m.Live && !it.anew {
			log.Warn("message to edit is lost; sending anew", "err", e)
			m.Delivery.Message, it.anew = "", true
			return it.again(l, 0)
		}
	case chat.NotAllowed:
		if e.Whole { // until somebody mends it
			if l.bot.refusal.met(time.Now(), e) {
				log.Error("the platform refuses the bot; what is to be said waits; check its token and rights with 'talaria doctor'", "err", e)
			}
			return it.later(o, l, e, time.Minute)
		}
	case chat.Transient:
		if attempt == 0 { // the adapter tells of a platform that is away
			log.Warn("call failed; trying again, less and less often", "err", e)
		}
		return it.later(o, l, e, backoff(attempt))
	}
	log.Error("message can't be delivered", "err", e)
	it.fail(o, e)
	return true
}

// backoff is one second, doubled with each attempt, five minutes at most.
func backoff(attempt int) time.Duration {
	return min(time.Second<<min(attempt, 10), 5*time.Minute)
}

func (it *item) limited(o *Outbox, l *line, e *chat.Error) bool {
	now := time.Now()
	wait := max(e.RetryAfter, time.Second)
	if e.Whole {
		l.bot.pace.limited(now, wait)
	} else {
		l.pace.limited(now, wait)
	}
	o.tally(func(c *Counts) { c.Waits++; c.Waiting += wait })
	o.cfg.Log.Info("the platform asks to wait", "platform", it.message.Delivery.Address.Platform, "wait", wait, "whole", e.Whole)
	return it.unsent(o) != nil
}

// unknown deals with a call whose outcome nobody told. An edit can be
// repeated, and so can a placeholder (the lost one is an orphan).
func (it *item) unknown(o *Outbox, l *line, attempt int) bool {
	if it.message.Delivery.Message != "" {
		return it.again(l, backoff(attempt))
	}
	if it.safely(l) {
		o.tally(func(c *Counts) { c.Orphans++ })
		return it.again(l, backoff(attempt))
	}
	if o.recognised(l.bot, it.message) {
		return it.again(l, backoff(attempt))
	}
	if !it.readBack(o, l) {
		return true
	}
	return it.again(l, backoff(attempt))
}

// later tries again after a call that certainly had no effect, unless
// patience is at its end.
func (it *item) later(o *Outbox, l *line, e *chat.Error, wait time.Duration) bool {
	if o.clock.now().Sub(it.message.Since) > o.cfg.Patience {
		it.fail(o, e)
		return true
	}
	if it.unsent(o) != nil {
		return true
	}
	return it.again(l, wait)
}

// unsent notes that a call certainly had no effect, so that whoever takes the
// row up after a crash need not wonder.
func (it *item) unsent(o *Outbox) error {
	if it.message.Delivery.Message != "" {
		return nil
	}
	return it.move(o, storage.Queued, false)
}

// again waits and reports whether the shard was lost meanwhile.
func (it *item) again(l *line, wait time.Duration) bool {
	return wait > 0 && !l.sleep(it.shard, wait)
}

func (it *item) fail(o *Outbox, e *chat.Error) {
	it.message.Error = fmt.Sprintf("%s: %s", e.Op, e.Kind)
	o.tally(func(c *Counts) { c.Failed++ })
	notice := it.words("I could not deliver my answer: the platform refused it (%s).", e.Kind)
	if e.Kind == chat.Gone || e.Kind == chat.NotAllowed && !it.message.Fixed {
		notice = "" // there is nobody to tell, or no way to: a file alone may be refused
	}
	it.settle(o, storage.Failed, notice)
}
