package slack

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"talaria/adapters/inbound"
	"talaria/adapters/retry"
	"talaria/core/chat"

	"github.com/slack-go/slack"
)

// Adapter is one app in one workspace. It implements chat.Adapter, Editor,
// Previewer, Remover, Typer, Finder, Historian, Downloader, Inviter, Exclusive,
// Checkpointed, Stateless, HomeKeeper, Suggester, Titler and Checker, and in HTTP
// mode http.Handler.
type Adapter struct {
	cfg    Config
	client *client
	people *people
	rooms  *rooms
	log    *slog.Logger
	timing timing
	door   chat.Door
	link   retry.Link

	checkpoint chat.Checkpoint // nil: nothing is read back after a restart

	statuses statuses
	streams  streams
	me       atomic.Pointer[account] // nil until Run has asked

	posting   sync.RWMutex // held for reading while a request is taken
	receiving *receiving   // nil unless Run is up
}

// timing is what tests shorten.
type timing struct {
	pause  retry.Pause   // after failed calls
	budget time.Duration // for keeping an event, within the three seconds that Slack waits
	lag    time.Duration // before reading back
	drain  time.Duration // how long a socket that was replaced goes on
}

var usual = timing{pause: retry.Backoff, budget: 2 * time.Second, lag: readLag, drain: 5 * time.Second}

// receiving is one Run under way.
type receiving struct {
	take   func(raw json.RawMessage, done func(error)) // under Run's context
	intake *intake
}

// New makes an adapter. It makes no call yet.
func New(cfg Config, log *slog.Logger) (*Adapter, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	c := newClient(cfg)
	return &Adapter{
		cfg: cfg, client: c, people: &people{client: c}, rooms: &rooms{client: c}, log: log, timing: usual,
		link: retry.Link{Platform: Platform, Log: log},
	}, nil
}

// refusedToken is what a person is told of a token that Slack does not take.
const refusedToken = "a token is refused; install the app again and copy its tokens, or see whether api_url is right"

var errNotRunning = errors.New("slack: not running")

// Platform implements chat.Adapter.
func (a *Adapter) Platform() string { return Platform }

// Run implements chat.Adapter. Any number of replicas may run.
func (a *Adapter) Run(ctx context.Context, h chat.Handler) error {
	defer a.client.close()
	a.link.Begin()
	defer a.link.End()
	if err := a.connector().Persist(ctx, a.learnIdentity); err != nil || ctx.Err() != nil {
		return err
	}
	return a.receive(ctx, h)
}

// learnIdentity asks who the bot is and in which workspace.
func (a *Adapter) learnIdentity(ctx context.Context) error {
	var who *slack.AuthTestResponse
	_, err := a.client.call(ctx, "auth.test", func(ctx context.Context, api *slack.Client) (err error) {
		who, err = api.AuthTestContext(ctx)
		return err
	})
	if err != nil {
		return err
	}
	a.me.Store(&account{team: who.TeamID, user: who.UserID, bot: who.BotID, site: who.URL})
	return nil
}

// knowIdentity asks who the bot is where it is not known yet.
func (a *Adapter) knowIdentity(ctx context.Context) error {
	if a.me.Load() != nil {
		return nil
	}
	return a.learnIdentity(ctx)
}

// identity is the bot's account, the zero value until it is known.
func (a *Adapter) identity() account {
	if known := a.me.Load(); known != nil {
		return *known
	}
	return account{}
}

// Probe implements chat.Prober.
func (a *Adapter) Probe() error { return a.link.Probe() }

// connector persists in what has to be done before anything is received.
func (a *Adapter) connector() retry.Connector {
	return retry.Connector{Platform: Platform, Refused: refusedToken, Pause: a.timing.pause, Link: &a.link, Log: a.log}
}

// receive takes deliveries until ctx ends, and then waits for what is under
// way.
func (a *Adapter) receive(ctx context.Context, h chat.Handler) error {
	keeper := inbound.NewKeeper(Platform, h, a.timing.pause, a.log)
	keeper.Budget = a.timing.budget
	in := &intake{
		me: a.identity(), people: a.people, keep: keeper.Insist, answer: a.answer, log: a.log,
		lanes: inbound.NewLanes(), flights: map[string][]func(error){}, drops: inbound.NewDrops(Platform, a.log),
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	a.setReceiving(&receiving{intake: in, take: func(raw json.RawMessage, done func(error)) { in.take(ctx, raw, done) }})
	var keeping sync.WaitGroup
	defer a.endTrail(ctx, &in.trail) // when nothing more is kept
	defer in.lanes.Wait()
	defer keeping.Wait()
	defer a.setReceiving(nil)
	defer cancel()
	if err := a.loadTrail(ctx, &in.trail); err != nil {
		a.log.Warn("what was missed while away is not read back", "platform", Platform, "err", err)
	}
	keeping.Go(func() { a.keepTrail(ctx, &in.trail) })
	if a.cfg.Mode == HTTP {
		a.link.Up()
		a.catchUp(ctx, in)
		<-ctx.Done()
		return nil
	}
	s := &sockets{client: a.client, dialer: a.cfg.Dialer, take: in.take, timing: a.timing, pauseAfter: a.connector().After, link: &a.link, log: a.log,
		gap: func(ctx context.Context) { a.catchUp(ctx, in) }}
	return s.run(ctx)
}

func (a *Adapter) setReceiving(r *receiving) {
	a.posting.Lock()
	defer a.posting.Unlock()
	a.receiving = r
}
