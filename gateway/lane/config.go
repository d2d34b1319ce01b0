package lane

import (
	"context"
	"encoding/json"
	"log/slog"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/tool"
	"talaria/gateway/command"
	"talaria/gateway/inbox"
	"talaria/gateway/outbox"
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
