package outbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"talaria/core/chat"
	"talaria/gateway/inbox"
	"talaria/storage"
)

// Live is the message of an answer's first part while the answer grows.
type Live struct {
	o     *Outbox
	bot   *bot
	shard *inbox.Shard

	mu      sync.Mutex
	message *Message
	opened  bool   // its place in the line is taken: the final message follows it
	begun   bool   // its row is in the store
	latest  string // the answer as far as it has come
	shown   json.RawMessage
	final   bool // nothing of the preview is sent any more
	unclear bool // a first send may or may not have been taken
	drafted bool // it is shown as a draft, and no message yet
	timer   *time.Timer
	edited  time.Time
}

// Live returns the live message of a turn, nil where the platform can't edit.
// A turn that is resumed gets the message that it had before.
func (o *Outbox) Live(ctx context.Context, store *storage.Store, s *inbox.Shard, say Say, resumed bool) (*Live, error) {
	b := o.bots[say.Address.Platform]
	if b == nil || b.editor == nil || say.Private != nil {
		return nil, nil
	}
	if _, can := b.adapter.(chat.Placeholder); can && b.placeholder == nil {
		return nil, nil // set to send whole answers only
	}
	l := &Live{o: o, bot: b, shard: s, message: &Message{Live: true, Since: o.clock.now(), Delivery: chat.Delivery{
		Key: PartKey(say.Turn, say.First), Address: say.Address, ReplyTo: say.ReplyTo, Silent: say.Silent, Growth: say.Growth,
	}}}
	l.drafted = b.drafter != nil && b.drafter.Drafts(say.Address)
	if !resumed {
		return l, nil
	}
	row, err := store.Row(ctx, s.Partition(), l.message.Key())
	if errors.Is(err, storage.ErrNotFound) {
		return l, nil
	}
	if err != nil {
		return nil, err
	}
	m, err := decode(row)
	if err != nil {
		return nil, err
	}
	l.message, l.begun, l.drafted = m, true, false
	l.unclear = m.Delivery.Message == "" // sent before the crash, or not
	return l, nil
}

// Open shows the placeholder, where one is to be shown before the answer
// begins. Its row comes with its id: until then a crash leaves an orphan
// placeholder, whatever is written before.
func (l *Live) Open() {
	if l.bot.placeholder == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open()
}

// open is Open with mu held. What is shown as a draft has no placeholder until
// the answer is sent.
func (l *Live) open() {
	if l.drafted || l.final {
		return
	}
	l.opened = true
	if l.message.Delivery.Message == "" {
		l.o.enqueue(opening{l})
	}
}

// Show has the answer's beginning shown as far as it has come, at the
// platform's pace. It returns at once.
func (l *Live) Show(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.latest = text
	if l.final || l.timer != nil || text == "" {
		return
	}
	pace := max(l.bot.limits.EditPace, 0)
	if l.edited.IsZero() {
		l.edited = time.Now() // the first look comes one pace after the first words
	}
	l.timer = time.AfterFunc(max(0, time.Until(l.edited.Add(pace))), func() { l.o.enqueue(preview{l}) })
}

// Shown is the answer as far as it has come.
func (l *Live) Shown() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.latest
}

// Finish makes the answer final: it has what add adds committed together with
// the answer's parts, and starts the sending. The lock is held over the
// commit, so that an id that arrives meanwhile is neither lost nor written
// over. The one operation that may be refused comes first, which spares the
// store a point to go back to.
func (l *Live) Finish(messages []*Message, add func(*storage.Batch), commit func(func() *storage.Batch) error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	live := (l.opened || l.begun) && len(messages) > 0
	if live {
		first := messages[0]
		first.Live, first.Since = true, l.message.Since
		first.Delivery.Message = l.message.Delivery.Message
		if g := l.message.Delivery.Growth; g != nil {
			first.Delivery.Growth = &chat.Growth{For: g.For, After: g.After, Whole: true}
		}
	}
	err := commit(func() *storage.Batch {
		b := l.shard.Batch()
		rest := messages
		if live {
			l.put(b, messages[0])
			rest = messages[1:]
		}
		l.o.Queue(b, rest)
		add(b)
		return b
	})
	if err != nil {
		return err
	}
	l.stop()
	for n, m := range messages {
		it := &item{shard: l.shard, message: m, state: storage.Queued}
		if n == 0 && live {
			it.live, it.state = l, storage.Sending
		}
		l.o.enqueue(it)
	}
	return nil
}

// put writes the live message's row, which may be there. Called with mu held.
func (l *Live) put(b *storage.Batch, m *Message) {
	if l.begun {
		b.Move(m.Key(), unsettled, storage.Sending, m, 0)
		return
	}
	b.Queue(m.Key(), storage.Sending, m)
}

