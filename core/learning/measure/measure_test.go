package measure_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/learning/measure"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/trace"
	"talaria/storage"
	"talaria/storage/teststore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var room = chat.Address{Platform: "test", Chat: "ann"}

// shelf is a library of one skill. It keeps what is recorded.
type shelf struct{ recorded []skill.Use }

func (s *shelf) Find(_ context.Context, p person.Principal, name string) (skill.Skill, error) {
	if name != "brew-tea" {
		return skill.Skill{}, skill.ErrNotFound
	}
	return skill.Skill{Ref: skill.Ref{Scope: skill.OfPerson(p.Person), Name: name}}, nil
}

func (s *shelf) Record(_ context.Context, _ skill.Ref, u skill.Use) (skill.Stats, error) {
	u.Duration = 0
	s.recorded = append(s.recorded, u)
	return skill.Stats{}, nil
}

func (s *shelf) Renew(context.Context, person.Principal) (person.Principal, error) {
	return person.Principal{Person: "ann", Role: person.Member, Direct: true, Place: room}, nil
}

// told counts notices.
type told int

func (t *told) Task(context.Context, learning.Notice) error { *t++; return nil }

func TestUsesAreRecordedOnceAndCorrected(t *testing.T) {
	s := teststore.Memory(t)
	r := learning.New(learning.Config{
		Enabled: true, Store: s, Redactor: trace.NewRedactor(nil), Alike: func(string, string) float64 { return 0 }, Log: slog.New(slog.DiscardHandler),
	})
	books, next := &shelf{}, new(told)
	uses := measure.Uses{Store: s, Library: books, Upkeep: books, People: books, Next: next}
	at := time.Now().UTC().Add(-time.Minute)
	says := func(id, asked string) string {
		at = at.Add(5 * time.Second)
		b := storage.On(person.ShardOf(room))
		trace.HandOver(b, trace.Raw{Session: "s", Place: room, At: at, Turn: &trace.RawTurn{
			ID: id, Who: "ann", Direct: true, Message: id, Began: at.Add(-time.Second), Asked: asked, Answered: "Here is the tea.", Ending: agent.Answered, Tokens: 7,
			Skills: []trace.Use{{Skill: "brew-tea", Revision: 3}, {Skill: "gone-since", Revision: 1}},
		}})
		if _, err := s.Commit(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Catch(t.Context(), storage.ShardOf(room.Platform, room.Workspace, room.Chat)); err != nil {
			t.Fatal(err)
		}
		task := ""
		err := trace.Each(t.Context(), s, person.ShardOf(room), func(x trace.Task) error { task = x.ID; return nil })
		if err == nil {
			err = uses.Task(t.Context(), learning.Notice{Task: task, Place: room})
		}
		if err != nil {
			t.Fatal(err)
		}
		return task
	}
	task := says("t1", "brew some tea")
	says("t2", "no, don't use boiling water, because green tea gets bitter")
	want := []skill.Use{
		{Task: task, Place: room.String(), Number: 3, Success: true, Tokens: 7},
		{Task: task, Place: room.String(), Number: 3, Success: true, Tokens: 14, Corrections: 1},
	}
	if diff := cmp.Diff(want, books.recorded); diff != "" {
		t.Error(diff)
	}
	if *next != 2 {
		t.Errorf("told on %d times", *next)
	}
}

func TestATaskThatIsForgottenIsToldOn(t *testing.T) {
	s := teststore.Memory(t)
	books, next := &shelf{}, new(told)
	uses := measure.Uses{Store: s, Library: books, Upkeep: books, People: books, Next: next}
	if err := uses.Task(t.Context(), learning.Notice{Task: "none", Place: room}); err != nil || *next != 1 || len(books.recorded) > 0 {
		t.Errorf("told %d times, recorded %v, %v", *next, books.recorded, err)
	}
}
