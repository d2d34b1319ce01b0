package slack_test

import (
	"errors"
	"log/slog"
	"testing"
	"time"

	"talaria/adapters/adaptertest"
	simulator "talaria/adapters/fake/slack"
	"talaria/adapters/slack"
)

// rig is an adapter beside a simulator.
type rig struct {
	adaptertest.Rig[*slack.Adapter, *simulator.Server]
}

type setup struct {
	mode   slack.Mode
	config func(*slack.Config)
	opts   simulator.Options
}

func newRig(t *testing.T, s setup) *rig {
	t.Helper()
	if s.opts.Minute == 0 {
		s.opts.Minute = 20 * time.Millisecond
	}
	s.opts.NoLimits = true
	log := adaptertest.NewLog()
	server, adapter := newPair(t, s.mode, s.config, s.opts, log.Logger(slog.LevelInfo))
	return &rig{adaptertest.NewRig(t, server, adapter, log)}
}

func (r *rig) settled() {
	r.T.Helper()
	r.Await("acknowledgement", func() bool { return r.Server.Unacknowledged() == 0 })
}

var errStore = errors.New("the store is away")
