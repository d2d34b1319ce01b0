package outbox

import (
	"errors"
	"strings"
	"time"

	"talaria/core/chat"
	"talaria/gateway/inbox"
	"talaria/gateway/wording"
	"talaria/storage"
)

// line sends what is for one place, one call after the other.
type line struct {
	bot   *bot
	pace  *pace
	queue []job // guarded by Outbox.mu
}

// job is one piece of work of a line. It returns once it is settled, or its
// shard is lost or about to be given up.
type job interface {
	run(o *Outbox, l *line)
	place() chat.Address
	owner() *inbox.Shard
}

// enqueue adds a job to its place's line, and starts the line if it rests.
func (o *Outbox) enqueue(j job) {
	a := j.place()
	b := o.bots[a.Platform]
	if b == nil {
		return // another replica's platform; its rows wait in the store
	}
	j = held{j, j.owner().Hold()}
	key := a.Place().String()
	o.mu.Lock()
	defer o.mu.Unlock()
	l := o.lines[key]
	if l != nil {
		l.queue = append(l.queue, j)
		return
	}
	l = &line{bot: b, pace: o.paceOf(key), queue: []job{j}}
	o.lines[key] = l
	o.wg.Go(func() { o.work(key, l) })
}

func (o *Outbox) work(key string, l *line) {
	for {
		o.mu.Lock()
		if len(l.queue) == 0 {
			delete(o.lines, key)
			if l.pace.free(time.Now()) {
				delete(o.paces, key)
			}
			o.mu.Unlock()
			return
		}
		j := l.queue[0]
		l.queue = l.queue[1:]
		o.mu.Unlock()
		j.run(o, l)
	}
}

// held keeps the shard's lease for a job from its queueing to its end.
type held struct {
	job
	release func()
}

func (h held) run(o *Outbox, l *line) {
	defer h.release()
	h.job.run(o, l)
}

// item is a final message on its way.
type item struct {
	shard     *inbox.Shard
	message   *Message
	state     storage.State
	recovered bool  // taken up from the store: an earlier call may have been made
	live      *Live // what the message was while it grew, if it was
	anew      bool  // its message was lost once, and it is sent as another
}

func (it *item) place() chat.Address { return it.message.Delivery.Address }
func (it *item) owner() *inbox.Shard { return it.shard }

// run drives the message until it is settled. Every call to the platform is
// made by this replica's right to the shard, asked anew each time.
func (it *item) run(o *Outbox, l *line) {
	if it.live != nil {
		it.adoptID(o)
	}
	if it.message.Over != "" && !it.findOver(o) || it.recovered && !it.reconcile(o, l) {
		return
	}
	for attempt := 0; ; attempt++ {
		if !o.await(it.shard, l) {
			return
		}
		err := it.try(o, l)
		switch {
		case err == nil:
			if l.bot.refusal.over() {
				o.cfg.Log.Info("the platform takes the bot's messages again", "platform", it.place().Platform)
			}
			it.settle(o, storage.Sent, it.moved())
			o.tally(func(c *Counts) { c.Sent++ })
			return
		case errors.Is(err, errLost):
			return
		}
		if it.decide(o, l, err, attempt) {
			return
		}
	}
}

// errLost: the shard is another's now, or the row is settled already.
var errLost = errors.New("row is no longer ours")

// adoptID takes over the id that a live message got after its row was made
// final, and keeps it before the edit is made.
func (it *item) adoptID(o *Outbox) {
	id, unclear := it.live.outcome()
	it.recovered = it.recovered || unclear
	if id == "" || it.message.Delivery.Message != "" {
		return
	}
	it.message.Delivery.Message = id
	_ = it.move(o, storage.Sending, false)
}

// findOver takes the id of the message that this one is put into. It is of the
// same line, where it went before. Without one there is nothing to do.
func (it *item) findOver(o *Outbox) bool {
	m := it.message
	m.Delivery.Message = ""
	for n, wait := 0, 50*time.Millisecond; ; {
		row, err := it.shard.Row(it.shard.Context(), PartKey(m.Over, n))
		switch {
		case errors.Is(err, storage.ErrNotFound) && m.Delivery.Message != "":
			return true
		case errors.Is(err, storage.ErrNotFound):
			it.settle(o, storage.Failed, "")
			return false
		case err != nil:
			o.cfg.Log.Debug("outbox waits for the store", "err", err)
			if !it.shard.Sleep(wait) {
				return false
			}
			wait = min(2*wait, 2*time.Second)
			continue
		}
		if part, err := decode(row); err == nil && !part.Fixed && part.Delivery.Message != "" {
			m.Delivery.Message = part.Delivery.Message
		}
		n++
	}
}

// try makes the calls that put the message in place.
func (it *item) try(o *Outbox, l *line) error {
	m := it.message
	ctx := it.shard.Context()
	if m.Delivery.Message == "" && it.safely(l) {
		if err := it.hold(o, l); err != nil {
			return err
		}
		if !o.await(it.shard, l) {
			return errLost
		}
	}
	if m.Delivery.Message != "" {
		_, err := l.bot.editor.Edit(ctx, m.Delivery)
		return err
	}
	if it.state == storage.Queued {
		if err := it.move(o, storage.Sending, true); err != nil {
			return err
		}
	}
	r, err := l.bot.adapter.Send(ctx, m.Delivery)
	m.Delivery.Message = r.Message
	return err
}

// safely reports whether the message goes out as a placeholder and an edit.
func (it *item) safely(l *line) bool {
	return l.bot.placeholder != nil && !it.message.Fixed && it.message.Delivery.Private == nil
}

