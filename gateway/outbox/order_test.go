package outbox_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"talaria/core/chat"
	"talaria/gateway/inbox"
	"talaria/gateway/outbox"
	"talaria/storage"
	"talaria/storage/sqlite"
	"talaria/storage/teststore"
)

var (
	firstPart  = strings.Repeat("a", 40)
	secondPart = "and the rest"
)

func TestNothingOvertakesWhatIsLeftToTheNextOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, store := newPlatform(), teststore.Memory(t)
		p.script = func(call int, op string) fault {
			if call == 1 {
				return fault{before: true, err: &chat.Error{Kind: chat.Transient, Op: op}}
			}
			return fault{}
		}
		r := start(t, store, p, outbox.Config{}, func(r *replica) {
			r.drain = time.Minute
			r.closing = func(*inbox.Shard) { r.say(t, "t2", "said while it closes") }
		})
		r.say(t, "t1", firstPart+secondPart)
		synctest.Wait() // the first part waits for another try
		r.die()
		if got := p.shown(); len(got) > 0 {
			t.Errorf("said before the first part: %q", got)
		}
		r = start(t, store, p, outbox.Config{})
		r.box.Wait()
		if diff := cmp.Diff([]string{firstPart, secondPart, "said while it closes"}, p.shown()); diff != "" {
			t.Errorf("shown (-want +got):\n%s", diff)
		}
		r.die()
	})
}

// slowly has the first renewal of a lease take long, on both ways.
type slowly struct {
	storage.Driver
	renewals atomic.Int32
}

func (d *slowly) Renew(ctx context.Context, f storage.Fence, ttl time.Duration) error {
	if d.renewals.Add(1) > 1 {
		return d.Driver.Renew(ctx, f, ttl)
	}
	time.Sleep(2500 * time.Millisecond)
	err := d.Driver.Renew(ctx, f, ttl)
	time.Sleep(4 * time.Second)
	return err
}

func TestWhatIsSaidWhileARenewalIsLateIsSentOnceItIsThrough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, err := sqlite.Open(t.Context(), ":memory:", sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		p := newPlatform()
		r := start(t, storage.New(&slowly{Driver: d}), p, outbox.Config{})
		for r.shard.Held() {
			time.Sleep(10 * time.Millisecond)
		}
		r.say(t, "t1", firstPart+secondPart)
		r.box.Wait()
		if diff := cmp.Diff([]string{firstPart, secondPart}, p.shown()); diff != "" {
			t.Errorf("shown (-want +got):\n%s", diff)
		}
		if r.shard.Context().Err() != nil {
			t.Error("the lease was lost, although its renewal came through")
		}
		r.die()
	})
}
