package lane

import (
	"crypto/rand"
	"errors"
	"slices"
	"sync"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/sleep"
	"talaria/gateway/inbox"
	"talaria/gateway/wording"
	"talaria/storage"
)

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
	refused []person.ID // who was told that their messages are not taken until one was answered
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
		if !sleep.For(s.Context(), wait) {
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
	if ln.waiting() >= l.cfg.Queue {
		l.refuse(w, ln, t)
		return
	}
	ln.queue = append(ln.queue, t)
}

// refuse leaves a message that there is no room for. Its author is told once:
// as many refusals as messages would hold up the answers. Called with mu held.
func (l *Lanes) refuse(w *work, ln *lane, t *task) {
	who := t.env.Who.Person
	if slices.Contains(ln.refused, who) {
		w.wg.Go(func() { l.done(w, t) })
		return
	}
	ln.refused = append(ln.refused, who)
	w.wg.Go(func() { l.tell(w, t, wording.Say(l.speaking(w.shard.Context(), t), busy)) })
}

// waiting is how many events are queued.
func (ln *lane) waiting() (n int) {
	for _, t := range ln.queue {
		if t.do == nil {
			n++
		}
	}
	return n
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
	if ln.current.do == nil {
		ln.refused = nil
	}
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
		if errors.Is(err, storage.ErrCorrupt) || !sleep.For(w.shard.Context(), wait) {
			break
		}
	}
	l.done(w, t)
}

// Idle reports whether no lane has anything to do.
func (l *Lanes) Idle() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.lanes) == 0
}