// hold sends a placeholder and keeps its id.
func (it *item) hold(o *Outbox, l *line) error {
	if err := it.move(o, storage.Sending, false); err != nil {
		return err
	}
	d := it.message.Delivery
	d.Payload = l.bot.placeholder.Payload
	r, err := l.bot.adapter.Send(it.shard.Context(), d)
	if err != nil {
		return err
	}
	it.message.Delivery.Message = r.Message
	return it.move(o, storage.Sending, false)
}

// reconcile finds out what became of a call that an earlier holder may have
// made. It reports whether the message is (still) to be sent.
func (it *item) reconcile(o *Outbox, l *line) bool {
	m := it.message
	if it.state != storage.Sending || m.Delivery.Message != "" {
		return true
	}
	if it.safely(l) {
		o.tally(func(c *Counts) { c.Orphans++ })
		return true
	}
	if o.recognised(l.bot, m) {
		return true
	}
	return it.readBack(o, l)
}

// readBack asks the platform whether an unclear call took effect.
func (it *item) readBack(o *Outbox, l *line) bool {
	if l.bot.finder == nil {
		return it.unclear(o)
	}
	r, found, err := l.bot.finder.Find(it.shard.Context(), it.message.Delivery)
	switch {
	case err != nil:
		return it.unclear(o)
	case !found:
		return true
	}
	it.message.Delivery.Message = r.Message
	if it.message.Live && l.bot.editor != nil {
		return true // what was found is a preview; the answer is put in
	}
	it.settle(o, storage.Sent, "")
	return false
}

// unclear deals with a message that may or may not have been sent. It reports
// whether it is to be sent again.
func (it *item) unclear(o *Outbox) bool {
	if o.cfg.NoLoss || it.message.Notice {
		return true // a notice that comes twice does no harm, silence would
	}
	o.tally(func(c *Counts) { c.Unknown++ })
	it.settle(o, storage.Unknown, it.words("I may have answered this before an interruption. Please ask again if you do not see it."))
	return false
}

// move writes the row's state and value. It waits while the store is
// unavailable and gives up when the shard is lost or the row is settled.
func (it *item) move(o *Outbox, to storage.State, durable bool) error {
	err := o.commit(it.shard, func() *storage.Batch {
		b := it.shard.Batch().Move(it.message.Key(), unsettled, to, it.message, 0)
		if durable {
			b.Durable()
		}
		return b
	})
	if err == nil {
		it.state = to
	}
	return err
}

var unsettled = []storage.State{storage.Queued, storage.Sending}

// moved tells all who read a message where it was not meant to be said why it is
// there. Of the parts of one answer one is enough.
func (it *item) moved() string {
	if !it.message.Moved || it.message.Delivery.Private != nil {
		return ""
	}
	return it.words("The thread that this is for is gone or closed, so I say it here.")
}

// words are the outbox's own, in the language of the message that they are about.
func (it *item) words(english string, args ...any) string {
	return wording.LanguageOf(it.message.Text).Text(english, args...)
}

// about is the turn of a notice: one for all parts that were moved.
func (m *Message) about() string {
	turn := m.Key()
	if cut := strings.LastIndexByte(turn, '/'); m.Moved && cut > 0 {
		turn = turn[:cut] + "/moved"
	}
	return turn + "/notice"
}

// settle ends the row. A notice, if any, is queued in the same step, so that
// nothing ends in silence.
func (it *item) settle(o *Outbox, to storage.State, notice string) {
	m := *it.message
	m.Delivery.Payload = nil // what is settled is not sent again
	if !m.Told {
		m.Text = "" // the transcript has the words
	}
	var told []*Message
	if notice != "" && !m.Notice {
		told = o.Compose(Say{Turn: m.about(), Address: m.Delivery.Address, Post: chat.Post{Markdown: notice}})
		for _, t := range told {
			t.Notice = true
		}
	}
	err := o.commit(it.shard, func() *storage.Batch {
		b := it.shard.Batch().Move(m.Key(), unsettled, to, &m, keep)
		if to == storage.Sent && o.cfg.Sent != nil {
			o.cfg.Sent(b, &m)
		}
		o.Queue(b, told)
		return b
	})
	if err == nil {
		o.Send(it.shard, told)
	}
}

// commit applies a batch, waiting while the store is unavailable.
func (o *Outbox) commit(s *inbox.Shard, build func() *storage.Batch) error {
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		_, err := s.Commit(s.Context(), build())
		switch {
		case err == nil:
			return nil
		case errors.Is(err, storage.ErrConflict), errors.Is(err, storage.ErrFenced), s.Context().Err() != nil:
			return errLost
		case errors.Is(err, storage.ErrInvalid):
			o.cfg.Log.Error("outbox row can't be written", "err", err)
			return errLost
		}
		o.cfg.Log.Warn("outbox waits for the store", "err", err)
		if !s.Sleep(wait) {
			return errLost
		}
	}
}

// await waits until a call may be made, and reports whether this replica may
// make it.
func (o *Outbox) await(s *inbox.Shard, l *line) bool {
	if l.pace.leaves(s) {
		return false
	}
	now := time.Now()
	wait := max(l.pace.reserve(now, l.bot.limits.PerChat), l.bot.pace.reserve(now, l.bot.limits.PerBot))
	if wait > 0 && !l.sleep(s, wait) {
		return false
	}
	for !s.Held() { // until a late renewal is through, or the lease is lost
		if !l.sleep(s, 100*time.Millisecond) {
			return false
		}
	}
	return true
}

// sleep waits with a message at the head of the line, and reports whether it
// is still this owner's to send.
func (l *line) sleep(s *inbox.Shard, d time.Duration) bool {
	if s.Sleep(d) {
		return true
	}
	l.pace.leave(s)
	return false
}
