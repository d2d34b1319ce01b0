package doctor

import (
	"context"
	"errors"
	"fmt"

	"talaria/core/agent"
	"talaria/core/chat"
)

// model asks a model for one token.
func (s Subject) model(ctx context.Context, m Model) []chat.Finding {
	if m.Rehearsal {
		return []chat.Finding{ok("rehearsal: the built-in stand-in, which is no language model; set provider, name and api_key for one")}
	}
	request := agent.Request{MaxTokens: 1, Messages: []agent.Message{{Role: agent.User, Text: "ping"}}}
	for _, err := range m.Model.Stream(ctx, request) {
		if err != nil {
			return []chat.Finding{wrong(s.modelRemedy(m.Key, err), "%s", why(ctx, err))}
		}
	}
	return []chat.Finding{ok("%s answers", m.Model.Name())}
}

func (s Subject) modelRemedy(table string, err error) string {
	key := func(name string) string { return table + "." + name + " (" + s.Where(table+"."+name) + ")" }
	e, known := errors.AsType[*agent.ModelError](err)
	switch {
	case known && e.Kind == agent.ModelAuth:
		return "correct " + key("api_key")
	case known && e.Kind == agent.ModelRateLimited:
		return "wait, or ask the provider for a higher limit"
	case known && e.Kind == agent.ModelInvalid:
		return fmt.Sprintf("compare %s and %s with the provider's documentation", key("name"), key("base_url"))
	}
	return "see whether " + key("base_url") + " can be reached from here"
}

// platforms tells which platforms are configured.
func (s Subject) platforms(context.Context) []chat.Finding {
	if s.Config.Adapters.Any() {
		return nil
	}
	return []chat.Finding{ok("none is configured: Talaria chats in the terminal")}
}

// adapter asks a platform about the bot's account.
func adapter(ctx context.Context, a chat.Adapter) []chat.Finding {
	c, can := a.(chat.Checker)
	if !can {
		return []chat.Finding{ok("configured")}
	}
	if findings := c.Check(ctx); len(findings) > 0 {
		return findings
	}
	return []chat.Finding{ok("well")}
}
