package lane

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/journal"
	"talaria/core/person"
	"talaria/core/sleep"
	"talaria/core/trace"
	"talaria/gateway/inbox"
	"talaria/gateway/outbox"
	"talaria/gateway/wording"
	"talaria/scheduler"
	"talaria/storage"
)

// running is a lane's turn while it runs. Its fields are guarded by Lanes.mu.
type running struct {
	author person.ID
	job    string // whose run it is, empty for none
	cancel context.CancelCauseFunc
	ended  chan struct{}
	steer  []*task // the author's messages that arrived since
	doing  string
}

// errStopped is the cause of a turn that its author stopped.
var errStopped = errors.New("stopped")

// steers reports whether an event joins the running turn.
func (r *running) steers(t *task) bool {
	e := t.env.Event
	return t.do == nil && e.Kind == chat.Message && t.env.Who.Person == r.author && len(e.Attachments) == 0
}

// turn is one message on its way to its answer.
type turn struct {
	l       *Lanes
	ln      *lane
	task    *task
	run     *running
	shard   *inbox.Shard
	session *session
	resumed []agent.Entry
	live    *outbox.Live
	held    []agent.Entry // recorded with the next step, or with the finish
	steps   []agent.Entry // all of this run, for the trace
	began   time.Time
	lang    wording.Language
	kept    bool // something of this run may be in the journal
	told    int  // how often it was handed over while under way
	halted  bool // its author stopped it
	// gathered is what a job's run is to word, see Config.Gather.
	gathered string
	drained  []*task  // steering messages that the model was given
	consent  question // of a press that said yes
	// prefixed is set where this turn built the session's prefix, which is
	// stored with its finish.
	prefixed bool
}

// answer has the agent answer a message, and commits what came of it.
func (l *Lanes) answer(ln *lane, t *task) {
	ctx, cancel := context.WithCancelCause(l.speaking(ln.work.shard.Context(), t))
	defer cancel(nil)
	run := &running{author: t.env.Who.Person, job: jobOf(t.env.Event), cancel: cancel, ended: make(chan struct{})}
	l.mu.Lock()
	ln.running = run
	l.mu.Unlock()

	tn := &turn{l: l, ln: ln, task: t, run: run, shard: ln.work.shard, began: time.Now().UTC(), lang: wording.In(ctx)}
	tn.work(ctx)

	l.mu.Lock()
	ln.running = nil
	// What came too late to steer takes its place in the order of arrival.
	ln.queue = slices.Concat(ln.queue, run.steer)
	slices.SortStableFunc(ln.queue, func(a, b *task) int { return cmp.Compare(a.sequence, b.sequence) })
	l.mu.Unlock()
	close(run.ended)
}

// work brings the turn to its end, or leaves it to the shard's next owner.
func (t *turn) work(ctx context.Context) {
	log := t.l.cfg.Log.With("turn", t.task.env.Event.Key())
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		err := t.prepare(ctx)
		if err == nil {
			break
		}
		if ctx.Err() != nil {
			t.stopped(ctx)
			return
		}
		if errors.Is(err, storage.ErrCorrupt) {
			log.Error("turn can't begin: what it starts from can't be read", "err", err)
			t.l.tell(t.ln.work, t.task, wording.Say(ctx, unreadable))
			return
		}
		log.Warn("turn can't begin yet", "err", err)
		sleep.For(ctx, wait)
	}
	answer, err := t.loop(ctx)
	switch {
	case err == nil:
		t.finish(answer)
	case ctx.Err() != nil:
		t.stopped(ctx)
	default:
		log.Error("turn broke off", "err", err)
		t.finish(agent.Answer{Ending: agent.Broken, Text: t.lang.Text("Something went wrong on my side, and I could not finish this. It is noted in my log; please try again.")})
	}
}

