package outbox

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"talaria/core/chat"
	"talaria/gateway/inbox"
	"talaria/storage"
)

// Config is what an outbox is made from.
type Config struct {
	Adapters map[string]chat.Adapter // by platform
	// NoLoss has a message of unknown outcome sent again, at the price of a
	// possible double; by default the person is told instead.
	NoLoss bool
	// Patience is how long a message that certainly was not taken is tried
	// again. Zero means a day.
	Patience time.Duration
	// Sent adds to the batch that settles a message that the platform took,
	// under the id that Delivery.Message has. May be nil.
	Sent func(b *storage.Batch, m *Message)
	Log  *slog.Logger
}

// Outbox says what has been queued.
type Outbox struct {
	cfg   Config
	bots  map[string]*bot
	mu    sync.Mutex
	lines map[string]*line // by place, while there is something to send
	paces map[string]*pace // by place, while the platform's wish is remembered
	wg    sync.WaitGroup
	count Counts
	clock clock
}

// Counts tell what became of messages since the start.
type Counts struct {
	Sent, Failed, Unknown, Waits uint64
	Orphans                      uint64 // placeholders whose id was lost
	Waiting                      time.Duration
}

// bot is what all places of one platform share.
type bot struct {
	adapter     chat.Adapter
	editor      chat.Editor
	previewer   chat.Previewer
	placeholder *chat.Part
	drafter     chat.Drafter
	finder      chat.Finder
	typer       chat.Typer
	limits      chat.Limits
	pace        pace
	refusal     refusal
}

// preview is the first message of an answer that is still growing.
func (b *bot) preview(text string) (chat.Part, bool) {
	if b.previewer != nil {
		return b.previewer.Preview(text)
	}
	parts := b.adapter.Render(chat.Post{Markdown: text})
	if len(parts) == 0 || parts[0].Fixed {
		return chat.Part{}, false
	}
	return parts[0], true
}

// New returns an outbox over adapters.
func New(cfg Config) *Outbox {
	if cfg.Patience == 0 {
		cfg.Patience = 24 * time.Hour
	}
	o := &Outbox{cfg: cfg, bots: map[string]*bot{}, lines: map[string]*line{}, paces: map[string]*pace{}}
	for name, a := range cfg.Adapters {
		b := &bot{adapter: a, limits: a.Limits()}
		b.editor, _ = a.(chat.Editor)
		b.finder, _ = a.(chat.Finder)
		b.previewer, _ = a.(chat.Previewer)
		b.typer, _ = a.(chat.Typer)
		b.drafter, _ = a.(chat.Drafter)
		if p, ok := a.(chat.Placeholder); ok && b.editor != nil {
			b.placeholder = p.Placeholder()
		}
		o.bots[name] = b
	}
	return o
}

// Say is something to be said in answer to a turn.
type Say struct {
	Turn        string // key of the turn; with the part's number it is the row's key
	First       int    // number of the first part; zero unless the turn said something before
	Address     chat.Address
	ReplyTo     string
	Post        chat.Post
	Private     *chat.Identity
	Interaction *chat.Interaction
	Silent      bool
	Growth      *chat.Growth // of what is shown live; without it platforms edit
	// Told keeps the words with the row after it is settled, for who looks
	// back at what became of it.
	Told bool
	// Edit is the message that this is put into: the one that holds the
	// buttons, which are below an answer's last part. Where the platform can't
	// edit, it is said anew.
	Edit string
	// Over is the turn whose last message with words this is put into, for who
	// does not know its id: it may not have got one yet. Where that message can't
	// be changed, nothing is said.
	Over string
}

// Compose renders what is to be said into messages, none where nothing may be
// sent or the platform is not connected here. It is pure but for the clock.
func (o *Outbox) Compose(s Say) []*Message {
	b := o.bots[s.Address.Platform]
	if b == nil || s.Over != "" && b.editor == nil {
		return nil
	}
	s.Post.At = s.Address
	parts := b.adapter.Render(s.Post)
	if (s.Edit != "" || s.Over != "") && len(parts) > 0 {
		parts = parts[len(parts)-1:]
	}
	var out []*Message
	for n, part := range parts {
		m := &Message{Text: part.Text, Fixed: part.Fixed, Final: true, Told: s.Told, Since: o.clock.now(), Delivery: chat.Delivery{
			Key: PartKey(s.Turn, s.First+n), Address: s.Address, Payload: part.Payload,
			Silent: s.Silent, Private: s.Private, Interaction: s.Interaction,
		}}
		if n == 0 {
			m.Delivery.ReplyTo = s.ReplyTo
		}
		if b.editor != nil && (s.Edit != "" || s.Over != "") {
			// A card that can't be changed any more is nobody's concern.
			m.Delivery.Message, m.Over, m.Notice = s.Edit, s.Over, true
		}
		out = append(out, m)
	}
	return out
}

// Queue adds messages to a batch, to be committed with whatever made them.
func (o *Outbox) Queue(b *storage.Batch, messages []*Message) {
	for _, m := range messages {
		b.Queue(m.Key(), storage.Queued, m)
	}
}

// Send starts the sending of messages whose batch was committed.
func (o *Outbox) Send(s *inbox.Shard, messages []*Message) {
	for _, m := range messages {
		o.enqueue(&item{shard: s, message: m, state: storage.Queued})
	}
}

// Recover takes up what an earlier holder of the shard left: rows queued or
// half sent. A live message that is not final belongs to a turn that will be
// resumed and is left to it.
func (o *Outbox) Recover(ctx context.Context, store *storage.Store, s *inbox.Shard) error {
	if err := o.clock.set(ctx, store); err != nil {
		return err
	}
	var after uint64
	for {
		const page = 256
		rows, err := store.Rows(ctx, s.Partition(), after, page, storage.Queued, storage.Sending)
		if err != nil {
			return err
		}
		for _, r := range rows {
			after = r.Sequence
			m, err := decode(r)
			if err != nil {
				o.cfg.Log.Error("outbox row set aside; run 'talaria store check'", "err", err)
				continue
			}
			if m.Final {
				o.enqueue(&item{shard: s, message: m, state: r.State, recovered: true})
			}
		}
		if len(rows) < page {
			return nil
		}
	}
}

// Counts returns what became of messages so far.
func (o *Outbox) Counts() Counts {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.count
}

func (o *Outbox) tally(f func(c *Counts)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	f(&o.count)
}

// Idle reports whether nothing is waiting to be sent.
func (o *Outbox) Idle() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.lines) == 0
}

// Wait returns once all senders have stopped; they do when their shards'
// contexts have ended or nothing is left to send.
func (o *Outbox) Wait() { o.wg.Wait() }
