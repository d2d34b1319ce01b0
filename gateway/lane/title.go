package lane

import (
	"context"
	"strings"
	"sync"
	"time"

	"talaria/core/chat"
)

// namingTime bounds the naming of a conversation.
const namingTime = 5 * time.Second

// name names a conversation of one person's, in a thread of its own, after its
// first message, beside the turn. The caller waits with what it returns.
func (t *turn) name(ctx context.Context) (wait func()) {
	e := t.task.env.Event
	titler, ok := t.l.cfg.Adapters[e.Address.Platform].(chat.Titler)
	title := titleOf(e.Text)
	fresh := t.session.state.Turns == 0 && t.session.state.Generation == 0
	if !ok || !fresh || !e.Direct || e.Address.Thread == "" || e.Kind != chat.Message || title == "" {
		return func() {}
	}
	var naming sync.WaitGroup
	naming.Go(func() {
		ctx, cancel := context.WithTimeout(ctx, namingTime)
		defer cancel()
		if err := titler.Title(ctx, e.Address, title); err != nil && ctx.Err() == nil {
			t.l.cfg.Log.Debug("conversation not named", "platform", e.Address.Platform, "err", err)
		}
	})
	return naming.Wait
}

// titleOf is the first line of a message that says something.
func titleOf(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			return line
		}
	}
	return ""
}
