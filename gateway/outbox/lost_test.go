package outbox_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"talaria/core/chat"
	"talaria/gateway/outbox"
	"talaria/storage"
	"talaria/storage/teststore"
)

func TestAnAnswerWhosePreviewIsLostWhileItWaitsIsSentAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlatform()
		p.limits.EditPace = time.Second
		edits := 0
		p.script = func(_ int, op string) fault {
			if op != "edit" {
				return fault{}
			}
			if edits++; edits == 1 {
				return limited(7 * time.Second)
			}
			return fault{before: true, err: &chat.Error{Kind: chat.Permanent, Op: op}}
		}
		r := start(t, teststore.Memory(t), readable{p, p, p}, outbox.Config{})
		say := outbox.Say{Turn: "t1", Address: here}
		live, err := r.box.Live(t.Context(), r.store, r.shard, say, false)
		if err != nil {
			t.Fatal(err)
		}
		live.Show("half an ans")
		time.Sleep(3 * time.Second)
		say.Post.Markdown = "whole answer"
		err = live.Finish(r.box.Compose(say), func(*storage.Batch) {}, func(build func() *storage.Batch) error {
			_, err := r.shard.Commit(t.Context(), build())
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		r.box.Wait()
		if diff := cmp.Diff([]string{"half an ans", "whole answer"}, p.shown()); diff != "" {
			t.Errorf("shown (-want +got):\n%s", diff)
		}
		r.die()
	})
}

// filing sends files, which the place takes none of.
type filing struct{ *platform }

func (f filing) Render(p chat.Post) []chat.Part {
	if len(p.Files) > 0 {
		return []chat.Part{{Payload: quoted("file"), Text: "file", Fixed: true}}
	}
	return f.platform.Render(p)
}

func TestAFileThatAPlaceDoesNotTakeIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlatform()
		p.script = func(call int, op string) fault {
			if call == 1 {
				return fault{before: true, err: &chat.Error{Kind: chat.NotAllowed, Op: op}}
			}
			return fault{}
		}
		r := start(t, teststore.Memory(t), filing{p}, outbox.Config{})
		m := r.box.Compose(outbox.Say{Turn: "t1", Address: here, Post: chat.Post{Files: []chat.Upload{{Name: "a"}}}})
		b := r.shard.Batch()
		r.box.Queue(b, m)
		if _, err := r.shard.Commit(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		r.box.Send(r.shard, m)
		r.box.Wait()
		if len(p.shown()) == 0 {
			t.Error("nobody is told")
		}
		r.die()
	})
}
