package discord_test

import (
	"errors"
	"log/slog"
	"testing"

	"talaria/adapters/adaptertest"
	"talaria/adapters/discord"
	simulator "talaria/adapters/fake/discord"
	"talaria/core/chat"
)

// rig is an adapter beside a simulator.
type rig struct {
	adaptertest.Rig[*discord.Adapter, *simulator.Server]
}

func newRig(t *testing.T, o simulator.Options) *rig {
	t.Helper()
	server, log := newSimulator(t, o), adaptertest.NewLog()
	return &rig{adaptertest.NewRig(t, server, newReplica(t, server, log), log)}
}

func newReplica(t *testing.T, server *simulator.Server, log *adaptertest.Log) *discord.Adapter {
	a := newAdapter(t, discord.Config{Token: server.Token(), APIURL: server.URL()}, log.Logger(slog.LevelInfo))
	a.Hurry(quick, patience)
	return a
}

// another is a further replica of the same bot.
func (r *rig) another() *discord.Adapter { return newReplica(r.T, r.Server, r.Log) }

// listening waits until a session is told of what happens.
func (r *rig) listening() {
	r.T.Helper()
	r.Await("a session", func() bool { return r.Server.Ready() > 0 })
}

// run starts the adapter with a handler that keeps everything, and waits until
// it listens.
func (r *rig) run() *adaptertest.Recorder {
	r.T.Helper()
	kept := adaptertest.NewRecorder()
	before := r.Server.Identifies() + r.Server.Resumes()
	r.Start(kept)
	r.Await("a session", func() bool { return r.Server.Identifies()+r.Server.Resumes() > before })
	return kept
}

var errStore = errors.New("the store is away")

var (
	toDirect = chat.Address{Platform: discord.Platform, Chat: direct}
	toLobby  = chat.Address{Platform: discord.Platform, Workspace: guild, Chat: lobby}
	toThread = chat.Address{Platform: discord.Platform, Workspace: guild, Chat: lobby, Thread: thread}
)
