package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"talaria/adapters/discord"
	"talaria/adapters/slack"
	"talaria/adapters/telegram"
	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/learning/reflect"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/tool"
	"talaria/core/tool/egress"
	"talaria/core/tool/script"
	"talaria/gateway/briefing"
	"talaria/gateway/command"
	"talaria/gateway/config"
	"talaria/gateway/daily"
	"talaria/gateway/home"
	"talaria/gateway/inbox"
	"talaria/gateway/journey"
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
	o         Options
	log       *slog.Logger
	store     *storage.Store
	replica   string
	lock      io.Closer
	directory *person.Directory
	adapters  map[string]chat.Adapter
	outbox    *outbox.Outbox
	agent     *agent.Loop
	library   *skill.Library
	scripts   *script.Runner
	toolSpec  func(name string) (agent.Spec, bool)
	skills    *skills.Desk
	commands  *command.Table
	meter     *briefing.Meter
	briefing  *briefing.Briefing
	recorder  *learning.Recorder
	reviewer  *reflect.Reviewer
	review    *review.Desk
	curating  curating
	home      *home.Home
	lanes     *lane.Lanes
	shards    *inbox.Shards
	inbox     *inbox.Inbox
	jobs      *scheduler.Scheduler
	models    jobModels
	stopped   errorList // platforms that can't go on
}

