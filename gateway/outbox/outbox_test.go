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
	"talaria/storage"
	"talaria/storage/teststore"
)

func limited(d time.Duration) fault {
	return fault{before: true, err: &chat.Error{Kind: chat.RateLimited, Op: "send", RetryAfter: d}}
}

func TestAnswers(t *testing.T) {
	long := strings.Repeat("a", 40) + strings.Repeat("b", 10)
	tests := []struct {
		name        string
		placeholder bool
		noLoss      bool
		idempotent  time.Duration
		script      func(call int, op string) fault
		text        string
		want        []string
		counts      outbox.Counts
	}{
		{name: "sent once", text: "hi", want: []string{"hi"}, counts: outbox.Counts{Sent: 1}},
		{name: "parts in order", text: long, want: []string{long[:40], long[40:]}, counts: outbox.Counts{Sent: 2}},
		{name: "by placeholder and edit", placeholder: true, text: "hi", want: []string{"hi"}, counts: outbox.Counts{Sent: 1}},
		{
			name: "rate limited, then sent", text: "hi", want: []string{"hi"},
			script: func(call int, _ string) fault {
				if call == 1 {
					return limited(7 * time.Second)
				}
				return fault{}
			},
			counts: outbox.Counts{Sent: 1, Waits: 1, Waiting: 7 * time.Second},
		},
		{
			name: "an edit of unknown outcome is repeated", placeholder: true, text: "hi", want: []string{"hi"},
			script: func(call int, op string) fault {
				if call == 2 {
					return fault{err: &chat.Error{Op: op}}
				}
				return fault{}
			},
			counts: outbox.Counts{Sent: 1},
		},
		{
			name: "a placeholder of unknown outcome is an orphan", placeholder: true, text: "hi", want: []string{dots, "hi"},
			script: func(call int, op string) fault {
				if call == 1 {
					return fault{err: &chat.Error{Op: op}}
				}
				return fault{}
			},
			counts: outbox.Counts{Sent: 1, Orphans: 1},
		},
		{
			name: "a send of unknown outcome is told, not repeated", text: "hi",
			want: []string{"hi", "I may have answered this before an inter", "ruption. Please ask again if you do not ", "see it."},
			script: func(call int, op string) fault {
				if call == 1 {
					return fault{err: &chat.Error{Op: op}}
				}
				return fault{}
			},
			counts: outbox.Counts{Sent: 3, Unknown: 1},
		},
		{
			name: "a send of unknown outcome is repeated where the operator prefers it", noLoss: true, text: "hi", want: []string{"hi", "hi"},
			script: func(call int, op string) fault {
				if call == 1 {
					return fault{err: &chat.Error{Op: op}}
				}
				return fault{}
			},
			counts: outbox.Counts{Sent: 1},
		},
		{
			name: "a send of unknown outcome is repeated where the platform knows the key", idempotent: time.Minute, text: "hi", want: []string{"hi"},
			script: func(call int, op string) fault {
				if call == 1 {
					return fault{err: &chat.Error{Op: op}}
				}
				return fault{}
			},
			counts: outbox.Counts{Sent: 1},
		},
		{
			name: "a refused message is told", text: "hi",
			want: []string{"I could not deliver my answer: the platf"[:40], "orm refused it (permanent)."},
			script: func(call int, op string) fault {
				if call == 1 {
					return fault{before: true, err: &chat.Error{Kind: chat.Permanent, Op: op}}
				}
				return fault{}
			},
			counts: outbox.Counts{Sent: 2, Failed: 1},
		},
		{
			name: "a place that the bot may not write to is left at once", text: "hi",
			script: func(_ int, op string) fault {
				return fault{before: true, err: &chat.Error{Kind: chat.NotAllowed, Op: op}}
			},
			counts: outbox.Counts{Failed: 1},
		},
		{
			name: "a bot that is refused as a whole is tried until somebody mends it", text: "hi", want: []string{"hi"},
			script: func(call int, op string) fault {
				if call < 30 {
					return fault{before: true, err: &chat.Error{Kind: chat.NotAllowed, Op: op, Whole: true}}
				}
				return fault{}
			},
			counts: outbox.Counts{Sent: 1},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPlatform()
				p.placeholder, p.limits.Idempotent = tt.placeholder, tt.idempotent
				if tt.script != nil {
					p.script = tt.script
				}
				r := start(t, teststore.Memory(t), p, outbox.Config{NoLoss: tt.noLoss})
				r.say(t, "t1", tt.text)
				r.box.Wait()
				if diff := cmp.Diff(tt.want, p.shown()); diff != "" {
					t.Errorf("shown (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff(tt.counts, r.box.Counts()); diff != "" {
					t.Errorf("counts (-want +got):\n%s", diff)
				}
				unsettled, err := r.store.Rows(t.Context(), r.shard.Partition(), 0, 10, storage.Queued, storage.Sending)
				if err != nil || len(unsettled) > 0 {
					t.Errorf("unsettled rows: %v, %v", unsettled, err)
				}
				r.die()
			})
		})
	}
}

func TestOneChatsFloodWaitDelaysNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlatform()
		p.script = func(call int, _ string) fault {
			if call == 1 {
				return limited(time.Minute)
			}
			return fault{}
		}
		r := start(t, teststore.Memory(t), p, outbox.Config{})
		r.say(t, "t1", "slow")
		synctest.Wait()

		other := here
		other.Chat = "c2"
		m := r.box.Compose(outbox.Say{Turn: "t2", Address: other, Post: chat.Post{Markdown: "quick"}})
		b := r.shard.Batch()
		r.box.Queue(b, m)
		if _, err := r.shard.Commit(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		r.box.Send(r.shard, m)
		synctest.Wait()
		if diff := cmp.Diff([]string{"quick"}, p.shown()); diff != "" {
			t.Errorf("shown within the other chat's wait (-want +got):\n%s", diff)
		}
		r.box.Wait()
		if diff := cmp.Diff([]string{"quick", "slow"}, p.shown()); diff != "" {
			t.Errorf("shown in the end (-want +got):\n%s", diff)
		}
		r.die()
	})
}

func TestAWaitIsKeptWhoeverWasToldIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlatform()
		p.script = func(_ int, op string) fault {
			if op == "typing" {
				return limited(30 * time.Second)
			}
			return fault{}
		}
		r := start(t, teststore.Memory(t), p, outbox.Config{})
		r.box.Typing(t.Context(), here)
		r.say(t, "t1", "hi")
		time.Sleep(29 * time.Second)
		r.box.Typing(t.Context(), here)
		if p.calls != 1 || len(p.shown()) > 0 {
			t.Errorf("%d calls, shown %q, although the platform asked to wait", p.calls, p.shown())
		}
		r.box.Wait()
		if diff := cmp.Diff([]string{"hi"}, p.shown()); diff != "" {
			t.Errorf("shown after the wait (-want +got):\n%s", diff)
		}
		r.die()
	})
}

func TestLivePreviewBecomesTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlatform()
		p.placeholder, p.limits.EditPace = true, time.Second
		r := start(t, teststore.Memory(t), p, outbox.Config{})
		say := outbox.Say{Turn: "t1", Address: here}
		live, err := r.box.Live(t.Context(), r.store, r.shard, say, false)
		if err != nil {
			t.Fatal(err)
		}
		commit := func(build func() *storage.Batch) error {
			_, err := r.shard.Commit(t.Context(), build())
			return err
		}
		live.Open()
		synctest.Wait()
		if diff := cmp.Diff([]string{dots}, p.shown()); diff != "" {
			t.Errorf("before the first words (-want +got):\n%s", diff)
		}
		live.Show("half an ans")
		time.Sleep(1100 * time.Millisecond)
		if diff := cmp.Diff([]string{"half an ans"}, p.shown()); diff != "" {
			t.Errorf("half way (-want +got):\n%s", diff)
		}
		live.Show("half an answer, and a bit")
		say.Post.Markdown = "whole answer"
		if err := live.Finish(r.box.Compose(say), func(*storage.Batch) {}, commit); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Second)
		if diff := cmp.Diff([]string{"whole answer"}, p.shown()); diff != "" {
			t.Errorf("in the end (-want +got):\n%s", diff)
		}
		r.die()
	})
}

