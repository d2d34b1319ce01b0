package discord

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"

	"talaria/core/chat"

	"github.com/bwmarrin/discordgo"
)

var _ chat.Threader = (*Adapter)(nil)

// activeThread is a thread with its last message.
type activeThread struct {
	channel
	Last snowflake `json:"last_message_id"`
}

// Threads implements chat.Threader: those of a channel that are active. Discord
// does not say since when, but for the id of the last message.
func (a *Adapter) Threads(ctx context.Context, place chat.Address, _ time.Time, limit int) ([]chat.Address, error) {
	var active struct {
		Threads []activeThread `json:"threads"`
	}
	err := a.client.call(ctx, request{
		op: "listActiveThreads", method: http.MethodGet, url: discordgo.EndpointGuildActiveThreads(place.Workspace), scope: place.Workspace,
	}, &active)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(active.Threads, func(x, y activeThread) int {
		a, b := x.Last.String(), y.Last.String()
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(b, a)) // ids are numbers
	})
	var out []chat.Address
	for _, t := range active.Threads {
		if t.Parent.String() != place.Chat || t.Type.Or() == privateThread || len(out) == limit {
			continue
		}
		at := place.Place()
		at.Thread = t.ID.String()
		out = append(out, at)
	}
	return out, nil
}
