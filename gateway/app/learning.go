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
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/match"
	"talaria/core/trace"
	"talaria/gateway/config"
	"talaria/gateway/lane"
	"talaria/gateway/outbox"
	"talaria/storage"
)

// newRecorder makes what observes finished tasks. It has to be told whose the
// shards are before it runs.
func (a *App) newRecorder(cfg config.Config) *learning.Recorder {
	return learning.New(learning.Config{
		Enabled: cfg.Learning.Enabled && cfg.Learning.Observe, Store: a.store, Log: a.log,
		Redactor: trace.NewRedactor(cfg.Secrets()), Alike: match.RequestSimilarity,
		Mine: func(n int) bool { return a.shards.Mine(n) },
		Answers: func(ctx context.Context, at chat.Address, turn string) ([]string, error) {
			return answers(ctx, a.store, at, turn)
		},
		Nearest:  a.nearest,
		Quiet:    cfg.Learning.Reflection.Quiet.Duration,
		Idle:     cfg.Learning.Idle.Duration,
		Every:    cfg.Learning.Reflection.EveryTurns,
		Repeats:  cfg.Learning.Reflection.Alike,
		Gate:     cfg.Learning.Gate.Measures(),
		Worths:   cfg.Learning.Corrections.Worths(),
		Weights:  cfg.Learning.Value.Weights(),
		Listener: a.listener(),
		Keep:     time.Duration(cfg.Retention.TracesDays) * 24 * time.Hour,
		KeepKind: time.Duration(cfg.Retention.KindsDays) * 24 * time.Hour,
	})
}

// nearest is the skill that a task belongs to: one of the same shelf that was
// in use, else the one that its request fits best. A change goes to no other.
func (a *App) nearest(ctx context.Context, t trace.Task) learning.Nearest {
	who, err := a.directory.Renew(ctx, person.Principal{Identity: t.Asker, Place: t.Place, Direct: t.Direct})
	if err != nil {
		return learning.Nearest{}
	}
	visible, err := a.library.Matchable(ctx, who)
	if err != nil {
		a.log.Debug("no skill looked for that a task belongs to", "task", t.ID, "err", err)
		return learning.Nearest{}
	}
	for _, u := range t.Skills {
		if a.ownSkill(ctx, who, u.Skill) {
			return learning.Nearest{Skill: u.Skill, Similarity: 1}
		}
	}
	found := match.New(visible).Match(t.Request, 1).Ranked
	if len(found) == 0 || !a.ownSkill(ctx, who, found[0].Name) {
		return learning.Nearest{}
	}
	return learning.Nearest{Skill: found[0].Name, Similarity: found[0].Score}
}

// ownSkill reports whether a skill is of the very scope where somebody is.
func (a *App) ownSkill(ctx context.Context, who person.Principal, name string) bool {
	s, err := a.library.Find(ctx, who, name)
	return err == nil && s.Live() && s.Scope == skill.Here(who)
}

// consent is what people said of the export of their traces; otherwise holds for
// those who have not.
type consent struct {
	store     *storage.Store
	otherwise bool
}

// Give implements command.Consent.
func (c consent) Give(ctx context.Context, who person.ID, given bool) error {
	return export.SetConsent(ctx, c.store, who, given)
}

// Given implements command.Consent.
func (c consent) Given(ctx context.Context, who person.ID) (bool, error) {
	return export.Consented(ctx, c.store, who, c.otherwise)
}

// learns is whether anything is learned, of all that the configuration allows.
type learns struct {
	store   *storage.Store
	allowed bool
}

// Switch implements command.Learning.
func (l learns) Switch(ctx context.Context, who person.Principal, on bool) error {
	return learning.Switch(ctx, l.store, who, on)
}

// Learns implements command.Learning.
func (l learns) Learns(ctx context.Context, who person.Principal) (on, nowhere bool, err error) {
	off, err := learning.Stopped(ctx, l.store, who.Place)
	if who.Direct && err == nil {
		off, err = learning.PersonStopped(ctx, l.store, who.Person)
	}
	return !off && l.allowed, !l.allowed, err
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
		row, err := s.Row(ctx, person.ShardOf(at), outbox.PartKey(turn, n))
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
