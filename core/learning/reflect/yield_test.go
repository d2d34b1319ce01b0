package reflect_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/learning/propose"
	"talaria/core/learning/reflect"
	"talaria/core/person"
	"talaria/core/tool"
)

// slow is a proposer that takes its time and counts.
type slow struct{ rules, skills int }

func (s *slow) Rule(ctx context.Context, _ propose.Case, _ propose.Rule) (propose.Result, error) {
	time.Sleep(3 * time.Millisecond)
	s.rules++
	return propose.Result{Line: "a rule"}, nil
}

func (s *slow) Skill(ctx context.Context, _ propose.Case, _ propose.Draft) (propose.Result, error) {
	time.Sleep(3 * time.Millisecond)
	s.skills++
	return propose.Result{Line: "a skill"}, nil
}

// thinks waits as long as a model thinks.
func thinks(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// TestAReviewGivesWayAndLeavesNothingHalfDone interrupts reviews at random
// moments: each is either done whole or has done nothing, and ends within two
// seconds of the message.
func TestAReviewGivesWayAndLeavesNothingHalfDone(t *testing.T) {
	rounds := 100
	if os.Getenv("TALARIA_TORTURE") != "" {
		rounds = 1000
	}
	synctest.Test(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(1, 2))
		m := &model{}
		var takes [2]time.Duration // of the two calls of a review
		m.say = func(ctx context.Context, n int, _ agent.Request) ([]agent.Delta, error) {
			if err := thinks(ctx, takes[n%2]); err != nil {
				return nil, err
			}
			if n%2 == 0 {
				return calls("skill_manage", newSkill), nil
			}
			return answer(oneRule), nil
		}
		p := &slow{}
		w := newWorld(t, m, func(c *reflect.Config) { c.Proposer = p })
		gave, done := 0, 0
		for n := range rounds {
			m.seen = nil
			for i := range takes {
				takes[i] = time.Duration(random.IntN(2000)) * time.Millisecond
			}
			notice := w.task(fmt.Sprintf("20260101T000000Z-%d", n), passes)
			rules, skills := p.rules, p.skills
			over := make(chan error, 1)
			go func() { over <- w.look(notice) }()
			time.Sleep(time.Duration(random.IntN(4500)) * time.Millisecond)
			arrived := time.Now()
			w.reviewer.Arrived(room)
			err := <-over
			if took := time.Since(arrived); took > 2*time.Second {
				t.Fatalf("round %d: it gave way after %s", n, took)
			}
			switch made := [2]int{p.rules - rules, p.skills - skills}; {
			case errors.Is(err, reflect.ErrGaveWay) && made == [2]int{}:
				gave++
			case err == nil && made == [2]int{1, 1}:
				done++
			default:
				t.Fatalf("round %d: half a review: %v, %v", n, made, err)
			}
		}
		if got := len(w.reports()); got != min(done, 100) || gave == 0 || done == 0 {
			t.Errorf("%d reports for %d done, %d gave way", got, done, gave)
		}
		t.Logf("%d done, %d gave way", done, gave)
		w.store.Close()
	})
}

func TestAMessageElsewhereDisturbsNoReview(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &model{say: func(ctx context.Context, _ int, _ agent.Request) ([]agent.Delta, error) {
			if err := thinks(ctx, 5*time.Second); err != nil {
				return nil, err
			}
			return answer(`{"rules":[]}`), nil
		}}
		w := newWorld(t, m)
		n := w.task("20260101T000000Z-1", passes)
		over := make(chan error, 1)
		go func() { over <- w.look(n) }()
		time.Sleep(time.Second)
		w.reviewer.Arrived(chat.Address{Platform: "slack", Workspace: "T1", Chat: "D-bob"})
		if err := <-over; err != nil {
			t.Error(err)
		}
		w.store.Close()
	})
}

// TestAMessageBeforeTheModelIsAskedCounts: a review gives way also while it
// gathers what the model is to read.
func TestAMessageBeforeTheModelIsAskedCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := says(oneRule)
		var w *world
		w = newWorld(t, m, func(c *reflect.Config) {
			skills := c.Skills
			c.Skills = func(p person.Principal) tool.Skills {
				w.reviewer.Arrived(room)
				time.Sleep(5 * time.Second)
				return skills(p)
			}
		})
		if err := w.look(w.task("20260101T000000Z-1", passes)); !errors.Is(err, reflect.ErrGaveWay) || m.calls() != 0 || len(w.reports()) != 0 {
			t.Errorf("%v, %d calls, %d reports", err, m.calls(), len(w.reports()))
		}
		w.store.Close()
	})
}
