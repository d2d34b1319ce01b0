package slack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"talaria/adapters/wire"
	"talaria/core/chat"
	"talaria/core/sleep"

	"github.com/slack-go/slack"
)

const (
	// readLag is how long after a call Slack may not show it yet.
	readLag = 2 * time.Second
	// findBack is how far back a delivery is looked for: as long as its row may
	// be taken up again.
	findBack = 7 * 24 * time.Hour
	// pageSize and maxPages bound a search.
	pageSize = 200
	maxPages = 10
)

// errTooMany is returned where not all messages were seen.
var errTooMany = errors.New("too many messages to look through")

// kept is a message as history gives it.
type kept struct {
	message
	Metadata struct {
		Payload map[string]any `json:"event_payload"`
	} `json:"metadata"`
	LatestReply string `json:"latest_reply"` // of a thread's root: the ts of the newest reply
}

// Find implements chat.Finder: it looks twice for a message with the key, so
// that one which Slack shows late is not sent again.
func (a *Adapter) Find(ctx context.Context, d chat.Delivery) (chat.Receipt, bool, error) {
	p, err := readPayload("find", d.Payload)
	switch {
	case err != nil:
		return chat.Receipt{}, false, err
	case p.File != nil, d.Private != nil && !isDirect(d.Address.Chat):
		return chat.Receipt{}, false, errors.New("slack: files and private messages carry no key to be found by")
	}
	if err := a.knowIdentity(ctx); err != nil {
		return chat.Receipt{}, false, err
	}
	for range 2 {
		if !sleep.For(ctx, a.timing.lag) {
			return chat.Receipt{}, false, ctx.Err()
		}
		r, found, err := a.findOnce(ctx, d)
		if found || err != nil {
			return r, found, err
		}
	}
	return chat.Receipt{}, false, nil
}

func (a *Adapter) findOnce(ctx context.Context, d chat.Delivery) (r chat.Receipt, found bool, err error) {
	oldest := fmt.Sprintf("%d.000000", time.Now().Add(-findBack).Unix())
	var streams []string
	err = a.pages(ctx, d.Address, oldest, func(page []kept) (done bool) {
		for _, m := range page {
			switch {
			case m.Metadata.Payload[metadataKey] == d.Key && d.Key != "":
				r, found = receipt(m.TS), true
			case a.mayBeStream(m, d):
				streams = append(streams, m.TS)
			}
		}
		return found
	})
	switch {
	case err != nil || found || len(streams) == 0:
		return r, found, err
	case len(streams) > 1:
		return r, false, errors.New("slack: several messages may be the one that was begun")
	}
	return receipt(streams[0]), true, nil
}

// mayBeStream reports whether a message is what a delivery has begun: a stream
// carries its key only from its end on, but nothing else of the bot's in a thread
// is without one, and a thread's answers are written one after the other.
func (a *Adapter) mayBeStream(m kept, d chat.Delivery) bool {
	me := a.identity()
	own := m.User != "" && m.User == me.user || m.BotID != "" && m.BotID == me.bot
	return d.Growth != nil && d.Address.Thread != "" && own && conversational[m.Subtype] && len(m.Files) == 0 &&
		len(m.Metadata.Payload) == 0 && m.TS > d.Growth.After && m.TS != d.Address.Thread
}

// pages reads a thread or a place from a ts on, page by page, until each says
// that it has enough.
func (a *Adapter) pages(ctx context.Context, from chat.Address, oldest string, each func([]kept) (done bool)) error {
	cursor := ""
	for range maxPages {
		x, err := a.page(ctx, from, oldest, cursor)
		if err != nil {
			return err
		}
		var found struct {
			answer
			Messages []kept `json:"messages"`
		}
		if !read(x.Body, &found) {
			return &chat.Error{Kind: chat.UnknownOutcome, Op: "history", Err: errors.New("the answer can't be read")}
		}
		if cursor = found.Meta.Cursor; each(found.Messages) || cursor == "" {
			return nil
		}
	}
	return errTooMany
}

func (a *Adapter) page(ctx context.Context, from chat.Address, oldest, cursor string) (*wire.Exchange, error) {
	if from.Thread != "" {
		return a.client.call(ctx, "conversations.replies", func(ctx context.Context, api *slack.Client) error {
			_, _, _, err := api.GetConversationRepliesContext(ctx, &slack.GetConversationRepliesParameters{
				ChannelID: from.Chat, Timestamp: from.Thread, Oldest: oldest, Cursor: cursor, Limit: pageSize, IncludeAllMetadata: true,
			})
			return err
		})
	}
	return a.client.call(ctx, "conversations.history", func(ctx context.Context, api *slack.Client) error {
		_, err := api.GetConversationHistoryContext(ctx, &slack.GetConversationHistoryParameters{
			ChannelID: from.Chat, Oldest: oldest, Cursor: cursor, Limit: pageSize, IncludeAllMetadata: true,
		})
		return err
	})
}

// History implements chat.Historian. The bot's own messages are among the
// events, marked as such. Without a message to begin after, it is the newest,
// and of a thread its root in any case.
func (a *Adapter) History(ctx context.Context, place chat.Address, after string, limit int) ([]chat.Event, error) {
	if err := a.knowIdentity(ctx); err != nil {
		return nil, err
	}
	var said []message
	err := a.pages(ctx, place, after, func(page []kept) bool {
		for _, m := range page {
			spoken := conversational[m.Subtype] && cmp.Or(m.User, m.BotID) != ""
			if spoken && m.TS > after { // replies always hold the thread's root
				said = append(said, m.message)
			}
		}
		return after == "" && place.Thread == "" && len(said) >= limit // history begins with the newest
	})
	if err != nil && !errors.Is(err, errTooMany) {
		return nil, err
	}
	slices.SortFunc(said, func(x, y message) int { return cmp.Compare(x.TS, y.TS) })
	if n := len(said); n > limit && after == "" {
		newest := said[n-limit:]
		if place.Thread != "" {
			newest[0] = said[0]
		}
		said = newest
	}
	return a.eventsOf(ctx, place, said[:min(len(said), limit)]), nil
}

// namingTime bounds the lookups for a stretch of history.
const namingTime = 3 * time.Second

// eventsOf makes the events that the messages of a place once were.
func (a *Adapter) eventsOf(ctx context.Context, place chat.Address, said []message) []chat.Event {
	ctx, cancel := context.WithTimeout(ctx, namingTime)
	defer cancel()
	me := a.identity()
	var ids []string
	for _, m := range said {
		ids = append(append(ids, m.User), mentionedIn([]byte(m.Text))...)
	}
	r := reader{me: me, names: a.people.names(ctx, me, ids)}
	events := make([]chat.Event, 0, len(said))
	for _, m := range said {
		m.Channel = place.Chat
		s := &scene{reader: r, event: event{message: m, Type: "message"}}
		events = append(events, s.said(&m).Event)
	}
	return events
}
