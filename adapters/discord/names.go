package discord

import (
	"context"
	"net/http"

	"talaria/core/chat"

	"github.com/bwmarrin/discordgo"
)

var _ chat.Namer = (*Adapter)(nil)

// Names implements chat.Namer. Discord tells of the channels of its servers by
// itself; one that it did not tell of is asked for.
func (a *Adapter) Names(ctx context.Context, at chat.Address) ([]string, error) {
	c, known := a.directory.channel(at.Chat)
	if !known || c.Name.Or() == "" {
		err := a.client.call(ctx, request{
			op: "getChannel", method: http.MethodGet, url: discordgo.EndpointChannel(at.Chat), scope: at.Chat,
		}, &c)
		if err != nil {
			return nil, err
		}
	}
	if c.Name.Or() == "" {
		return nil, nil
	}
	return []string{c.Name.Or()}, nil
}
