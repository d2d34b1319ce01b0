package lane_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/storage"
)

// TestADamagedConversationIsAnsweredAllTheSame has what a session is kept in
// hold something else than it should.
func TestADamagedConversationIsAnsweredAllTheSame(t *testing.T) {
	place := chat.Address{Platform: "test", Chat: "ann"}
	key := person.SessionKey(chat.Event{Address: place, Direct: true}, "ann")
	for part, c := range map[string]struct {
		spoil func(b *storage.Batch)
		want  string
	}{
		"its prefix":     {func(b *storage.Batch) { b.Put("prefix", key, []int{1}, storage.Any) }, "re: two"},
		"its transcript": {func(b *storage.Batch) { b.Append("transcript/"+key+"/0", "no exchange") }, "re: two"},
		"its state":      {func(b *storage.Batch) { b.Put("session", key, "no state", storage.Any) }, "damaged where it is stored"},
	} {
		t.Run(part, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, &model{})
				w.say("ann", "ann", "one")
				time.Sleep(time.Minute)
				w.stop()
				b := storage.On(storage.Shard(storage.ShardOf("test", "", "ann")))
				c.spoil(b)
				if _, err := w.store.Commit(t.Context(), b); err != nil {
					t.Fatal(err)
				}
				w.start(time.Second)
				defer w.stop()
				w.say("ann", "ann", "two")
				time.Sleep(time.Minute)
				if said := w.chats.said("ann"); len(said) != 2 || !strings.Contains(said[1], c.want) {
					t.Errorf("said %q", said)
				}
			})
		})
	}
}
