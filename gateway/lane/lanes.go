package lane

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/tool"
	"talaria/gateway/command"
	"talaria/gateway/inbox"
	"talaria/gateway/outbox"
	"talaria/gateway/wording"
	"talaria/storage"
)

// Runner is the agent loop.
type Runner interface {
	Run(ctx context.Context, t agent.Turn, h agent.Hooks) (agent.Answer, error)
}

// Briefing puts together what a turn starts with, and adds what is to be kept
// of it. All of it is bound to the principal.
type Briefing interface {
	// Prefix is the system prompt of a session, built once for it.
	Prefix(ctx context.Context, who person.Principal) (string, error)
	// Block is the delimited data that goes before a message, empty for none.
	Block(ctx context.Context, who person.Principal, e chat.Event, prefix string) (string, error)
	// Kit is what one turn may use.
	Kit(ctx context.Context, s Setting) (Kit, error)
	// Attach files a message's attachments, copied by now, with the session.
	Attach(ctx context.Context, session string, s *inbox.Shard, files []chat.Attachment) error
	// Keep adds to the batch that commits an exchange what makes it findable.
	Keep(b *storage.Batch, who person.Principal, x Exchange)
	// Spent is told what a turn used. It returns at once.
	Spent(who person.Principal, u agent.Usage)
	// Refuse returns the words for somebody whose budget is used up, empty
	// while there is some left.
	Refuse(ctx context.Context, who person.Principal) (string, error)
	// Losing is offered messages that compaction drops.
	Losing(ctx context.Context, who person.Principal, dropped []agent.Message)
}

// Setting is what a turn's tools are bound to.
type Setting struct {
	Who      person.Principal
	Event    chat.Event
	Session  string
	Shard    *inbox.Shard
	Asker    tool.Asker // keeps requests for the person's yes
	Approved string     // tool.Digest of the call that they said yes to
	// Before is what this turn has put before the model so far: the block, and
	// where it is resumed what its calls came to.
	Before []agent.Message
}

// Kit is the tools of one turn, and the gate that each of their calls passes.
type Kit struct {
	Tools []agent.Tool
	Allow func(ctx context.Context, s agent.Spec, args json.RawMessage) error
	// Model and Tokens are the turn's own, see agent.Turn.
	Model  agent.Model
	Tokens int
	// Refusal is why the turn may not take place; empty: it may.
	Refusal string
}

// Recorder observes what is handed over (see trace.HandOver), off the path of
// the replies.
type Recorder interface {
	// Wake says that something was handed over in a shard. It returns at once.
	Wake(shard int)
}

// Config is what lanes are made from. Everything is required but Queue and EveryCalls.
type Config struct {
	Store    *storage.Store
	Outbox   *outbox.Outbox
	Agent    Runner
	Commands *command.Table
	Briefing Briefing
	Adapters map[string]chat.Adapter
	// Upkeep takes note of an event that is nobody's request, and shows what a
	// person opened. It may be called again with the same event.
	Upkeep func(ctx context.Context, e chat.Event) error
	// Erasers remove what others keep in a shard of a person who wants to be
	// forgotten. May be empty.
	Erasers []person.ShardEraser
	// Recorder is woken once something to be observed was handed over. Nil:
	// nothing is.
	Recorder Recorder
	// Gather is what a job's run is to word, in place of what the model could
	// look for; false where its job wants nothing gathered. With nothing
	// gathered there is nothing to be told. May be nil.
	Gather func(ctx context.Context, e chat.Event, who person.Principal) (string, bool, error)
	// Arrived is told at once where somebody wrote, for work in the background
	// that gives way. May be nil.
	Arrived func(at chat.Address)
	Queue   int // most waiting messages in a session; zero means 20
	// EveryCalls is after how many calls of one turn it is handed over to be
	// observed while it is under way; zero means 15.
	EveryCalls int
	Log        *slog.Logger
}

// Lanes is the inbox's worker.
type Lanes struct {
	cfg       Config
	histories *histories
	name      string // tells what this replica published from what others did

	mu    sync.Mutex
	lanes map[string]*lane
	works map[int]*work
}

// work is what runs for one shard.
type work struct {
	shard   *inbox.Shard
	wg      sync.WaitGroup
	closing bool // guarded by Lanes.mu
}

// lane is one session that has something to do. Guarded by Lanes.mu.
type lane struct {
	key     string
	work    *work
	queue   []*task
	current *task // taken from the queue last
	running *running
}

// task is one event to be dealt with, or a piece of work inside the lane.
type task struct {
	sequence uint64
	env      inbox.Envelope
	do       func() // set for work that is no event
}

// New returns lanes.
func New(cfg Config) *Lanes {
	if cfg.Queue == 0 {
		cfg.Queue = 20
	}
	if cfg.EveryCalls == 0 {
		cfg.EveryCalls = 15
	}
	return &Lanes{cfg: cfg, histories: newHistories(), name: rand.Text(), lanes: map[string]*lane{}, works: map[int]*work{}}
}

