package outbox_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"talaria/core/chat"
	"talaria/gateway/outbox"
	"talaria/storage/teststore"
)

// forgetful is a platform that no longer knows the keys that it was given, and
// whose messages can still be read.
type forgetful struct{ readable }

func (f forgetful) Send(ctx context.Context, d chat.Delivery) (chat.Receipt, error) {
	d.Key += " anew"
	return f.p.Send(ctx, d)
}

// TestHowLongAPlatformKnowsAKeyGoesByTheStoresClock has a replica take up a message
// ten minutes after it was sent, by the store's clock; by the replica's own, which is
// slow, no time has passed.
func TestHowLongAPlatformKnowsAKeyGoesByTheStoresClock(t *testing.T) {
	open, p := teststore.SQLite(t), newPlatform()
	p.limits.Idempotent = 2 * time.Minute
	var r *replica
	p.script = func(int, string) fault {
		return fault{crash: r.crash, err: &chat.Error{Kind: chat.UnknownOutcome, Op: "send"}}
	}
	r = start(t, open(0), readable{p, p, p}, outbox.Config{})
	r.say(t, "t1", "the answer")
	r.box.Wait()
	r.die()
	p.script = func(int, string) fault { return fault{} }
	r = start(t, open(10*time.Minute), forgetful{readable{p, p, p}}, outbox.Config{})
	r.box.Wait()
	r.die()
	if diff := cmp.Diff([]string{"the answer"}, p.shown()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if sent := r.box.Counts(); sent.Unknown > 0 {
		t.Errorf("%d of unknown outcome", sent.Unknown)
	}
}
