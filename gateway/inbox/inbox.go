package inbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/storage"
)

// Remember is how long an event's keys are known. The longest redelivery of a
// platform is 24 hours; the rest is for replays after an outage.
const Remember = 7 * 24 * time.Hour

// Envelope is an event as it is kept: with who it is from, and with what is
// to be said right away where the event is not to become a turn.
type Envelope struct {
	Event chat.Event       `json:"event"`
	Who   person.Principal `json:"who"`
	Say   *chat.Post       `json:"say,omitempty"`
	// Forget has the shard's owner remove what the shard keeps of a person.
	Forget *person.Subject `json:"forget,omitempty"`
	// Fresh is set on an event that was kept by this process a moment ago, so
	// nothing of its turn can have been recorded before.
	Fresh bool `json:"-"`
}

// Verdict is what the gate makes of an event.
type Verdict struct {
	Take   bool   // keep it
	Reason string // why not, in a word
	Who    person.Principal
	Say    *chat.Post // with Take: the whole answer (a pairing code, a refusal)
	// Event, with Take, is kept in place of what came: a command that turned
	// out to call a skill. Nil keeps what came.
	Event *chat.Event
	// Also is kept after the event: what an edit has become a message of its
	// own by, if the message was not kept before.
	Also *Envelope
}

// Gate decides on an event before it is kept: identity, rights, mention
// gating, bot loops, staleness.
type Gate interface {
	Admit(ctx context.Context, e chat.Event) (Verdict, error)
}

// Inbox keeps events. It is the chat.Handler of all adapters.
type Inbox struct {
	store  *storage.Store
	gate   Gate
	shards *Shards
	log    *slog.Logger
}

// New returns an inbox that keeps events in store and wakes shards.
func New(store *storage.Store, gate Gate, shards *Shards, log *slog.Logger) *Inbox {
	return &Inbox{store: store, gate: gate, shards: shards, log: log}
}

var _ chat.Handler = (*Inbox)(nil)

// Handle keeps an event that is for us. It returns nil for what is kept, known
// already, or refused for good.
func (i *Inbox) Handle(ctx context.Context, e chat.Event) error {
	if e.Key() == "" {
		i.log.WarnContext(ctx, "event without a key refused", "platform", e.Address.Platform, "kind", e.Kind)
		return nil
	}
	v, err := i.gate.Admit(ctx, e)
	if err != nil {
		return fmt.Errorf("admit event %s: %w", e.Key(), err)
	}
	if !v.Take {
		i.log.DebugContext(ctx, "event ignored", "platform", e.Address.Platform, "kind", e.Kind, "reason", v.Reason)
		return nil
	}
	if v.Event != nil {
		e = *v.Event
	}
	if err := i.Keep(ctx, Envelope{Event: e, Who: v.Who, Say: v.Say}); err != nil || v.Also == nil {
		return err
	}
	return i.Keep(ctx, *v.Also)
}

// Keep puts an envelope that has passed the gate into its shard's inbox,
// durably, and wakes whoever works on it. Known keys make it a no-op.
func (i *Inbox) Keep(ctx context.Context, env Envelope) error {
	a := env.Event.Address
	return i.KeepIn(ctx, storage.ShardOf(a.Platform, a.Workspace, a.Chat), env)
}

// KeepIn is Keep for what concerns a shard as a whole.
func (i *Inbox) KeepIn(ctx context.Context, n int, env Envelope) error {
	b := storage.On(storage.Shard(n)).Durable().Receive(env.Event.Keys, env, Remember)
	res, err := i.store.Commit(ctx, b)
	if errors.Is(err, storage.ErrInvalid) && env.Say == nil {
		i.log.WarnContext(ctx, "event refused for good", "platform", env.Event.Address.Platform, "err", err)
		return i.KeepIn(ctx, n, tooMuch(env))
	}
	if err != nil {
		return fmt.Errorf("keep event %s: %w", env.Event.Key(), err)
	}
	if res[0].Known {
		return nil
	}
	if !i.shards.offer(n, res[0].Offset, env) {
		// Best effort: the owner's sweep finds it anyway.
		_ = i.store.Publish(ctx, wakeTopic, []byte(strconv.Itoa(n)))
	}
	return nil
}

// tooMuch is what is kept of an event that can't be: enough to say so.
func tooMuch(env Envelope) Envelope {
	e := env.Event
	env.Event = chat.Event{
		Kind: e.Kind, Keys: e.Keys, At: e.At, Address: e.Address, Direct: e.Direct, Message: e.Message, Author: e.Author,
		Interaction: e.Interaction,
	}
	env.Say = &chat.Post{Markdown: "That was more than I can take in at once, so I left it. Please send less, or a file."}
	return env
}

// open decodes a pending event. Damage is reported, never taken for absence.
func open(p storage.InboxEvent) (Envelope, error) {
	var env Envelope
	if err := json.Unmarshal(p.Value, &env); err != nil {
		return env, fmt.Errorf("pending event %d: %w: %v", p.Sequence, storage.ErrCorrupt, err)
	}
	return env, nil
}
