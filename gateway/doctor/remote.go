package doctor

import (
	"context"
	"errors"

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
	if e, known := errors.AsType[*agent.ModelError](err); known {
		return e.Remedy(key)
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
