package briefing

import (
	"context"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/core/person"
)

// Losing keeps, from what compaction drops, the person's own statements that
// ask to be remembered: the rest stays findable by search, and only these would
// be missed in the prompt. What a card says already is not added again.
func (b *Briefing) Losing(ctx context.Context, who person.Principal, dropped []agent.Message) {
	handle := memory.For(b.store, who)
	for _, m := range dropped {
		if m.Role != agent.User || m.Origin > chat.Member {
			continue
		}
		statement, ok := asked(m.Text)
		if !ok {
			continue
		}
		if _, err := handle.Add(ctx, memory.Work, statement, memory.Source{Origin: chat.Member, Spoken: m.Text}); err != nil {
			b.log.Debug("dropped message not remembered", "err", err)
		}
	}
}
