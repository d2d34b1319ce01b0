package briefing

import (
	"context"
	_ "embed"
	"log/slog"
	"strings"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/tool"
	"talaria/gateway/inbox"
	"talaria/gateway/lane"
	"talaria/storage"
)

//go:embed persona.md
var persona string

// Briefing implements lane.Briefing.
type Briefing struct {
	store *storage.Store
	tools *tool.Set
	meter *Meter
	log   *slog.Logger
}

var _ lane.Briefing = (*Briefing)(nil)

// New returns a briefing. The meter is run by the caller.
func New(store *storage.Store, tools *tool.Set, meter *Meter, log *slog.Logger) *Briefing {
	return &Briefing{store: store, tools: tools, meter: meter, log: log}
}

// Prefix is the persona.
func (b *Briefing) Prefix(ctx context.Context, who person.Principal) (string, error) {
	return strings.TrimSpace(persona), nil
}

// Block is what is recalled for a message.
func (b *Briefing) Block(ctx context.Context, who person.Principal, e chat.Event) (string, error) {
	return "", nil
}

// Kit binds the tools to the principal.
func (b *Briefing) Kit(ctx context.Context, who person.Principal, session string, s *inbox.Shard) (lane.Kit, error) {
	tools, allow := b.tools.Bind(tool.Binding{Principal: who})
	return lane.Kit{Tools: tools, Allow: allow}, nil
}

// Keep files an attachment with the conversation.
func (b *Briefing) Keep(ctx context.Context, who person.Principal, session string, s *inbox.Shard, a chat.Attachment, data []byte) error {
	return nil
}

// Index adds a finished exchange to the search index.
func (b *Briefing) Index(batch *storage.Batch, who person.Principal, session string, x lane.Exchange) {
}

// Spent books what a turn used.
func (b *Briefing) Spent(who person.Principal, u agent.Usage) { b.meter.Spent(who.Person, u) }

// Refuse says so where the day's budget is used up.
func (b *Briefing) Refuse(ctx context.Context, who person.Principal) (string, error) {
	over, err := b.meter.Over(ctx, who.Person)
	if err != nil || !over {
		return "", err
	}
	return "You have used up today's budget with me. It starts anew at midnight UTC; `/usage` shows it, and an admin can raise it.", nil
}

// Losing is offered what compaction drops.
func (b *Briefing) Losing(ctx context.Context, who person.Principal, dropped []agent.Message) {}