// Abandon ends the preview without an answer; the turn will be resumed.
func (l *Live) Abandon() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stop()
}

func (l *Live) stop() {
	l.final = true
	if l.timer != nil {
		l.timer.Stop()
	}
}

// outcome is the id that the platform gave, and whether a call was made that
// may or may not have given one.
func (l *Live) outcome() (id string, unclear bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.message.Delivery.Message, l.unclear
}

// got keeps the id that the platform gave. After Finish it only notes it: the
// final message keeps it with its own row.
func (l *Live) got(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.message.Delivery.Message = id
	if l.final {
		return
	}
	err := l.o.commit(l.shard, func() *storage.Batch {
		b := l.shard.Batch()
		l.put(b, l.message)
		return b
	})
	l.begun = l.begun || err == nil
}

// opening sends a live message's placeholder.
type opening struct{ l *Live }

func (j opening) place() chat.Address { return j.l.message.Delivery.Address }
func (j opening) owner() *inbox.Shard { return j.l.shard }

func (j opening) run(o *Outbox, line *line) {
	l := j.l
	if !o.await(l.shard, line) {
		return
	}
	l.mu.Lock()
	d := l.message.Delivery
	l.mu.Unlock()
	d.Payload = l.bot.placeholder.Payload
	r, err := l.bot.adapter.Send(l.shard.Context(), d)
	if err == nil {
		l.got(r.Message)
		return
	}
	// The answer itself tries again, with all its patience.
	l.o.slowed(line, err)
	o.cfg.Log.Debug("placeholder not shown", "err", err)
}

// preview edits the live message, or sends it where there is none yet.
type preview struct{ l *Live }

func (j preview) place() chat.Address { return j.l.message.Delivery.Address }
func (j preview) owner() *inbox.Shard { return j.l.shard }

func (j preview) run(o *Outbox, line *line) {
	l := j.l
	d, ok := l.next(line)
	if !ok || !l.shard.Held() {
		return
	}
	if d.Message == "" {
		l.begin(o, line, d)
		return
	}
	if _, err := l.bot.editor.Edit(l.shard.Context(), d); err != nil {
		o.slowed(line, err)
	}
}

// next returns what is to be shown now, if anything is.
func (l *Live) next(line *line) (chat.Delivery, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.timer = nil
	l.edited = time.Now()
	if l.final || !line.pace.free(l.edited) || !l.bot.pace.free(l.edited) {
		return chat.Delivery{}, false
	}
	part, ok := l.bot.preview(l.latest)
	if !ok || bytes.Equal(part.Payload, l.shown) {
		return chat.Delivery{}, false
	}
	if l.bot.placeholder != nil && !l.drafted && l.message.Delivery.Message == "" {
		return chat.Delivery{}, false // no placeholder yet: the final edit will do
	}
	l.shown = part.Payload
	d := l.message.Delivery
	d.Payload = l.shown
	return d, true
}

// begin shows the beginning of an answer that has no message yet.
func (l *Live) begin(o *Outbox, line *line, d chat.Delivery) {
	l.mu.Lock()
	drafted := l.drafted
	l.mu.Unlock()
	if !drafted {
		l.first(o, d)
		return
	}
	err := l.bot.drafter.Draft(l.shard.Context(), d)
	o.slowed(line, err)
	if err == nil || l.bot.drafter.Drafts(d.Address) {
		return
	}
	o.cfg.Log.Info("drafts are refused; the answer grows in its message", "platform", d.Address.Platform, "err", err)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.drafted = false
	l.open()
}

// first sends the beginning of an answer as a new message. Its row is there
// before, so that a crash can find it by its key.
func (l *Live) first(o *Outbox, d chat.Delivery) {
	l.mu.Lock()
	if l.final {
		l.mu.Unlock()
		return
	}
	err := o.commit(l.shard, func() *storage.Batch {
		return l.shard.Batch().Queue(l.message.Key(), storage.Sending, l.message)
	})
	l.begun = l.begun || err == nil
	l.mu.Unlock()
	if err != nil {
		return
	}
	r, err := l.bot.adapter.Send(l.shard.Context(), d)
	if err == nil {
		l.got(r.Message)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unclear = chat.KindOf(err) == chat.UnknownOutcome
}

// slowed notes a platform's wish to wait.
func (o *Outbox) slowed(l *line, err error) {
	var e *chat.Error
	if !errors.As(err, &e) || e.Kind != chat.RateLimited {
		return
	}
	wait := max(e.RetryAfter, time.Second)
	o.tally(func(c *Counts) { c.Waits++; c.Waiting += wait })
	if e.Whole {
		l.bot.pace.limited(time.Now(), wait)
		return
	}
	l.pace.limited(time.Now(), wait)
}
