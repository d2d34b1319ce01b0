package outbox_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"talaria/core/chat"
	"talaria/gateway/outbox"
	"talaria/storage"
	"talaria/storage/teststore"

	"github.com/google/go-cmp/cmp"
)

// drafting is a platform that shows drafts until it refuses one.
type drafting struct {
	*platform
	refuse error
	drafts []string
	over   bool
}

func (d *drafting) Drafts(chat.Address) bool { return !d.over }

func (d *drafting) Draft(_ context.Context, de chat.Delivery) error {
	if d.refuse != nil {
		d.over = true
		return d.refuse
	}
	d.drafts = append(d.drafts, unquote(de.Payload))
	return nil
}

func TestAnAnswerGrowsInADraftAndIsSentOnce(t *testing.T) {
	refusal := &chat.Error{Kind: chat.NotAllowed, Op: "draft"}
	for name, c := range map[string]struct {
		refuse  error
		drafts  []string
		halfWay []string // messages
		crash   bool
	}{
		"drafts":                           {nil, []string{"half an ans", "half an answer"}, nil, false},
		"a crash leaves nothing behind":    {nil, []string{"half an ans", "half an answer"}, nil, true},
		"refused: it grows in its message": {refusal, nil, []string{"half an answer"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &drafting{platform: newPlatform(), refuse: c.refuse}
				p.placeholder, p.limits.EditPace = true, time.Second
				store := teststore.Memory(t)
				r := start(t, store, p, outbox.Config{})
				say := outbox.Say{Turn: "t1", Address: here}
				live, err := r.box.Live(t.Context(), store, r.shard, say, false)
				if err != nil {
					t.Fatal(err)
				}
				live.Open()
				live.Show("half an ans")
				time.Sleep(1100 * time.Millisecond)
				live.Show("half an answer")
				time.Sleep(1100 * time.Millisecond)
				synctest.Wait()
				if diff := cmp.Diff(c.drafts, p.drafts); diff != "" {
					t.Errorf("drafts (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff(c.halfWay, p.shown()); diff != "" {
					t.Errorf("half way (-want +got):\n%s", diff)
				}
				if c.crash {
					r.die()
					r = start(t, store, p, outbox.Config{})
					if live, err = r.box.Live(t.Context(), store, r.shard, say, true); err != nil {
						t.Fatal(err)
					}
				}
				say.Post.Markdown = "whole answer"
				err = live.Finish(r.box.Compose(say), func(*storage.Batch) {}, func(build func() *storage.Batch) error {
					_, err := r.shard.Commit(t.Context(), build())
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
				live.Show("too late")
				time.Sleep(5 * time.Second)
				synctest.Wait()
				if diff := cmp.Diff([]string{"whole answer"}, p.shown()); diff != "" || len(p.drafts) != len(c.drafts) {
					t.Errorf("in the end, after %d drafts (-want +got):\n%s", len(p.drafts), diff)
				}
				r.die()
			})
		})
	}
}
