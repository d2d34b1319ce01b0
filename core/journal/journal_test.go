package journal_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/journal"
	"talaria/storage"
	"talaria/storage/teststore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T) (*storage.Store, storage.Fence) {
	t.Helper()
	s := teststore.File(t)
	f, err := s.Acquire(t.Context(), storage.Shard(7), "me", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return s, f
}

// steps holds every kind of entry.
func steps() []agent.Entry {
	c := agent.Call{ID: "c1", Name: "send", Args: json.RawMessage(`{"to":"\u003cx\u003e"}`)}
	return []agent.Entry{
		{Begun: &agent.Begun{Prefix: "p", Block: "b", Input: agent.Message{Role: agent.User, Text: "hi\u2028", Origin: chat.Member}}},
		{Folded: &agent.Folded{Messages: 3, Summary: agent.Message{Role: agent.User, Text: "s"}}, Usage: &agent.Usage{Input: 3}},
		{Model: &agent.Message{Role: agent.Assistant, Calls: []agent.Call{c}, Opaque: json.RawMessage(`{"k":1}`)}, Usage: &agent.Usage{Output: 9}},
		{Started: &c},
		{Ended: &agent.Outcome{ID: "c1", Name: "send", Text: "sent", Origin: chat.External}, Files: []chat.Upload{{Name: "a", Data: []byte{0, 255}}}},
		{Ended: &agent.Outcome{ID: "c2", Failed: true}, Ask: &agent.Ask{Question: "?", Token: "t"}},
		{Steered: &agent.Message{Role: agent.User, Text: "wait"}},
		{Model: &agent.Message{Role: agent.Assistant, Text: "done"}, Usage: &agent.Usage{}, Ending: agent.Answered},
	}
}

// write keeps entries in a batch of their own.
func write(t *testing.T, s *storage.Store, f storage.Fence, turn string, entries ...agent.Entry) error {
	t.Helper()
	b := storage.Under(f)
	if err := journal.Record(b, turn, entries...); err != nil {
		return err
	}
	_, err := s.Commit(t.Context(), b)
	return err
}

func load(t *testing.T, s *storage.Store, turn string) []agent.Entry {
	t.Helper()
	got, err := journal.Load(t.Context(), s, storage.Shard(7), turn)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestEveryKindOfStepIsReadBackExactly(t *testing.T) {
	s, f := open(t)
	for _, e := range steps() {
		if err := write(t, s, f, "t1", e); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(steps(), load(t, s, "t1")); diff != "" {
		t.Error(diff)
	}
	if other := load(t, s, "t2"); len(other) > 0 {
		t.Errorf("another turn has %d entries", len(other))
	}
}

func TestLongJournalsAreReadWhole(t *testing.T) {
	s, f := open(t)
	for n := range 150 {
		e := agent.Entry{Ended: &agent.Outcome{ID: fmt.Sprint(n)}}
		if err := write(t, s, f, "t1", e); err != nil {
			t.Fatal(err)
		}
	}
	got := load(t, s, "t1")
	if len(got) != 150 || got[149].Ended.ID != "149" {
		t.Errorf("%d entries", len(got))
	}
}

func TestEntryOverTheValueLimitIsKept(t *testing.T) {
	s, f := open(t)
	picture := bytes.Repeat([]byte{1, 2, 3}, 11<<20/10)
	big := agent.Entry{Begun: &agent.Begun{Input: agent.Message{Role: agent.User, Images: []agent.Image{{MIME: "image/png", Data: picture}}}}}
	small := agent.Entry{Steered: &agent.Message{Text: "after"}}
	if err := write(t, s, f, "t1", big, small); err != nil {
		t.Fatal(err)
	}
	got := load(t, s, "t1")
	if len(got) != 2 || got[1].Steered == nil || !bytes.Equal(got[0].Begun.Input.Images[0].Data, picture) {
		t.Errorf("%d entries came back different", len(got))
	}
}

func TestRecordJoinsABatch(t *testing.T) {
	s, f := open(t)
	b := storage.Under(f).Put("answers", "t1", "done", storage.Absent)
	if err := journal.Record(b, "t1", steps()[:2]...); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Commit(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	again := storage.Under(f).Put("answers", "t1", "done", storage.Absent)
	if err := journal.Record(again, "t1", steps()[2]); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Commit(t.Context(), again); !errors.Is(err, storage.ErrConflict) {
		t.Fatalf("error %v", err)
	}
	if got := load(t, s, "t1"); len(got) != 2 {
		t.Errorf("%d entries, the refused batch's included", len(got))
	}
}

func TestStaleHolderCannotWrite(t *testing.T) {
	s, f := open(t)
	if err := s.Release(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Acquire(t.Context(), storage.Shard(7), "another", time.Minute); err != nil {
		t.Fatal(err)
	}
	if err := write(t, s, f, "t1", steps()[0]); !errors.Is(err, storage.ErrFenced) {
		t.Errorf("error %v", err)
	}
}

func TestDeleteLeavesNothing(t *testing.T) {
	s, f := open(t)
	if err := write(t, s, f, "t1", steps()...); err != nil {
		t.Fatal(err)
	}
	b := storage.Under(f)
	journal.Delete(b, "t1")
	if _, err := s.Commit(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	if got := load(t, s, "t1"); len(got) > 0 {
		t.Errorf("%d entries left", len(got))
	}
}

func TestDamageIsNoEmptyJournal(t *testing.T) {
	s, f := open(t)
	b := storage.Under(f).Append("journal/t1", map[string]any{"piece": []byte("{broken")})
	if _, err := s.Commit(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	if _, err := journal.Load(t.Context(), s, storage.Shard(7), "t1"); !errors.Is(err, storage.ErrCorrupt) {
		t.Errorf("error %v", err)
	}
}
