package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"talaria/adapters/retry"
	"talaria/core/chat"
	"talaria/core/sleep"
)

const (
	// pollTime is how long the server may hold a poll open. It bounds how long
	// a connection that died without a word goes unnoticed.
	pollTime = 25 * time.Second
	// pollMargin is how much longer the client waits.
	pollMargin = 10 * time.Second
	// regrab is the first pause before polling again while updates are open;
	// it doubles while nothing new comes.
	regrab    = 200 * time.Millisecond
	regrabMax = 5 * time.Second
	// lastConfirm bounds the call that confirms what was kept, when stopping.
	lastConfirm = 2 * time.Second
)

// poller fetches updates. telebot's own moves the offset before an update is
// handled, and polls thousands of times a second when it is refused.
type poller struct {
	client   *client
	intake   *intake
	mark     *watermark
	pause    retry.Pause
	link     *retry.Link
	log      *slog.Logger
	conflict atomic.Bool // the last poll met another poller
}

type pollParams struct {
	Offset  int64    `json:"offset,omitempty"`
	Limit   int      `json:"limit"`
	Timeout int      `json:"timeout"` // seconds
	Allowed []string `json:"allowed_updates"`
}

// run polls until ctx ends. An error means that a person has to help.
func (p *poller) run(ctx context.Context) error {
	attempt, again := 0, regrab
	for ctx.Err() == nil {
		fresh, err := p.poll(ctx, pollTime)
		switch {
		case ctx.Err() != nil:
		case chat.KindOf(err) == chat.NotAllowed:
			return fmt.Errorf("%s: %w", refusedToken, err)
		case err != nil:
			attempt++
			p.link.Down(err)
			sleep.For(ctx, p.failed(err, attempt))
			continue
		case fresh:
			again = regrab
		default:
			again = min(2*again, regrabMax)
		}
		p.link.Up()
		attempt = 0
		p.rest(ctx, again)
	}
	return nil
}

// poll makes one call and takes what it brings. It reports whether there was
// anything new.
func (p *poller) poll(ctx context.Context, hold time.Duration) (fresh bool, err error) {
	offset := p.mark.offset()
	var updates []json.RawMessage
	err = p.client.callWithin(ctx, hold+pollMargin, "getUpdates", pollParams{
		Offset: offset, Limit: window, Timeout: int(hold / time.Second), Allowed: allowedUpdates,
	}, &updates)
	if err != nil {
		return false, err
	}
	p.conflict.Store(false)
	p.mark.confirm(offset)
	for _, raw := range updates {
		fresh = p.take(ctx, raw) || fresh
	}
	return fresh, nil
}

func (p *poller) take(ctx context.Context, raw json.RawMessage) bool {
	var u struct {
		ID int64 `json:"update_id"`
	}
	if err := json.Unmarshal(raw, &u); err != nil || !p.mark.begin(u.ID) {
		return false
	}
	p.intake.take(ctx, raw, func(err error) {
		if err == nil { // otherwise it stays open, and comes again after a restart
			p.mark.settle(u.ID)
		}
	})
	return true
}

// rest waits until no update is open, but not longer than limit: parts of an
// album are open until the rest of it has come. With a full window there is
// nothing to ask for until one is settled.
func (p *poller) rest(ctx context.Context, limit time.Duration) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	expired := false
	for {
		open, moved := p.mark.state()
		if open == 0 || (expired && open < window) {
			return
		}
		select {
		case <-moved:
		case <-timer.C:
			expired = true
		case <-ctx.Done():
			return
		}
	}
}

// failed tells of a failed poll and returns how long to wait.
func (p *poller) failed(err error, attempt int) time.Duration {
	pause := p.pause(attempt)
	e, _ := errors.AsType[*chat.Error](err)
	switch {
	case e.Kind == chat.RateLimited:
		pause = e.RetryAfter
	case saysText(err, "409 "):
		p.conflict.Store(true)
		pause = max(pause, p.pause(attempt+2))
		if attempt%20 == 1 {
			p.log.Warn("polling failed: another program polls with this bot's token; stop it, or revoke the token at @BotFather", "platform", Platform, "attempt", attempt, "err", err)
		}
	}
	p.log.Debug("polling failed", "platform", Platform, "attempt", attempt, "pause", pause, "err", err)
	return pause
}

// finish waits for what is under way and confirms what was kept, so that it
// does not come again.
func (p *poller) finish(ctx context.Context) {
	p.intake.lanes.Wait()
	offset := p.mark.offset()
	if offset == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastConfirm)
	defer cancel()
	err := p.client.call(ctx, "getUpdates", pollParams{Offset: offset, Limit: 1, Allowed: allowedUpdates}, nil)
	if err != nil {
		p.log.Info("kept updates not confirmed, they will come again", "platform", Platform, "err", err)
	}
}
