package app

import (
	"context"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/inbox"
)

// usual is how long an event may be under way without anybody wondering: what
// comes sooner needs no looking up.
const usual = time.Minute

// lateGate refuses what somebody said before they asked to be forgotten and what
// comes only now: an adapter put it aside, or a platform brings it again. Refused
// for good, it is erased where it waited.
type lateGate struct {
	inbox.Gate
	directory *person.Directory
}

// Admit implements inbox.Gate.
func (g lateGate) Admit(ctx context.Context, e chat.Event) (inbox.Verdict, error) {
	if e.Author.Identity.ID != "" && time.Since(e.At).Abs() > usual { // from the future: this clock is slow
		at, err := g.directory.Forgotten(ctx, e.Author.Identity)
		if err != nil {
			return inbox.Verdict{}, err
		}
		if e.At.Before(at) {
			return inbox.Verdict{Reason: "its author was forgotten since"}, nil
		}
	}
	return g.Gate.Admit(ctx, e)
}