var _ inbox.Worker = (*Lanes)(nil)

// Open takes up what an earlier owner of the shard was about to say. Its
// unfinished turns come with Take like any other event.
func (l *Lanes) Open(s *inbox.Shard) {
	l.mu.Lock()
	l.works[s.N] = &work{shard: s}
	l.mu.Unlock()
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		err := l.cfg.Outbox.Recover(s.Context(), l.cfg.Store, s)
		if err == nil || s.Context().Err() != nil {
			return
		}
		l.cfg.Log.Warn("outbox not read", "shard", s.N, "err", err)
		if !pause(s.Context(), wait) {
			return
		}
	}
}

// Close waits for what runs; what is queued stays in the inbox.
func (l *Lanes) Close(s *inbox.Shard) {
	l.mu.Lock()
	w := l.works[s.N]
	w.closing = true
	l.mu.Unlock()
	w.wg.Wait()
	l.mu.Lock()
	delete(l.works, s.N)
	l.mu.Unlock()
	l.histories.forget(s)
}

// Take puts an event where it belongs.
func (l *Lanes) Take(s *inbox.Shard, sequence uint64, env inbox.Envelope) {
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.works[s.N]
	if w == nil || w.closing {
		return
	}
	t := &task{sequence: sequence, env: env}
	e := env.Event
	key := person.SessionKey(e, env.Who.Person)
	switch {
	case env.Forget != nil:
		w.wg.Go(func() { l.forget(w, t) })
	case env.Say != nil:
		w.wg.Go(func() { l.tell(w, t, *env.Say) })
	case e.Kind == chat.Command && l.now(e.Command.Name):
		w.wg.Go(func() { l.command(w, key, t) })
	case e.Kind == chat.Message, e.Kind == chat.Command:
		if l.cfg.Arrived != nil {
			l.cfg.Arrived(e.Address)
		}
		l.push(w, key, t)
	case e.Kind == chat.Tick:
		l.tick(w, key, t)
	case consents(e):
		w.wg.Go(func() { l.agreed(w, key, t) })
	case e.Kind == chat.Press, e.Kind == chat.Form:
		w.wg.Go(func() { l.press(w, key, t) })
	case e.Kind == chat.Edit:
		l.edited(w, key, t)
	case e.Kind == chat.Delete:
		l.deleted(w, key, t)
	default:
		w.wg.Go(func() { l.upkeep(w, t) })
	}
}

// now reports whether a command runs beside the lane. An unknown one does, to
// be answered at once.
func (l *Lanes) now(name string) bool {
	c, ok := l.cfg.Commands.Lookup(name)
	return !ok || c.Now
}

// push queues a task, or lets it steer its author's running turn.
func (l *Lanes) push(w *work, key string, t *task) {
	ln := l.lanes[key]
	if ln == nil {
		ln = &lane{key: key, work: w, queue: []*task{t}}
		l.lanes[key] = ln
		w.wg.Go(func() { l.run(ln) })
		return
	}
	if ln.running != nil && ln.running.steers(t) && !ln.waitsFor(t.env.Who.Person) {
		ln.running.steer = append(ln.running.steer, t)
		return
	}
	if len(ln.queue) >= l.cfg.Queue {
		w.wg.Go(func() { l.tell(w, t, wording.Say(l.speaking(w.shard.Context(), t), busy)) })
		return
	}
	ln.queue = append(ln.queue, t)
}

// waitsFor reports whether a message of somebody's is queued: what they say
// after it must not overtake it.
func (ln *lane) waitsFor(who person.ID) bool {
	return slices.ContainsFunc(ln.queue, func(t *task) bool { return t.do == nil && t.env.Who.Person == who })
}

// run serves a lane until it has nothing left to do.
func (l *Lanes) run(ln *lane) {
	for {
		t := l.next(ln)
		if t == nil {
			return
		}
		switch {
		case t.do != nil:
			t.do()
		case t.env.Event.Kind == chat.Command:
			l.command(ln.work, ln.key, t)
		default:
			l.respond(ln, t)
		}
	}
}

// respond answers a message, or does what a question of the bot's was about.
func (l *Lanes) respond(ln *lane, t *task) {
	ctx := ln.work.shard.Context()
	if err := l.asPress(ctx, ln, t); err != nil && ctx.Err() == nil {
		l.cfg.Log.Warn("typed answer not looked up", "err", err)
	}
	if e := t.env.Event; e.Kind == chat.Press && e.Press.Action == askNo {
		l.press(ln.work, ln.key, t)
		return
	}
	l.answer(ln, t)
}

// next takes the lane's next task; without one the lane ends. What is queued
// when its shard closes stays in the inbox for the next owner.
func (l *Lanes) next(ln *lane) *task {
	l.mu.Lock()
	defer l.mu.Unlock()
	if ln.work.closing || ln.work.shard.Context().Err() != nil {
		ln.queue = slices.DeleteFunc(ln.queue, func(t *task) bool { return t.do == nil })
	}
	if len(ln.queue) == 0 {
		delete(l.lanes, ln.key)
		return nil
	}
	ln.current, ln.queue = ln.queue[0], ln.queue[1:]
	return ln.current
}

