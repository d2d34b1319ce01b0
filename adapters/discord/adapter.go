package discord

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"talaria/adapters/inbound"
	"talaria/adapters/retry"
	"talaria/core/chat"

	"github.com/bwmarrin/discordgo"
)

// Adapter is one bot. It implements chat.Adapter, Editor, Finder, Remover,
// Typer, Historian, Downloader, Inviter, Exclusive, Checkpointed, MenuHolder,
// Stateless and Checker.
type Adapter struct {
	cfg       Config
	client    *client
	log       *slog.Logger
	timing    timing
	link      retry.Link
	directory *directory
	accesses  accesses
	session   *session
	menu      []command                   // as it is registered
	commands  map[string]chat.MenuCommand // as it was fitted, by name
	door      chat.Door                   // nil without one

	mu     sync.Mutex
	known  account // of this bot, once asked for
	intake *intake // nil unless Run is up
}

// timing is what tests shorten.
type timing struct {
	now      func() time.Time
	pause    retry.Pause          // after failed calls and ended connections
	identify func() time.Duration // before a new session
	greeting time.Duration
	saving   time.Duration // between two checkpoints
	open     int           // dispatches that may wait to be kept
}

// account is the bot's own.
type account struct{ user, app string }

// intents are the kinds of dispatches asked for: no more than is used. That of
// message content is a privileged one, which a person has to turn on.
const intents = discordgo.IntentGuilds | discordgo.IntentGuildMessages | discordgo.IntentGuildMessageReactions |
	discordgo.IntentDirectMessages | discordgo.IntentDirectMessageReactions | discordgo.IntentMessageContent

// checkpointEvery bounds how much is received again by a replica that takes
// over from one that died.
const checkpointEvery = time.Second

// maxOpen bounds what is held in memory while events can't be kept. Discord
// holds the rest back, for as long as it keeps a session.
const maxOpen = 4096

// New makes an adapter. It makes no call yet.
func New(cfg Config, log *slog.Logger) (*Adapter, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	c, err := newClient(cfg.APIURL, cfg.Token, cfg.Transport)
	if err != nil {
		return nil, fmt.Errorf("make client: %w", err)
	}
	return &Adapter{
		cfg: cfg, client: c, log: log, directory: newDirectory(), session: &session{begun: make(chan struct{}, 1)}, link: retry.Link{Platform: Platform, Log: log},
		timing: timing{now: time.Now, pause: retry.Backoff, identify: newSessionPause, greeting: greeting, saving: checkpointEvery, open: maxOpen},
	}, nil
}

// Platform implements chat.Adapter.
func (a *Adapter) Platform() string { return Platform }

// Exclusive implements chat.Exclusive: each gateway session is told of
// everything, so one is enough for all replicas.
func (a *Adapter) Exclusive() string { return Platform + ":" + a.cfg.account() }

// UseCheckpoint implements chat.Checkpointed. The checkpoint holds the gateway
// session, how far it is kept, and how far recent channels were read.
func (a *Adapter) UseCheckpoint(c chat.Checkpoint) { a.session.store = c }

// Run implements chat.Adapter.
func (a *Adapter) Run(ctx context.Context, h chat.Handler) error {
	defer a.client.close()
	a.link.Begin()
	defer a.link.End()
	var self account
	for _, step := range []func(context.Context) error{
		func(ctx context.Context) (err error) { self, err = a.self(ctx); return err },
		a.session.load,
	} {
		if err := a.connector().Persist(ctx, step); err != nil || ctx.Err() != nil {
			return err
		}
	}
	if err := a.register(ctx, self.app); err != nil {
		a.log.Warn("commands not registered", "platform", Platform, "err", err)
	}
	return a.receive(ctx, h, self)
}

// Probe implements chat.Prober.
func (a *Adapter) Probe() error { return a.link.Probe() }

// connector persists in what has to be done before anything is received.
func (a *Adapter) connector() retry.Connector {
	return retry.Connector{Platform: Platform, Refused: refusedToken, Pause: a.timing.pause, Link: &a.link, Log: a.log}
}

// receive takes dispatches until ctx ends, then waits for what is under way
// and saves how far it came.
func (a *Adapter) receive(ctx context.Context, h chat.Handler, self account) error {
	ctx, cancel := context.WithCancel(ctx)
	in := &intake{
		adapter: a, self: self, session: a.session, keeper: inbound.NewKeeper(Platform, h, a.timing.pause, a.log),
		lanes: inbound.NewLanes(), log: a.log, drops: inbound.NewDrops(Platform, a.log),
	}
	a.setIntake(in)
	defer a.setIntake(nil)
	var saving sync.WaitGroup
	saving.Go(func() { a.checkpoint(ctx) })
	in.catchUp(ctx, a.session.behind())
	g := &gateway{client: a.client, session: a.session, intake: in, timing: a.timing, intents: intents, link: &a.link, log: a.log}
	err := g.run(ctx)
	cancel()
	in.lanes.Wait()
	saving.Wait()
	a.save(context.WithoutCancel(ctx))
	return err
}

// checkpoint saves the session now and then, and at once where it is a new one:
// who takes over from a replica that dies young could not resume it otherwise.
func (a *Adapter) checkpoint(ctx context.Context) {
	ticker := time.NewTicker(a.timing.saving)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-a.session.begun:
		case <-ticker.C:
		}
		a.save(ctx)
	}
}

// lastSave bounds a save, the one when stopping as well.
const lastSave = 2 * time.Second

func (a *Adapter) save(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, lastSave)
	defer cancel()
	if err := a.session.save(ctx); err != nil && ctx.Err() == nil {
		a.log.Warn("checkpoint not saved", "platform", Platform, "err", err)
	}
}

func (a *Adapter) setIntake(in *intake) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.intake = in
}

// self is the bot's account, asked for once.
func (a *Adapter) self(ctx context.Context) (account, error) {
	a.mu.Lock()
	known := a.known
	a.mu.Unlock()
	if known.user != "" {
		return known, nil
	}
	me, err := a.me(ctx)
	if err != nil {
		return account{}, err
	}
	app, err := a.about(ctx)
	switch {
	case err == nil:
		known.app = app.ID.String()
	case final(err) && chat.KindOf(err) != chat.NotAllowed:
		known.app = me.ID.String() // as it is for every bot made since 2016
	default:
		return account{}, err
	}
	known.user = me.ID.String()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.known = known
	return known, nil
}

func (a *Adapter) application(ctx context.Context) (string, error) {
	self, err := a.self(ctx)
	return self.app, err
}

func (a *Adapter) me(ctx context.Context) (u user, err error) {
	err = a.client.call(ctx, request{op: "getCurrentUser", method: http.MethodGet, url: discordgo.EndpointUser("@me")}, &u)
	return u, err
}

// about is what Discord says of the bot's application.
type about struct {
	ID    snowflake `json:"id"`
	Flags int64     `json:"flags"`
}

func (a *Adapter) about(ctx context.Context) (app about, err error) {
	err = a.client.call(ctx, request{op: "getCurrentApplication", method: http.MethodGet, url: discordgo.EndpointApplication("@me")}, &app)
	return app, err
}
