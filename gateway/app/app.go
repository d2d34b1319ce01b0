package app

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/learning/reflect"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/tool"
	"talaria/core/tool/script"
	"talaria/gateway/briefing"
	"talaria/gateway/command"
	"talaria/gateway/config"
	"talaria/gateway/home"
	"talaria/gateway/inbox"
	"talaria/gateway/lane"
	"talaria/gateway/outbox"
	"talaria/gateway/review"
	"talaria/gateway/skills"
	"talaria/scheduler"
	"talaria/storage"
)

// drainTime is how long running turns may take after the program was told to
// stop. What is left then is for the next owner of its shard.
const drainTime = 15 * time.Second

// Options are what a program is run with. Config and Log are required.
type Options struct {
	Config config.Config
	Log    *slog.Logger
	// Console makes the terminal's adapter; idle waits until everything that
	// was handed over is answered and the answers are out. May be nil.
	Console func(idle func(ctx context.Context) error, blobs Blobs) chat.Adapter
	// Ready is called once, when messages are taken. May be nil.
	Ready func()
	// ClockAhead sets the store's clock forward, by which nights and weeks go.
	// Only simulations do.
	ClockAhead time.Duration
}

// Blobs opens the content of a file that an answer carries.
type Blobs func(ctx context.Context, place chat.Address, hash string) (io.ReadCloser, error)

// App is the program, put together and not yet running.
type App struct {
	o       Options
	log     *slog.Logger
	stopped errorList // platforms that can't go on

	// What everything is kept in, by whom, and who is who.
	store     *storage.Store
	damage    damage // of the store
	replica   string
	lock      io.Closer
	directory *person.Directory

	// What a turn is made of.
	model      agent.Model // that people talk with
	background agent.Model // for what nobody waits for
	models     jobModels
	vectors    Vectors // nil: skills and memory go by words alone
	agent      *agent.Loop
	meter      *briefing.Meter
	tools      *tool.Set
	toolSpec   func(name string) (agent.Spec, bool)
	scripts    *script.Runner
	searcher   *memory.Searcher
	library    *skill.Library
	jobs       *scheduler.Scheduler
	briefing   *briefing.Briefing

	// What people steer it by.
	skills   *skills.Desk
	review   *review.Desk
	home     *home.Home
	commands *command.Table

	// What is learned from turns.
	recorder *learning.Recorder
	reviewer *reflect.Reviewer
	curating curating

	// The way of an event, from its platform and back.
	adapters map[string]chat.Adapter
	gate     *gate
	inbox    *inbox.Inbox
	shards   *inbox.Shards
	lanes    *lane.Lanes
	outbox   *outbox.Outbox
}

// New puts the program together. The caller closes it.
func New(ctx context.Context, o Options) (*App, error) {
	a := &App{o: o, log: o.Log, adapters: map[string]chat.Adapter{}}
	if err := a.build(ctx); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// Close gives back what New took. It may be called twice.
func (a *App) Close() error {
	var errs []error
	if a.store != nil {
		errs = append(errs, a.store.Close())
		a.store = nil
	}
	if a.lock != nil {
		errs = append(errs, a.lock.Close())
		a.lock = nil
	}
	return errors.Join(errs...)
}
