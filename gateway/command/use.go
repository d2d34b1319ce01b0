package command

import (
	"context"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/wording"
)

// Use is what a person used today.
type Use struct {
	Turns, Input, Cached, Output int
	Learning                     int // of the tokens, what reviews of the person's tasks used
	Limit                        int // tokens a day; zero: none
	// LearnedHere is what reviews used where the person asks, of everybody's
	// tasks there; LearningLimit is what they may use there in a day, zero for no
	// limit.
	LearnedHere, LearningLimit int
}

// House tells about the installation.
type House interface {
	// Use is what a person used today.
	Use(ctx context.Context, who person.Principal) (Use, error)
	// Tools are the names of what can be used for a principal.
	Tools(who person.Principal) []string
	// Model names the models in use.
	Model() string
}

// ForHouse are the commands about the installation.
func ForHouse(h House) []Command {
	return []Command{
		{Name: "usage", Summary: "what you used today", Now: true, Role: person.Guest, Run: func(ctx context.Context, c Call) (chat.Post, error) {
			return use(ctx, h, c)
		}},
		{Name: "tools", Summary: "what I can use for you", Now: true, Role: person.Guest, Run: func(ctx context.Context, c Call) (chat.Post, error) {
			return tools(ctx, h.Tools(c.Who)), nil
		}},
		{Name: "model", Summary: "which model I think with", Now: true, Role: person.Guest, Run: func(ctx context.Context, _ Call) (chat.Post, error) {
			return wording.Say(ctx, "I think with **%s**. It is set under `[model]` in the configuration.", h.Model()), nil
		}},
	}
}

func use(ctx context.Context, h House, c Call) (chat.Post, error) {
	u, err := h.Use(ctx, c.Who)
	if err != nil {
		return chat.Post{}, err
	}
	text := wording.Text(ctx, "Requests today: %d; tokens in: %d (%d of them cached), out: %d.", u.Turns, u.Input, u.Cached, u.Output)
	if u.Learning > 0 {
		text += wording.Text(ctx, " %d of these tokens went into learning from your tasks.", u.Learning)
	}
	if u.LearningLimit > 0 {
		text += wording.Text(ctx, " Learning may use %d tokens a day here, of which %d are left.", u.LearningLimit, max(0, u.LearningLimit-u.LearnedHere))
	}
	if u.Limit > 0 {
		text += wording.Text(ctx, " Of your daily budget of %d tokens, %d are left.", u.Limit, max(0, u.Limit-(u.Input-u.Cached+u.Output)))
	}
	return chat.Post{Markdown: text}, nil
}