// prepare reads what the turn starts from.
func (t *turn) prepare(ctx context.Context) (err error) {
	env := t.task.env
	if t.session == nil {
		if t.session, err = t.l.load(ctx, t.shard, t.ln.key); err != nil {
			return fmt.Errorf("load session: %w", err)
		}
	}
	if !env.Fresh {
		if t.resumed, err = journal.Load(ctx, t.l.cfg.Store, t.shard.Partition(), env.Event.Key()); err != nil {
			return fmt.Errorf("load journal: %w", err)
		}
		if err = t.l.amend(ctx, t.shard, t.task); err != nil {
			return err
		}
	}
	e := env.Event
	if e.Kind == chat.Tick {
		return nil // nobody watches it grow
	}
	say := outbox.Say{
		Turn: e.Key(), Address: e.Address, ReplyTo: replyTo(e), Growth: &chat.Growth{For: e.Author.Identity, After: e.Message},
	}
	t.live, err = t.l.cfg.Outbox.Live(ctx, t.l.cfg.Store, t.shard, say, !env.Fresh)
	if err != nil {
		return fmt.Errorf("open live message: %w", err)
	}
	return nil
}

// loop runs the agent. A panic in it ends this turn alone.
func (t *turn) loop(ctx context.Context) (answer agent.Answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	if len(t.resumed) >= hopeless {
		return agent.Answer{Ending: agent.Broken, Text: t.lang.Text("I started on this many times and was interrupted each time, so I gave up. Please ask in another way.")}, nil
	}
	if answer, ok := asIs(t.task.env.Event); ok {
		return answer, nil
	}
	if t.live != nil {
		t.live.Open()
	}
	var nothing bool
	err = t.patiently(ctx, func() (err error) { nothing, err = t.gather(ctx); return err })
	if err != nil || nothing {
		return agent.Answer{Ending: agent.Answered, Text: scheduler.Silent}, err
	}
	stop := t.typing(ctx)
	defer stop()
	named := t.name(ctx)
	defer named()
	var in agent.Turn
	var refusal string
	err = t.patiently(ctx, func() (err error) { in, refusal, err = t.brief(ctx); return err })
	if err != nil || refusal != "" {
		return t.unworded(agent.Answer{Ending: agent.Budgeted, Text: refusal}), err
	}
	answer, err = t.l.cfg.Agent.Run(ctx, in, t.hooks(ctx))
	return t.unworded(answer), err
}

// patiently does what a turn needs before its first step, which changes nothing,
// again until the store can be reached.
func (t *turn) patiently(ctx context.Context, do func() error) error {
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		err := do()
		if !errors.Is(err, storage.ErrUnavailable) || !sleep.For(ctx, wait) {
			return err
		}
		t.l.cfg.Log.Warn("turn can't begin yet", "turn", t.task.env.Event.Key(), "err", err)
	}
}

// hopeless is a number of journal entries that no turn within its budgets
// has: a turn with more is going in circles.
const hopeless = 1000

// brief puts together what the agent gets.
func (t *turn) brief(ctx context.Context) (in agent.Turn, refusal string, err error) {
	env := t.task.env
	e, who, b := env.Event, env.Who, t.l.cfg.Briefing
	resumed := len(t.resumed) > 0
	if !resumed {
		if refusal, err = b.Refuse(ctx, who); err != nil || refusal != "" {
			return in, refusal, err
		}
	}
	if refusal, err = t.consented(ctx); err != nil || refusal != "" {
		return in, refusal, err
	}
	if t.session.prefix == "" {
		if t.session.prefix, err = b.Prefix(ctx, who); err != nil {
			return in, "", fmt.Errorf("build prefix: %w", err)
		}
		t.prefixed = true
	}
	in = agent.Turn{
		ID: e.Key(), Session: t.ln.key, Prefix: t.session.prefix, History: t.session.history,
		Spoken: spoken(e), Resume: t.resumed, Words: t.lang.Text,
	}
	switch {
	case resumed: // the journal's first entry holds the rest
	case t.consent.Tool != "":
		in.Resume, err = t.carryOut(ctx, in.Prefix)
	default:
		in.Input, in.Block = t.withEarlier(ctx, withGathered(input(e, t.files(ctx)), t.gathered)), t.recall(ctx, in.Prefix)
	}
	if err != nil {
		return in, "", err
	}
	kit, err := b.Kit(ctx, Setting{
		Who: who, Event: e, Session: t.ln.key, Shard: t.shard, Asker: asker{t}, Approved: t.consent.Digest,
		Before: before(in.Block, t.resumed),
	})
	if err != nil {
		return in, "", fmt.Errorf("bind tools: %w", err)
	}
	in.Tools, in.Allow, in.Model, in.Tokens = kit.Tools, kit.Allow, kit.Model, kit.Tokens
	return in, kit.Refusal, nil
}

