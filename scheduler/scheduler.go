package scheduler

import (
	"context"
	"log/slog"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/scheduler/when"
	"talaria/storage"
)

// People knows who may do what at this moment; *person.Directory is one.
type People interface {
	// Present is p with the rights it has now, membership of its place
	// included. Nobody as its role means that it may no longer act there.
	Present(ctx context.Context, p person.Principal) (person.Principal, error)
	// DirectOf is where a person can be spoken to alone, with the account in
	// question if there is such a place; false where there is none.
	DirectOf(ctx context.Context, p person.Principal) (person.Principal, bool, error)
}

// Outcome is what became of a turn, as its place's shard tells it.
type Outcome struct {
	Over    bool   // the turn is over
	Broken  bool   // and has no answer but an excuse
	Silent  bool   // and has nothing to say
	Tokens  int    //
	State   string // of the answer's first message: "queued", "sending", "sent", "failed", "unknown", or empty
	Error   string // why it failed
	Gone    bool   // it failed since the place is gone
	Refused bool   // it failed since the bot may not write there
	Moved   bool   // it went to the place itself, since the thread in it is gone
	Output  string // what it says
}

// Config is what a scheduler is made from. Without People, Hand and Tell it can
// look at jobs and change them, and fires nothing: for a command line beside the
// bot. A slot that is due in the moment of such a change is left to the bot, or
// lost where the job was paused or deleted.
type Config struct {
	Store  *storage.Store
	People People
	// Hand keeps an event on somebody's behalf; the same key again is a no-op.
	Hand func(ctx context.Context, e chat.Event, who person.Principal) error
	// Tell says something at a place, once for each key.
	Tell func(ctx context.Context, key string, to chat.Address, post chat.Post) error
	// Outcome tells what became of a turn.
	Outcome func(ctx context.Context, place chat.Address, key string) (Outcome, error)
	// Command reports whether a name is that of a chat command. Nil: none is.
	Command func(name string) bool
	// Lacks says in whole sentences what of a use somebody does not have where
	// they are: asked before a job is made or changed, and again for each run.
	// Nil: nothing is ever lacking.
	Lacks func(ctx context.Context, who person.Principal, u Use) ([]string, error)
	// Brief sets up a briefing of what is new, once for a key, and says it back.
	// Nil: who asks for one as a job is told how to.
	Brief func(ctx context.Context, who person.Principal, key string, s when.Schedule) (string, error)
	// For is a context in which somebody is told something unasked, in their
	// language. Nil: the same context.
	For func(ctx context.Context, who person.ID) context.Context
	// In is the language that somebody is told things in under a context. Nil:
	// English.
	In      func(ctx context.Context) Tongue
	Limits  Limits
	Zone    *time.Location // of people who told none
	Replica string         // this process's name among those that share the store
	Log     *slog.Logger
}

// Silent is the whole answer of a job that has nothing to tell, and so no text
// of a job. Within an answer it is text.
const Silent = "[SILENT]"

// Limits bound what one person may schedule.
type Limits struct {
	Jobs  int           // jobs at a time
	Every time.Duration // least time between two slots of a job
}

// Scheduler keeps jobs and fires them. It is safe for concurrent use.
type Scheduler struct {
	cfg   Config
	woken chan struct{}
	tasks []*task // complete before Run
}

// New returns a scheduler that fires nothing before Run.
func New(cfg Config) *Scheduler {
	return &Scheduler{cfg: cfg, woken: make(chan struct{}, 1)}
}
