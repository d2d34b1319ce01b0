package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"talaria/adapters/inbound"
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
	parked parking
	drafts drafts
	menus  map[menuFor][]tele.Command // empty without a menu

	posting   sync.RWMutex // held for reading while a posted update is taken
	receiving *receiving   // nil unless Run is up
}

// timing is what tests shorten.
type timing struct {
	pause func(attempt int) time.Duration // after failed calls
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
	return &Adapter{
		cfg: cfg, client: newClient(cfg.APIURL, cfg.Token, cfg.Transport), log: log,
		timing: timing{pause: backoff, album: albumPause},
		parked: parking{log: log},
	}, nil
}

// refusedToken is what a person is told of 401 and 404: the token is in the
// path.
const refusedToken = "the bot's token is refused; get a new one from @BotFather, or see whether api_url is right"

var errNotRunning = errors.New("telegram: not running")

// errHelp is an error that only a person can remedy.
type errHelp struct{ error }

// Unwrap returns the cause.
func (e errHelp) Unwrap() error { return e.error }

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
	var me tele.User
	for _, step := range []func() error{
		func() error { return a.client.call(ctx, "getMe", struct{}{}, &me) },
		func() error { return a.claimWebhook(ctx) },
		func() error { return a.parked.load(ctx) },
	} {
		if err := a.persist(ctx, step); err != nil || ctx.Err() != nil {
			return err
		}
	}
	if err := a.register(ctx); err != nil {
		a.log.Warn("menu not registered", "platform", Platform, "err", err)
	}
	return a.receive(ctx, h, account{id: me.ID, name: me.Username})
}

// persist does step until it succeeds or ctx ends, and returns an error only
// where trying again can't help.
func (a *Adapter) persist(ctx context.Context, step func() error) error {
	for attempt := 1; ; attempt++ {
		err := step()
		if err == nil || ctx.Err() != nil {
			return nil
		}
		if help, ok := errors.AsType[errHelp](err); ok {
			return help
		}
		if chat.KindOf(err) == chat.NotAllowed {
			return fmt.Errorf("telegram: %s: %w", refusedToken, err)
		}
		pause := a.timing.pause(attempt)
		if e, ok := errors.AsType[*chat.Error](err); ok && e.Kind == chat.RateLimited {
			pause = e.RetryAfter
		}
		a.log.Warn("connecting failed", "platform", Platform, "attempt", attempt, "pause", pause, "err", err)
		wait(ctx, pause)
	}
}

// receive takes updates until ctx ends, and then waits for what is under way.
func (a *Adapter) receive(ctx context.Context, h chat.Handler, me account) error {
	k := newKeeper(h, &a.parked, a.log)
	k.pause = a.timing.pause
	in := &intake{
		me: me, keep: k.insist, answer: a.answerPress, log: a.log,
		lanes: inbound.NewLanes(), albums: newAlbums(a.timing.album), unknown: map[string]int{},
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &receiving{intake: in, take: func(raw json.RawMessage, done func(error)) { in.take(ctx, raw, done) }}
	if a.cfg.Mode == Webhook {
		in.keep = k.once
	} else {
		r.poller = &poller{client: a.client, intake: in, mark: newWatermark(), pause: a.timing.pause, log: a.log}
	}
	a.setReceiving(r)
	defer a.setReceiving(nil)
	var retrying sync.WaitGroup
	defer retrying.Wait()
	defer cancel()
	retrying.Go(func() { a.parked.retry(ctx, k.once) })
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

// answerPress ends the waiting of the person's client. That it came too late,
// or twice, is no harm.
func (a *Adapter) answerPress(ctx context.Context, id string) {
	err := a.client.call(ctx, "answerCallbackQuery", map[string]string{"callback_query_id": id}, nil)
	if err != nil && ctx.Err() == nil {
		a.log.Debug("press not answered", "platform", Platform, "err", err)
	}
}