// recall is the block before the message. A turn goes on without one rather
// than not at all.
func (t *turn) recall(ctx context.Context, prefix string) string {
	block, err := t.l.cfg.Briefing.Block(ctx, t.task.env.Who, t.task.env.Event, prefix)
	if err != nil {
		t.l.cfg.Log.Warn("turn without recall", "err", err)
	}
	return block
}

// before is what a turn has put before the model so far.
func before(block string, resumed []agent.Entry) []agent.Message {
	var results agent.Message
	for _, e := range resumed {
		if e.Begun != nil {
			block = e.Begun.Block
		}
		if e.Ended != nil {
			results.Results = append(results.Results, *e.Ended)
		}
	}
	return []agent.Message{{Role: agent.User, Text: block, Origin: chat.Self}, results}
}

// hooks connect the agent to this turn.
func (t *turn) hooks(ctx context.Context) agent.Hooks {
	h := agent.Hooks{
		Record: t.record,
		Steer:  t.steered,
		Progress: func(label string) {
			t.l.mu.Lock()
			t.run.doing = label
			t.l.mu.Unlock()
		},
		Losing: func(ctx context.Context, dropped []agent.Message) {
			t.l.cfg.Briefing.Losing(ctx, t.task.env.Who, dropped)
		},
	}
	if t.live != nil {
		h.Show = t.live.Show
	}
	return h
}

// record keeps steps before they are used. Those that nothing but the answer
// follows from are held back, and committed with the next step or the finish:
// how the turn was put together, and the model's last message. A crash before
// that costs one more model call and repeats nothing.
func (t *turn) record(ctx context.Context, entries ...agent.Entry) error {
	t.stamp(entries)
	t.held = append(t.held, entries...)
	last := entries[len(entries)-1]
	if m := last.Model; last.Begun != nil || m != nil && len(m.Calls) == 0 {
		return nil
	}
	var unfit error
	t.kept = true
	midway, long := t.midway()
	err := t.l.commit(t.ln.work, func() *storage.Batch {
		b := t.shard.Batch()
		unfit = journal.Record(b, t.task.env.Event.Key(), t.held...)
		if long {
			trace.HandOver(b, midway)
		}
		return b
	})
	t.held = nil
	if long {
		t.l.observe(t.shard.N)
	}
	return errors.Join(err, unfit, ctx.Err())
}

// steered hands the author's new messages to the model. They leave the inbox
// with the finish; until then a crash would give them again.
func (t *turn) steered() []agent.Message {
	t.l.mu.Lock()
	taken := t.run.steer
	t.run.steer = nil
	t.l.mu.Unlock()
	t.drained = append(t.drained, taken...)
	var out []agent.Message
	for _, s := range taken {
		out = append(out, input(s.env.Event, nil))
	}
	return out
}

// typing shows that an answer is on its way, once it takes a moment.
func (t *turn) typing(ctx context.Context) (stop func()) {
	const patience, lasting = 300 * time.Millisecond, 4500 * time.Millisecond
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Add(1)
	timer := time.AfterFunc(patience, func() {
		defer wg.Done()
		for ctx.Err() == nil {
			t.l.cfg.Outbox.Typing(ctx, t.task.env.Event.Address)
			sleep.For(ctx, lasting)
		}
	})
	return func() {
		cancel()
		if timer.Stop() {
			wg.Done()
		}
		wg.Wait()
	}
}
