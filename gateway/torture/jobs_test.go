package torture

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	fake "talaria/adapters/fake/telegram"
	"talaria/core/chat"
	"talaria/core/model/modeltest"
	"talaria/core/person"
	"talaria/scheduler"
	"talaria/scheduler/when"
	"talaria/storage"
	"talaria/storage/redis"
	"talaria/storage/redis/redistest"
)

// TestJobsOfOneMinuteAreDeliveredOnceEach has two replicas on one Redis and a
// job of each of many people, all due within a minute. The replicas are killed
// in turn, at random, until everybody has heard theirs.
func TestJobsOfOneMinuteAreDeliveredOnceEach(t *testing.T) {
	url := redistest.Start(t, redistest.Options{}).URL()
	w := newWorld(t, url, fake.Options{NoFlood: true}, modeltest.Echo())
	many := count(60, 1000)
	w.acquaint(many)
	first := time.Now().Add(15 * time.Second)
	span := time.Duration(count(5, 60)) * time.Second
	schedule(t, url, many, first, span)
	random := rand.New(rand.NewPCG(3, uint64(many)))
	replicas := []*process{w.serve(), w.serve()}
	time.Sleep(time.Until(first)) // the kills belong to the minute in which jobs are due
	kills := 0
	for ; time.Since(first) < span; kills++ {
		time.Sleep(time.Duration(500+random.IntN(2500)) * time.Millisecond)
		replicas[kills%2].kill()
		replicas[kills%2] = w.serve()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	_ = w.telegram.Await(ctx, func() bool { return len(w.unheard(many)) == 0 })
	for _, r := range replicas {
		r.stop()
	}
	lost, doubled := w.unheard(many), 0
	for n := range many {
		doubled += max(0, w.heard(n)-1)
	}
	t.Logf("jobs=%d kills=%d lost=%d doubled=%d, the last %s after it was due at the earliest",
		many, kills, len(lost), doubled, time.Since(first.Add(span)).Round(time.Second))
	if len(lost) > 0 || doubled > 0 {
		t.Errorf("lost %v, doubled %d\n%s", lost, doubled, w.lastLog())
	}
}

// acquaint has people talk to the bot once: before that no bot may write to them.
func (w *world) acquaint(many int) {
	w.tb.Helper()
	p := w.serve()
	for n := range many {
		w.say(jobPerson(n))
	}
	if t := w.settled(5 * time.Minute); len(t.Lost) > 0 {
		w.tb.Fatalf("%d people were not answered\n%s", len(t.Lost), w.lastLog())
	}
	p.stop()
}

// schedule makes one job of each person, spread over the time.
func schedule(t *testing.T, url string, many int, first time.Time, span time.Duration) {
	t.Helper()
	d, err := redis.Open(t.Context(), url, redis.Options{})
	if err != nil {
		t.Fatal(err)
	}
	store := storage.New(d)
	defer store.Close()
	maker := scheduler.New(scheduler.Config{
		Store: store, People: everybody{}, Log: slog.New(slog.DiscardHandler), Zone: time.UTC,
		Limits: scheduler.Limits{Jobs: 50, Every: time.Minute},
	})
	for n := range many {
		user := chat.Identity{Platform: "telegram", ID: strconv.FormatInt(jobPerson(n), 10)}
		who := person.Principal{
			Person: person.Home(user), Identity: user, Role: person.Member, Direct: true,
			Place: chat.Address{Platform: "telegram", Chat: user.ID},
		}
		w := when.Schedule{Kind: when.Once, Zone: "UTC", At: first.Add(span * time.Duration(n) / time.Duration(many))}
		if _, err := maker.For(who).Add(t.Context(), scheduler.Order{Key: "job", Say: jobWord(n), Schedule: w}); err != nil {
			t.Fatal(err)
		}
	}
}

func jobPerson(n int) int64 { return 50_000 + int64(n) }

func jobWord(n int) string { return fmt.Sprintf("job %d of its own", n) }

// heard is how often a person was told their job's words.
func (w *world) heard(n int) int {
	times := 0
	for _, m := range w.telegram.Sent(jobPerson(n)) {
		if m.Text == jobWord(n) {
			times++
		}
	}
	return times
}

// unheard are the jobs that nobody has heard of.
func (w *world) unheard(many int) (out []int) {
	for n := range many {
		if w.heard(n) == 0 {
			out = append(out, n)
		}
	}
	return out
}

// everybody has the rights they had.
type everybody struct{}

func (everybody) Present(_ context.Context, p person.Principal) (person.Principal, error) {
	return p, nil
}

func (everybody) DirectOf(_ context.Context, p person.Principal) (person.Principal, bool, error) {
	return p, false, nil
}
