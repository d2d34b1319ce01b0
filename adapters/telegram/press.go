package telegram

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
	"unicode/utf16"

	"talaria/adapters/inbound"
	"talaria/core/chat"
)

const (
	// maxNotice is how long a notice is at most
	// (core.telegram.org/bots/api#answercallbackquery).
	maxNotice = 200
	// noticeLife is how long a press can be answered. Telegram does not document
	// it; later ones are refused as too old.
	noticeLife = 15 * time.Second
	// pressHold is how long a press waits for words. The person's client shows
	// meanwhile that it waits.
	pressHold = 10 * time.Second
)

// presses are the callback queries that are not answered yet. Each can be answered
// once, with a notice that only its person sees or without words: so it is held
// until what comes of it is said or shown, or for a while.
type presses struct {
	client *client
	log    *slog.Logger
	hold   time.Duration

	mu   sync.Mutex
	open map[string]*openPress // by query
}

type openPress struct {
	chat string
	at   time.Time
	over chan struct{} // closed when there is nothing to wait for
	said bool          // it is answered with words
}

// begin notes a query, of which nothing will be said where its item is dropped.
func (p *presses) begin(query string, item inbound.Item) {
	held := &openPress{chat: item.Event.Address.Chat, at: time.Now(), over: make(chan struct{})}
	if item.Reason != "" {
		close(held.over)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open == nil {
		p.open = map[string]*openPress{}
	}
	if p.open[query] == nil { // else the update came twice
		p.open[query] = held
	}
}

// end answers a query without words, unless it was answered with some before. That
// it came too late, or twice, is no harm.
func (p *presses) end(ctx context.Context, query string) {
	p.mu.Lock()
	held := p.open[query]
	p.mu.Unlock()
	if held == nil {
		return // it came twice, and is answered
	}
	wait := time.NewTimer(p.hold)
	defer wait.Stop()
	select {
	case <-held.over:
	case <-wait.C:
	case <-ctx.Done():
	}
	p.mu.Lock()
	delete(p.open, query)
	said := held.said
	p.mu.Unlock()
	if said {
		return
	}
	err := p.client.call(ctx, opAnswer, answerParams{Query: query}, nil)
	if err != nil && ctx.Err() == nil {
		p.log.Debug("press not answered", "platform", Platform, "err", err)
	}
}

// release ends the waiting of a query, which said reports to be answered with
// words.
func (p *presses) release(query string, said bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if held := p.open[query]; held != nil {
		held.finish(said)
	}
}

// begun ends the waiting of whoever pressed first in a chat where an answer is on its
// way. What comes of later presses is still to be said.
func (p *presses) begun(chat string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var first *openPress
	for _, held := range p.open {
		if held.chat == chat && !held.finished() && (first == nil || held.at.Before(first.at)) {
			first = held
		}
	}
	if first != nil {
		first.finish(false)
	}
}

func (h *openPress) finished() bool {
	select {
	case <-h.over:
		return true
	default:
		return false
	}
}

// finish is called with the lock held.
func (h *openPress) finish(said bool) {
	if !h.finished() {
		h.said = said
		close(h.over)
	}
}

const opAnswer = "answerCallbackQuery"

type answerParams struct {
	Query string `json:"callback_query_id"`
	Text  string `json:"text,omitempty"`
	Alert bool   `json:"show_alert,omitempty"`
}

// notify answers a press with a notice that only its person sees. It reports false
// where what is said is to be a message: it is for all, it is more than a notice
// can hold, or the press can't be answered any more.
func (a *Adapter) notify(ctx context.Context, d chat.Delivery, p sendParams) (chat.Receipt, bool, error) {
	if d.Interaction == nil {
		return chat.Receipt{}, false, nil
	}
	fits := d.Private != nil && p.Document == nil && p.Keyboard == nil && len(utf16.Encode([]rune(p.Text))) <= maxNotice
	if !fits || time.Now().After(d.Interaction.Expires) {
		a.press.release(d.Interaction.ID, false)
		return chat.Receipt{}, false, nil
	}
	a.press.release(d.Interaction.ID, true)
	err := a.client.call(ctx, opAnswer, answerParams{Query: d.Interaction.ID, Text: p.Text, Alert: true}, nil)
	e, refused := errors.AsType[*chat.Error](err)
	switch {
	case saysText(err, tooOld):
		return chat.Receipt{}, false, nil
	case refused && e.Kind == chat.UnknownOutcome:
		e.Kind = chat.Transient // an answer that was taken is refused the next time
	}
	return chat.Receipt{Message: "press:" + d.Interaction.ID, At: time.Now().UTC()}, true, err
}