// New puts the program together. The caller closes it.
func New(ctx context.Context, o Options) (*App, error) {
	a := &App{o: o, log: o.Log, adapters: map[string]chat.Adapter{}}
	if err := a.build(ctx); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// build is straight wiring, in the order of who needs whom.
func (a *App) build(ctx context.Context) (err error) {
	cfg := a.o.Config
	if a.store, a.replica, a.lock, err = serveStore(ctx, cfg.Storage, a.o.ClockAhead); err != nil {
		return fmt.Errorf("open %s: %w", cfg.Storage.Shown(), err)
	}
	if err := a.connect(cfg); err != nil {
		return err
	}
	inviters := map[string]chat.Inviter{}
	for name, ad := range a.adapters {
		if i, ok := ad.(chat.Inviter); ok {
			inviters[name] = i
		}
	}
	people := peopleConfig(cfg)
	people.Inviters = inviters
	if a.directory, err = person.Open(ctx, a.store, people, a.log, Movers(a.store, a.log)...); err != nil {
		return err
	}
	model, err := newModel(cfg.Model, a.log)
	if err != nil {
		return err
	}
	a.agent = agent.New(agent.Config{
		Model: model, Window: cfg.Agent.MaxHistoryTokens, Log: a.log,
		Budgets: agent.Budgets{Calls: cfg.Agent.MaxCalls, Duration: cfg.Agent.MaxDuration.Duration},
	})
	a.meter = briefing.NewMeter(a.store, cfg.Limits.DailyTokensPerPerson, a.log)
	tools := &tool.Set{Policy: policy(cfg.Tools), Hosts: cfg.Tools.Hosts, Web: egress.Guest(egress.GuestOptions{})}
	searcher := memory.NewSearcher(a.store, a.directory, a.link)
	a.scripts = Scripts(cfg.Tools.Scripts, a.log)
	a.toolSpec = toolSpecs(tools, listedScripts(a.scripts))
	a.library = skill.New(a.store, a.directory, a.skillConfig(cfg), a.log, a.skillChecks()...)
	a.jobs = a.newScheduler(cfg.Scheduler)
	a.retain(cfg.Retention)
	a.review = a.newReviewDesk(cfg.Learning.Reflection.Depth)
	a.skills = a.newSkillsDesk()
	a.home = home.New(home.Config{
		Store: a.store, Directory: a.directory, Drafts: a.skills.Waiting, Jobs: a.jobs.Desk, Adapters: a.adapters, Link: a.link, Log: a.log,
	})
	commands := offices{
		directory: a.directory, tell: a.tell, consent: consent{a.store, cfg.Learning.ExportConsent}, learning: learns{a.store, cfg.Learning.Enabled && cfg.Learning.Observe}, store: a.store, searcher: searcher, house: house{a.store, a.meter, tools, listedScripts(a.scripts), model},
		rights: forgetting{a.rights(), a.directory, a.home}, jobs: a.jobs.Desk, skills: a.skills, review: a.review, journey: journey.New(a.store, a.library),
		daily: daily.NewDesk(a.daily(tools)),
	}.table()
	a.commands = commands
	gate := &gate{a.store, a.directory, a.library, commands, cfg.Inbox.MaxAge.Duration, inviters}
	for _, ad := range a.adapters {
		a.equip(ad, gate)
	}
	a.outbox = outbox.New(outbox.Config{Adapters: a.adapters, NoLoss: cfg.Delivery.Resend(), Sent: lane.Opened, Log: a.log})
	embedder, err := newEmbedder(cfg.Model.Embedding)
	if err != nil {
		return err
	}
	background, err := newBackground(cfg.Model, model, a.log)
	if err != nil {
		return err
	}
	if a.models, err = newJobModels(cfg.Model, background, a.log); err != nil {
		return err
	}
	a.briefing = briefing.New(briefing.Config{
		Store: a.store, Tools: tools, Searcher: searcher, Library: a.library, Embedder: embedder, Author: a.skills.Author, Scripts: a.scripts,
		Desk: a.jobs.Desk, Models: a.models, Meter: a.meter, Link: a.link, Log: a.log,
	})
	a.reviewer = a.newReviewer(cfg.Learning, background, a.briefing)
	if a.curating, err = a.newCurating(cfg, background); err != nil {
		return err
	}
	if err := a.pictures(cfg, background); err != nil {
		return err
	}
	a.recorder = newRecorder(a, cfg)
	a.lanes = lane.New(lane.Config{
		Store: a.store, Outbox: a.outbox, Agent: a.agent, Commands: commands, Upkeep: a.upkeep, Gather: daily.NewGatherer(a.daily(tools)).Gather, Recorder: a.observer(),
		Erasers: shardErasers(a.store, a.copies()), Briefing: a.briefing, Adapters: a.adapters, Arrived: a.reviewer.Arrived, Log: a.log,
	})
	a.shards = inbox.NewShards(a.store, a.replica, a.log)
	a.inbox = inbox.New(a.store, gate, a.shards, a.log)
	return nil
}

// tell says something at a place that nobody asked at. It goes through that
// place's inbox, so it is kept, and comes once, like everything else.
func (a *App) tell(ctx context.Context, key string, to chat.Address, post chat.Post) error {
	e := chat.Event{Kind: chat.Message, Keys: []string{key}, At: time.Now().UTC(), Address: to, Direct: true, Author: chat.Author{Self: true}}
	return a.inbox.Keep(ctx, inbox.Envelope{Event: e, Say: &post})
}

// upkeep has directory and jobs take note of places that moved and people who
// left, and shows people what they open.
func (a *App) upkeep(ctx context.Context, e chat.Event) error {
	switch {
	case e.Migrate != nil:
		return errors.Join(a.directory.Migrated(ctx, *e.Migrate), a.jobs.Migrated(ctx, *e.Migrate))
	case e.Kind == chat.Delete:
		return a.deleted(ctx, e.Address, e.Message)
	case e.Kind == chat.Opened:
		return a.home.Opened(ctx, e)
	case e.Kind == chat.Reaction:
		return a.recorder.Reacted(ctx, e)
	case e.Kind == chat.Leave && !e.Author.Self:
		return a.directory.Left(ctx, e.Author.Identity, e.Address)
	case e.Kind == chat.Leave || e.Kind == chat.Join && e.Author.Self:
		return a.jobs.Away(ctx, e.Address, e.Kind == chat.Join)
	}
	return nil
}

// equip gives an adapter what its powers need before it runs.
func (a *App) equip(ad chat.Adapter, g *gate) {
	if m, ok := ad.(chat.MenuHolder); ok {
		m.UseMenu(g.commands.Menu())
	}
	if s, ok := ad.(chat.Stateless); ok {
		s.UseDoor(door{g})
	}
	c, keeps := ad.(chat.Checkpointed)
	if x, ok := ad.(chat.Exclusive); ok && keeps {
		name := x.Exclusive()
		if name == "" {
			name = ad.Platform()
		}
		c.UseCheckpoint(checkpoint{a.store, adapterPartition(name)})
	}
}

// connect makes the adapters of the configured platforms.
func (a *App) connect(cfg config.Config) error {
	if t := cfg.Adapters.Telegram; t.Token.IsSet() {
		ad, err := telegram.New(telegram.Config{
			Token: t.Token.Reveal(), APIURL: t.APIURL, Mode: telegram.Mode(t.Mode), Delivery: telegram.Manner(t.Delivery),
			WebhookURL: t.WebhookURL, WebhookSecret: t.WebhookSecret.Reveal(), OpenBlob: a.blob,
		}, a.log)
		if err != nil {
			return fmt.Errorf("telegram: %w", err)
		}
		a.adapters[ad.Platform()] = ad
	}
	if s := cfg.Adapters.Slack; s.BotToken.IsSet() {
		ad, err := slack.New(slack.Config{
			BotToken: s.BotToken.Reveal(), AppToken: s.AppToken.Reveal(), SigningSecret: s.SigningSecret.Reveal(),
			Mode: slack.Mode(s.Mode), APIURL: s.APIURL, OpenBlob: a.blob,
		}, a.log)
		if err != nil {
			return fmt.Errorf("slack: %w", err)
		}
		a.adapters[ad.Platform()] = ad
	}
	if d := cfg.Adapters.Discord; d.Token.IsSet() {
		ad, err := discord.New(discord.Config{Token: d.Token.Reveal(), APIURL: d.APIURL, OpenBlob: a.blob}, a.log)
		if err != nil {
			return fmt.Errorf("discord: %w", err)
		}
		a.adapters[ad.Platform()] = ad
	}
	if a.o.Console != nil {
		ad := a.o.Console(a.idle, a.blob)
		a.adapters[ad.Platform()] = ad
	}
	return nil
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
