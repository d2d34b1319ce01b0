package app_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"talaria/core/learning"
	"talaria/core/learning/observe"
	"talaria/core/trace"
	"talaria/gateway/app"
	"talaria/gateway/config"
	"talaria/storage"
)

// observes waits until something was observed that fits. The store is the
// served one's file, opened beside it.
func observes(t *testing.T, s *storage.Store, fits func(trace.Task, learning.Observed) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	found := errors.New("found")
	var last learning.Observed
	for ctx.Err() == nil {
		for n := range storage.Shards {
			p := storage.Shard(n)
			err := trace.Each(ctx, s, p, func(task trace.Task) error {
				o, err := learning.ObservationOf(ctx, s, p, task.ID)
				if last = o; err == nil && fits(task, o) {
					return found
				}
				return nil
			})
			if errors.Is(err, found) {
				return
			}
		}
	}
	t.Fatalf("nothing like it was observed; the last was %+v", last)
}

func TestAReactionOnAnAnswerReachesItsTask(t *testing.T) {
	dir := t.TempDir()
	url := "sqlite:" + dir + "/t.db"
	s := serve(t, "TALARIA_STORAGE_URL="+url)
	store, err := app.OpenStore(t.Context(), config.Storage{URL: config.NewSecret(url)})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	s.Say(admin, admin, "what is 20+3")
	hears(t, s, admin, "23")
	observes(t, store, func(task trace.Task, o learning.Observed) bool { return o.Success && task.Request == "what is 20+3" })
	answer := s.Sent(admin)[len(s.Sent(admin))-1].ID
	s.Inject("message_reaction", map[string]any{
		"chat": map[string]any{"id": admin, "type": "private"}, "message_id": answer, "user": map[string]any{"id": admin, "first_name": "A"},
		"date": time.Now().Unix(), "old_reaction": []any{}, "new_reaction": []any{map[string]any{"type": "emoji", "emoji": "👎"}},
	})
	observes(t, store, func(_ trace.Task, o learning.Observed) bool {
		return !o.Success && len(o.Feedback) == 1 && o.Feedback[0].Sign == observe.Disliked
	})
}
