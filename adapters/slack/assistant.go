package slack

import (
	"context"

	"talaria/adapters/inbound"
	"talaria/core/chat"
	"talaria/core/text"

	"github.com/slack-go/slack"
)

// maxPrompts is how many prompts Slack shows
// (docs.slack.dev/reference/methods/assistant.threads.setSuggestedPrompts), and
// maxThreadTitle what is given of a title, for which no limit is documented.
const (
	maxPrompts     = 4
	maxThreadTitle = 80
)

// openedThread is made of the beginning of a thread in the container of AI apps.
func (s *scene) openedThread() inbound.Item {
	t := s.event.Assistant
	if t.User == "" || t.Channel == "" || t.Thread == "" {
		return inbound.Drop(inbound.Unsupported)
	}
	s.User, s.Channel = t.User, t.Channel
	return s.opened(t.Thread)
}

// Suggest implements chat.Suggester, in assistant threads.
func (a *Adapter) Suggest(ctx context.Context, place chat.Address, heading string, prompts []chat.Prompt) error {
	params := slack.AssistantThreadsSetSuggestedPromptsParameters{Title: heading, ChannelID: place.Chat, ThreadTS: place.Thread}
	for _, p := range prompts[:min(len(prompts), maxPrompts)] {
		params.AddPrompt(text.Clip(p.Label, maxLabel), p.Text)
	}
	_, err := a.client.call(ctx, "assistant.threads.setSuggestedPrompts", func(ctx context.Context, api *slack.Client) error {
		return api.SetAssistantThreadsSuggestedPromptsContext(ctx, params)
	})
	return err
}

// Title implements chat.Titler, in assistant threads. Slack refuses it in others,
// which is no failure.
func (a *Adapter) Title(ctx context.Context, place chat.Address, title string) error {
	_, err := a.client.call(ctx, "assistant.threads.setTitle", func(ctx context.Context, api *slack.Client) error {
		return api.SetAssistantThreadsTitleContext(ctx, slack.AssistantThreadsSetTitleParameters{
			ChannelID: place.Chat, ThreadTS: place.Thread, Title: text.Clip(title, maxThreadTitle),
		})
	})
	if refusedWith(err, "invalid_thread_ts", "missing_scope", "unknown_method") {
		return nil
	}
	return err
}
