package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/learning/export"
	"talaria/core/learning/measure"
	"talaria/core/person"
	"talaria/core/skill/match"
	"talaria/core/trace"
	"talaria/gateway/config"
	"talaria/gateway/lane"
	"talaria/gateway/outbox"
	"talaria/storage"
)

// newRecorder makes what observes finished tasks. It has to be told whose the
// shards are before it runs.
func newRecorder(a *App, cfg config.Config) *learning.Recorder {
	return learning.New(learning.Config{
		Enabled: cfg.Learning.Enabled && cfg.Learning.Observe, Store: a.store, Log: a.log,
		Redactor: trace.NewRedactor(cfg.Secrets()), Alike: match.RequestSimilarity,
		Mine: func(n int) bool { return a.shards.Mine(n) },
		Answers: func(ctx context.Context, at chat.Address, turn string) ([]string, error) {
			return answers(ctx, a.store, at, turn)
		},
		Quiet:    cfg.Learning.Reflection.Quiet.Duration,
		Listener: measure.Uses{Store: a.store, Library: a.library, Upkeep: a.library.Upkeep(), People: a.directory, Next: a.reviewer},
		Keep:     time.Duration(cfg.Retention.TracesDays) * 24 * time.Hour,
	})
}

// consent keeps what somebody said of the export of their traces.
func (o offices) consent(ctx context.Context, who person.ID, given bool) error {
	return export.SetConsent(ctx, o.store, who, given)
}

// observer is what lanes wake, nil where nothing is to be observed.
func (a *App) observer() lane.Recorder {
	if l := a.o.Config.Learning; !l.Enabled || !l.Observe {
		return nil
	}
	return a.recorder
}

// maxAnswers bounds the messages of one answer that are looked for.
const maxAnswers = 20

// answers are the platform's ids of the messages that answer a turn.
func answers(ctx context.Context, s *storage.Store, at chat.Address, turn string) ([]string, error) {
	var ids []string
	for n := range maxAnswers {
		row, err := s.Row(ctx, trace.ShardOf(at), outbox.PartKey(turn, n))
		if errors.Is(err, storage.ErrNotFound) {
			return ids, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read the answer of turn %s: %w", turn, err)
		}
		var m outbox.Message
		if err := json.Unmarshal(row.Value, &m); err != nil {
			return nil, fmt.Errorf("read the answer of turn %s: %w: %v", turn, storage.ErrCorrupt, err)
		}
		if m.Delivery.Message != "" {
			ids = append(ids, m.Delivery.Message)
		}
	}
	return ids, nil
}
