package slack

import (
	"context"

	"talaria/core/chat"

	"github.com/slack-go/slack"
)

var _ chat.Namer = (*Adapter)(nil)

// Names implements chat.Namer. It needs the scope channels:read, for private
// channels groups:read.
func (a *Adapter) Names(ctx context.Context, at chat.Address) ([]string, error) {
	if isDirect(at.Chat) {
		return nil, nil
	}
	var c *slack.Channel
	_, err := a.client.call(ctx, "conversations.info", func(ctx context.Context, api *slack.Client) (err error) {
		c, err = api.GetConversationInfoContext(ctx, &slack.GetConversationInfoInput{ChannelID: at.Chat})
		return err
	})
	if err != nil || c == nil || c.Name == "" {
		return nil, err
	}
	return []string{c.Name}, nil
}
