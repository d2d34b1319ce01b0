package slack

import (
	"context"
	"sync"
	"time"

	"github.com/slack-go/slack"
)

const (
	// roomFor is how long what Slack said of a channel counts, and absentFor how
	// long that somebody is not in it.
	roomFor   = time.Minute
	absentFor = 5 * time.Second
	// maxRooms bounds the channels kept in mind; a page of members is as long as
	// Slack lets it be, and no private channel is taken to have more pages.
	maxRooms       = 1_000
	memberPage     = 1_000
	maxMemberPages = 100
)

// room is who may read a channel.
type room struct {
	members map[string]bool // of a private one; nil: every full member of the workspace
	asked   time.Time
}

// rooms looks up who is in channels.
type rooms struct {
	client *client

	mu    sync.Mutex
	known map[string]room
}

// open reports whether a full member of the workspace may read a channel: any
// public one, and a private one that they are in.
func (r *rooms) open(ctx context.Context, channel, user string) (bool, error) {
	r.mu.Lock()
	have, ok := r.known[channel]
	r.mu.Unlock()
	in := have.members == nil || have.members[user]
	if age := time.Since(have.asked); ok && (in && age < roomFor || !in && age < absentFor) {
		return in, nil
	}
	fresh, err := r.ask(ctx, channel)
	if refusedWith(err, "missing_scope") {
		return false, nil // nobody can be told from an outsider
	}
	if err != nil {
		return false, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.known) >= maxRooms || r.known == nil {
		r.known = map[string]room{}
	}
	r.known[channel] = fresh
	return fresh.members == nil || fresh.members[user], nil
}

func (r *rooms) ask(ctx context.Context, channel string) (room, error) {
	var c *slack.Channel
	_, err := r.client.call(ctx, "conversations.info", func(ctx context.Context, api *slack.Client) (err error) {
		c, err = api.GetConversationInfoContext(ctx, &slack.GetConversationInfoInput{ChannelID: channel})
		return err
	})
	if err != nil || c == nil {
		return room{}, err
	}
	out := room{asked: time.Now()}
	if !c.IsPrivate && !c.IsMpIM && !c.IsGroup {
		return out, nil
	}
	out.members = map[string]bool{}
	in := &slack.GetUsersInConversationParameters{ChannelID: channel, Limit: memberPage}
	for range maxMemberPages {
		var ids []string
		_, err := r.client.call(ctx, "conversations.members", func(ctx context.Context, api *slack.Client) (err error) {
			ids, in.Cursor, err = api.GetUsersInConversationContext(ctx, in)
			return err
		})
		if err != nil {
			return room{}, err
		}
		for _, id := range ids {
			out.members[id] = true
		}
		if in.Cursor == "" {
			break
		}
	}
	return out, nil
}
