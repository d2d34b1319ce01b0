package outbox_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"talaria/core/chat"
	"talaria/gateway/outbox"
	"talaria/storage/teststore"
)

// moving is a platform whose places are not all where they were.
type moving struct {
	*platform
	refuse map[string]*chat.Error // by address
	tried  []string
}

func (m *moving) Send(ctx context.Context, d chat.Delivery) (chat.Receipt, error) {
	m.tried = append(m.tried, d.Address.String())
	if err := m.refuse[d.Address.String()]; err != nil {
		return chat.Receipt{}, err
	}
	return m.platform.Send(ctx, d)
}

func TestAnAnswerFollowsItsPlace(t *testing.T) {
	for _, c := range []struct {
		name   string
		refuse map[string]*chat.Error
		tried  []string
		counts outbox.Counts
	}{
		{
			"to the place's new id",
			map[string]*chat.Error{"test//c1#7": {Kind: chat.Moved, To: "c2"}},
			[]string{"test//c1#7", "test//c2#7"}, outbox.Counts{Sent: 1},
		},
		{
			"out of a thread that is gone",
			map[string]*chat.Error{"test//c1#7": {Kind: chat.Gone, Thread: true}},
			[]string{"test//c1#7", "test//c1", "test//c1", "test//c1"}, outbox.Counts{Sent: 3}, // with a word on it, in two parts
		},
		{
			"nowhere else where the place is gone",
			map[string]*chat.Error{"test//c1#7": {Kind: chat.Gone}},
			[]string{"test//c1#7"}, outbox.Counts{Failed: 1},
		},
		{
			"nowhere else where only the thread could be written to",
			map[string]*chat.Error{"test//c1#7": {Kind: chat.Gone, Thread: true}, "test//c1": {Kind: chat.NotAllowed}},
			[]string{"test//c1#7", "test//c1"}, outbox.Counts{Failed: 1},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &moving{platform: newPlatform(), refuse: c.refuse}
				r := start(t, teststore.Memory(t), p, outbox.Config{})
				send(t, r, "7")
				r.box.Wait()
				if diff := cmp.Diff(c.tried, p.tried); diff != "" {
					t.Errorf("tried (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff(c.counts, r.box.Counts()); diff != "" {
					t.Errorf("counts (-want +got):\n%s", diff)
				}
				r.die()
			})
		})
	}
}

func TestAnAnswerThatLostItsThreadSaysSoOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &moving{platform: newPlatform(), refuse: map[string]*chat.Error{"test//c1#7": {Kind: chat.Gone, Thread: true}}}
		r := start(t, teststore.Memory(t), p, outbox.Config{})
		words := strings.Repeat("one two ", 10)
		say(t, r, "7", words)
		r.box.Wait()
		if got := strings.Join(p.shown(), ""); got != words+"The thread that this is for is gone or closed, so I say it here." {
			t.Errorf("said %q", got)
		}
		r.die()
	})
}

func TestAnAnswerThatIsSentToAndFroIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &moving{platform: newPlatform(), refuse: map[string]*chat.Error{
			"test//c1": {Kind: chat.Moved, To: "c2"}, "test//c2": {Kind: chat.Moved, To: "c1"},
		}}
		r := start(t, teststore.Memory(t), p, outbox.Config{Patience: time.Minute})
		send(t, r, "")
		r.box.Wait()
		if n := len(p.tried); r.box.Counts().Failed == 0 || n > 100 {
			t.Errorf("tried %d times: %+v", n, r.box.Counts())
		}
		r.die()
	})
}

// send says something in a thread of here.
func send(t *testing.T, r *replica, thread string) {
	t.Helper()
	say(t, r, thread, "hi")
}

func say(t *testing.T, r *replica, thread, words string) {
	t.Helper()
	at := here
	at.Thread = thread
	m := r.box.Compose(outbox.Say{Turn: "t1", Address: at, Post: chat.Post{Markdown: words}})
	b := r.shard.Batch()
	r.box.Queue(b, m)
	if _, err := r.shard.Commit(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	r.box.Send(r.shard, m)
}