func (l *Lanes) waiting(key, message string) *task {
	ln := l.lanes[key]
	if ln == nil || message == "" {
		return nil
	}
	for _, q := range ln.queue {
		if q.do == nil && q.env.Event.Message == message {
			return q
		}
	}
	return nil
}

// upkeep takes note of what is nobody's request: a place that moved, people
// who came and went, reactions.
func (l *Lanes) upkeep(w *work, t *task) {
	e := t.env.Event
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		err := l.cfg.Upkeep(w.shard.Context(), e)
		if err == nil && e.Migrate != nil {
			err = l.migrate(w.shard.Context(), *e.Migrate)
		}
		if err == nil {
			break
		}
		if w.shard.Context().Err() != nil {
			return
		}
		l.cfg.Log.Warn("event not taken note of", "kind", e.Kind, "err", err)
		if errors.Is(err, storage.ErrCorrupt) || !pause(w.shard.Context(), wait) {
			break
		}
	}
	l.done(w, t)
}

// done takes an event out of the inbox with nothing to show for it.
func (l *Lanes) done(w *work, tasks ...*task) {
	l.doneWith(w, func(*storage.Batch) {}, tasks...)
}

// doneWith is done with what add has committed in the same step.
func (l *Lanes) doneWith(w *work, add func(*storage.Batch), tasks ...*task) {
	err := l.commit(w, func() *storage.Batch {
		b := w.shard.Batch()
		add(b)
		for _, t := range tasks {
			b.Done(t.sequence)
		}
		return b
	})
	if err != nil {
		return
	}
	for _, t := range tasks {
		w.shard.Done(t.sequence)
	}
}

// tell answers an event with fixed words.
func (l *Lanes) tell(w *work, t *task, post chat.Post) {
	e := t.env.Event
	l.answered(w, t, l.cfg.Outbox.Compose(reply(e, post)), nil)
}

// reply is an answer to a command or a press: for its author alone where the
// platform offered a way to do that.
func reply(e chat.Event, post chat.Post) outbox.Say {
	s := outbox.Say{Turn: e.Key(), Address: e.Address, ReplyTo: replyTo(e), Post: post, Interaction: e.Interaction}
	if e.Interaction != nil && !e.Direct {
		s.Private = &e.Author.Identity
	}
	return s
}

// answered takes an event out of the inbox with what is said about it, and with
// what add has committed in the same step, if anything.
func (l *Lanes) answered(w *work, t *task, said []*outbox.Message, add func(*storage.Batch)) {
	err := l.commit(w, func() *storage.Batch {
		b := w.shard.Batch().Durable().Done(t.sequence)
		l.cfg.Outbox.Queue(b, said)
		if add != nil {
			add(b)
		}
		return b
	})
	if err != nil {
		return
	}
	l.cfg.Outbox.Send(w.shard, said)
	w.shard.Done(t.sequence)
}

// replyTo hangs an answer on its message where several people talk.
func replyTo(e chat.Event) string {
	if e.Direct {
		return ""
	}
	return e.Message
}

// What is said in place of an answer.
const (
	brokeOff = "That did not work; the reason is in my log. Please try again."
	busy     = "I am still busy with your earlier messages, and as many as I can keep are waiting. " +
		"I did not take this one; please send it again later, or send `/stop`."
)

// speaking has an event answered in its author's language.
func (l *Lanes) speaking(ctx context.Context, t *task) context.Context {
	told, err := wording.For(ctx, l.cfg.Store, t.env.Who, t.env.Event)
	if err != nil && ctx.Err() == nil {
		l.cfg.Log.Warn("a person's language is not known", "err", err)
	}
	return told
}

// commit applies a batch under the shard's fence, waiting while the store is
// unavailable. An error means that the shard is another's now.
func (l *Lanes) commit(w *work, build func() *storage.Batch) error {
	ctx := w.shard.Context()
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		_, err := w.shard.Commit(ctx, build())
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil, errors.Is(err, storage.ErrFenced):
			return errLost
		case errors.Is(err, storage.ErrInvalid), errors.Is(err, storage.ErrConflict):
			l.cfg.Log.Error("step can't be committed", "shard", w.shard.N, "err", err)
			return err
		case errors.Is(err, storage.ErrCorrupt):
			l.cfg.Log.Error("the store is damaged: stop the bot, look with talaria store check, and restore a backup", "shard", w.shard.N, "err", err)
		default:
			l.cfg.Log.Warn("waiting for the store", "shard", w.shard.N, "err", err)
		}
		if !pause(ctx, wait) {
			return errLost
		}
	}
}

// errLost: the shard is another's now, who will do the work again.
var errLost = errors.New("shard lost")

func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// Idle reports whether no lane has anything to do.
func (l *Lanes) Idle() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.lanes) == 0
}
