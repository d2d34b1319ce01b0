package telegram

import (
	"context"

	"talaria/core/chat"
)

var _ chat.Namer = (*Adapter)(nil)

// Names implements chat.Namer: a group's title, and a public one's username
// (core.telegram.org/bots/api#getchat).
func (a *Adapter) Names(ctx context.Context, at chat.Address) ([]string, error) {
	var c struct {
		Title    string `json:"title"`
		Username string `json:"username"`
	}
	if err := a.client.call(ctx, "getChat", map[string]string{"chat_id": at.Chat}, &c); err != nil {
		return nil, err
	}
	var names []string
	for _, name := range []string{c.Title, c.Username} {
		if c.Title != "" && name != "" {
			names = append(names, name)
		}
	}
	return names, nil
}
