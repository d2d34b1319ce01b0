package telegram

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"strings"
	"sync"

	"talaria/adapters/markdown"
	"talaria/core/chat"
)

// drafts knows where drafts are of no use: where the server of the Bot API is
// older than they are (9.3), or the chat takes none.
type drafts struct {
	mu      sync.Mutex
	nowhere bool
	refused map[string]bool // by chat
}

// draftParams are those of sendMessageDraft, which knows neither previews nor
// buttons (core.telegram.org/bots/api#sendmessagedraft).
type draftParams struct {
	Chat     json.Number       `json:"chat_id"`
	Thread   json.Number       `json:"message_thread_id,omitempty"`
	Draft    uint32            `json:"draft_id"`
	Text     string            `json:"text"`
	Entities []markdown.Entity `json:"entities,omitempty"`
}

var _ chat.Drafter = (*Adapter)(nil)

// Drafts implements chat.Drafter: only private chats show drafts, and their ids
// are above zero.
func (a *Adapter) Drafts(at chat.Address) bool {
	if a.cfg.Delivery != EditIn || strings.HasPrefix(at.Chat, "-") {
		return false
	}
	a.drafts.mu.Lock()
	defer a.drafts.mu.Unlock()
	return !a.drafts.nowhere && !a.drafts.refused[at.Chat]
}

// Draft implements chat.Drafter.
func (a *Adapter) Draft(ctx context.Context, d chat.Delivery) error {
	const op = "sendMessageDraft"
	p, err := a.params(op, d)
	if err != nil {
		return err
	}
	err = a.client.call(ctx, op, draftParams{json.Number(p.Chat), p.Thread, draftID(d.Key), p.Text, p.Entities}, nil)
	switch chat.KindOf(err) {
	case chat.Permanent, chat.NotAllowed, chat.Gone:
		a.drafts.refuse(d.Address.Chat, saysText(err, "404 "))
	}
	return err
}

func (d *drafts) refuse(chat string, everywhere bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.nowhere = d.nowhere || everywhere
	if d.refused == nil {
		d.refused = map[string]bool{}
	}
	d.refused[chat] = true
}

// draftID is the number of an answer's draft: never zero, and within what any
// client reads.
func draftID(key string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(key))
	return h.Sum32()>>1 | 1
}
