package slack

import (
	"context"
	"sync"
	"time"

	"talaria/core/chat"

	"github.com/slack-go/slack"
)

// statusLasts is how long a status counts as shown. Slack takes it away with the
// answer, or after two minutes
// (docs.slack.dev/reference/methods/assistant.threads.setStatus).
const statusLasts = 90 * time.Second

// maxStatuses bounds the threads kept in mind.
const maxStatuses = 1000

// statuses are the threads in which a status is shown.
type statuses struct {
	mu    sync.Mutex
	since map[chat.Address]time.Time
	off   bool // the app may not show one
}

// begin reports whether a status is to be shown now.
func (s *statuses) begin(at chat.Address) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.off || time.Since(s.since[at]) < statusLasts {
		return false
	}
	if s.since == nil || len(s.since) >= maxStatuses {
		s.since = map[chat.Address]time.Time{}
	}
	s.since[at] = time.Now()
	return true
}

// replied notes that a status is gone with an answer.
func (s *statuses) replied(at chat.Address) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.since, at)
}

func (s *statuses) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.off = true
}

// Typing implements chat.Typer by the status of a thread; elsewhere there is
// silence, and a refusal is no failure.
func (a *Adapter) Typing(ctx context.Context, place chat.Address) error {
	if place.Thread == "" || !a.statuses.begin(place) {
		return nil
	}
	_, err := a.client.call(ctx, "assistant.threads.setStatus", func(ctx context.Context, api *slack.Client) error {
		return api.SetAssistantThreadsStatusContext(ctx, slack.AssistantThreadsSetStatusParameters{
			ChannelID: place.Chat, ThreadTS: place.Thread, Status: "is thinking…",
		})
	})
	if err == nil {
		return nil
	}
	a.statuses.replied(place)
	if refusedWith(err, "missing_scope", "unknown_method", "feature_not_enabled") {
		a.statuses.stop()
	}
	if ctx.Err() == nil {
		a.log.Debug("status not shown", "platform", Platform, "err", err)
	}
	return nil
}