func TestACardIsChangedWhereItsButtonsAre(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlatform()
		r := start(t, teststore.Memory(t), p, outbox.Config{})
		first, last := strings.Repeat("a", 40), "may I? (buttons)"
		r.say(t, "t1", first+last)
		synctest.Wait()
		card := func(turn, text string) {
			m := r.box.Compose(outbox.Say{Turn: turn, Address: here, Post: chat.Post{Markdown: text}, Edit: p.order[1]})
			b := r.shard.Batch()
			r.box.Queue(b, m)
			if _, err := r.shard.Commit(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			r.box.Send(r.shard, m)
			time.Sleep(time.Second)
		}
		card("p1", first+"may I? Yes.")
		if diff := cmp.Diff([]string{first, "may I? Yes."}, p.shown()); diff != "" {
			t.Errorf("after the press (-want +got):\n%s", diff)
		}
		p.script = func(int, string) fault {
			return fault{before: true, err: &chat.Error{Kind: chat.Permanent, Op: "edit"}}
		}
		card("p2", "gone")
		if diff := cmp.Diff([]string{first, "may I? Yes."}, p.shown()); diff != "" {
			t.Errorf("a card that can't be changed is told of (-want +got):\n%s", diff)
		}
		r.die()
	})
}

func TestACardIsChangedBeforeItsIdIsKnown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlatform()
		r := start(t, teststore.Memory(t), p, outbox.Config{})
		first := strings.Repeat("a", 40)
		var all []*outbox.Message
		for _, s := range []outbox.Say{
			{Turn: "t1", Post: chat.Post{Markdown: first + "may I? (buttons)"}},
			{Turn: "p1", Post: chat.Post{Markdown: "may I? No."}, Over: "t1"},
			{Turn: "p2", Post: chat.Post{Markdown: "never asked"}, Over: "none"},
		} {
			s.Address = here
			all = append(all, r.box.Compose(s)...)
		}
		b := r.shard.Batch()
		r.box.Queue(b, all)
		if _, err := r.shard.Commit(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		r.box.Send(r.shard, all)
		time.Sleep(5 * time.Second)
		if diff := cmp.Diff([]string{first, "may I? No."}, p.shown()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		r.die()
	})
}

// readable is a platform without placeholders that can be read back.
type readable struct {
	chat.Adapter
	chat.Editor
	p *platform
}

// Find implements chat.Finder.
func (r readable) Find(_ context.Context, d chat.Delivery) (chat.Receipt, bool, error) {
	r.p.mu.Lock()
	defer r.p.mu.Unlock()
	id := r.p.byKey[d.Key]
	return chat.Receipt{Message: id}, id != "", nil
}

func TestAPreviewWhoseIDACrashTookIsFoundAgain(t *testing.T) {
	for _, taken := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			p, store := newPlatform(), teststore.Memory(t)
			p.limits.EditPace = time.Second
			var r *replica
			p.script = func(call int, _ string) fault {
				if call == 1 {
					return fault{crash: r.crash, err: &chat.Error{Kind: chat.UnknownOutcome, Op: "send"}, before: !taken}
				}
				return fault{}
			}
			r = start(t, store, readable{p, p, p}, outbox.Config{})
			say := outbox.Say{Turn: "t1", Address: here, Growth: &chat.Growth{After: "q"}}
			live, err := r.box.Live(t.Context(), store, r.shard, say, false)
			if err != nil {
				t.Fatal(err)
			}
			live.Show("half an ans")
			time.Sleep(3 * time.Second)
			r.die()
			r = start(t, store, readable{p, p, p}, outbox.Config{})
			if live, err = r.box.Live(t.Context(), store, r.shard, say, true); err != nil {
				t.Fatal(err)
			}
			say.Post.Markdown = "whole answer"
			err = live.Finish(r.box.Compose(say), func(*storage.Batch) {}, func(build func() *storage.Batch) error {
				_, err := r.shard.Commit(t.Context(), build())
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(5 * time.Second)
			if diff := cmp.Diff([]string{"whole answer"}, p.shown()); diff != "" {
				t.Errorf("taken: %v (-want +got):\n%s", taken, diff)
			}
			r.die()
		})
	}
}
