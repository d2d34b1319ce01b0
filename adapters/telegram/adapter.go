package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"time"

	"talaria/adapters/inbound"
	"talaria/adapters/retry"
	"talaria/core/chat"

	tele "gopkg.in/telebot.v3"
)

// Platform is the adapter's name in addresses.
const Platform = "telegram"

// Adapter is one bot. It implements chat.Adapter, Editor, Placeholder, Drafter,
// Remover, Typer, Downloader, Inviter, Exclusive, Checkpointed, MenuHolder and
// Checker.
type Adapter struct {
	cfg    Config
	client *client
	log    *slog.Logger
	timing timing
	link   retry.Link
	parked parking
	drafts drafts
	press  presses
	menus  map[menuFor][]tele.Command // empty without a menu

	posting   sync.RWMutex // held for reading while a posted update is taken
	receiving *receiving   // nil unless Run is up
}

// timing is what tests shorten.
type timing struct {
	pause retry.Pause // after failed calls
	album time.Duration
}

// receiving is one Run under way.
type receiving struct {
	take   func(raw json.RawMessage, done func(error)) // under Run's context
	intake *intake
	poller *poller // nil in webhook mode
}

// New makes an adapter. It makes no call yet.
func New(cfg Config, log *slog.Logger) (*Adapter, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	c := newClient(cfg.APIURL, cfg.Token, cfg.Transport)
	return &Adapter{
		cfg: cfg, client: c, log: log, link: retry.Link{Platform: Platform, Log: log},
		timing: timing{pause: retry.Backoff, album: albumPause},
		parked: parking{log: log}, press: presses{client: c, log: log, hold: pressHold},
	}, nil
}

// refusedToken is what a person is told of 401 and 404: the token is in the
// path.
const refusedToken = "the bot's token is refused; get a new one from @BotFather, or see whether api_url is right"

var errNotRunning = errors.New("telegram: not running")

// Platform implements chat.Adapter.
func (a *Adapter) Platform() string { return Platform }

// Exclusive implements chat.Exclusive: the Bot API serves one poller a bot. In
// webhook mode it is empty, since any replica may take what is posted.
func (a *Adapter) Exclusive() string {
	if a.cfg.Mode == Webhook {
		return ""
	}
	return Platform + ":" + a.cfg.botID()
}

// UseCheckpoint implements chat.Checkpointed. The offset is kept by Telegram
// itself; the checkpoint holds events that could not be handed over.
func (a *Adapter) UseCheckpoint(c chat.Checkpoint) { a.parked.store = c }

// Run implements chat.Adapter.
func (a *Adapter) Run(ctx context.Context, h chat.Handler) error {
	defer a.client.close()
	a.link.Begin()
	defer a.link.End()
	var me tele.User
	for _, step := range []func(context.Context) error{
		func(ctx context.Context) error { return a.client.call(ctx, "getMe", struct{}{}, &me) },
		a.claimWebhook,
		a.parked.load,
	} {
		if err := a.connector().Persist(ctx, step); err != nil || ctx.Err() != nil {
			return err
		}
	}
	a.link.Up()
	if err := a.register(ctx); err != nil {
		a.log.Warn("menu not registered", "platform", Platform, "err", err)
	}
	return a.receive(ctx, h, account{id: me.ID, name: me.Username})
}

// Probe implements chat.Prober.
func (a *Adapter) Probe() error { return a.link.Probe() }

// connector persists in what has to be done before anything is received.
func (a *Adapter) connector() retry.Connector {
	return retry.Connector{Platform: Platform, Refused: refusedToken, Pause: a.timing.pause, Link: &a.link, Log: a.log}
}

// receive takes updates until ctx ends, and then waits for what is under way.
func (a *Adapter) receive(ctx context.Context, h chat.Handler, me account) error {
	k := inbound.NewKeeper(Platform, h, a.timing.pause, a.log)
	k.Aside = a.parked.putAside
	in := &intake{
		me: me, keep: k.Insist, press: &a.press, log: a.log,
		lanes: inbound.NewLanes(), albums: newAlbums(a.timing.album), drops: inbound.NewDrops(Platform, a.log),
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &receiving{intake: in, take: func(raw json.RawMessage, done func(error)) { in.take(ctx, raw, done) }}
	if a.cfg.Mode == Webhook {
		in.keep = k.Once
	} else {
		r.poller = &poller{client: a.client, intake: in, mark: newWatermark(), pause: a.timing.pause, link: &a.link, log: a.log}
	}
	a.setReceiving(r)
	defer a.setReceiving(nil)
	var retrying sync.WaitGroup
	defer retrying.Wait()
	defer cancel()
	retrying.Go(func() { a.parked.retry(ctx, k.Once) })
	if r.poller == nil {
		<-ctx.Done()
		a.setReceiving(nil)
		in.lanes.Wait()
		return nil
	}
	err := r.poller.run(ctx)
	cancel()
	r.poller.finish(ctx)
	return err
}

func (a *Adapter) setReceiving(r *receiving) {
	a.posting.Lock()
	defer a.posting.Unlock()
	a.receiving = r
}
