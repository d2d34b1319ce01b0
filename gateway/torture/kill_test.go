package torture

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	fake "talaria/adapters/fake/telegram"
	"talaria/core/model/modeltest"
	"talaria/storage/redis/redistest"
)

// verdict is what a run of kills came to.
type verdict struct {
	Kills, Said, Answered, Lost, Doubled, Orphans, Disordered, Strays int
}

func (v verdict) String() string {
	return fmt.Sprintf("kills=%d events=%d answered=%d lost=%d doubled=%d orphans=%d disordered=%d other=%d",
		v.Kills, v.Said, v.Answered, v.Lost, v.Doubled, v.Orphans, v.Disordered, v.Strays)
}

// kills starts the program, puts load on it, and kills it within 100 ms of
// the first event that the platform gave it; again and again. At the end it
// lets the program finish, waits at most for patience, and has the platform's
// record judged. With breathe, it lets all be answered once in that many kills:
// more than a person can have waiting would be refused, visibly.
func kills(t *testing.T, w *world, n, breathe int, patience time.Duration, extra ...string) verdict {
	t.Helper()

	random := rand.New(rand.NewPCG(1, uint64(n)))
	for k := range n {
		for range 8 {
			w.say(1000 + random.Int64N(people))
		}
		before := offered(w)
		p := w.serve(extra...)
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
		if err := w.telegram.Await(ctx, func() bool { return offered(w) > before }); err != nil {
			t.Fatalf("no event reached the program: %v\n%s", err, w.lastLog())
		}
		if breathe > 0 && k%breathe == breathe-1 {
			_ = w.telegram.Await(ctx, func() bool { return len(w.telegram.Tally(w.answers).Lost) == 0 })
		}
		cancel()
		// The moment of the kill is the point of the test, not a wait for something.
		time.Sleep(time.Duration(random.Int64N(int64(100 * time.Millisecond))))
		p.kill()
	}
	p := w.serve(extra...)
	tally := w.settled(patience)
	p.stop()
	others := map[string]int{}
	for _, m := range tally.Strays {
		others[m.Text]++
	}
	for text, times := range others {
		t.Logf("%d times: %s", times, text)
	}
	return verdict{n, tally.Said, tally.Answered, len(tally.Lost), len(tally.Doubled), len(tally.Orphans), len(tally.Disordered), len(tally.Strays)}
}

// offered is how often updates were given to the program.
func offered(w *world) int {
	n := 0
	for _, u := range w.telegram.Updates() {
		n += u.Offered
	}
	return n
}

func count(short, full int) int {
	if long() {
		return full
	}
	return short
}

func TestKillsLoseNothingAndDoubleNothing(t *testing.T) {
	stores := map[string]func(t *testing.T) (url string, extra []string){
		"sqlite": func(*testing.T) (string, []string) { return "sqlite", nil },
		"redis": func(t *testing.T) (string, []string) {
			// A replica that comes back under its name takes its work up at once.
			return redistest.Start(t, redistest.Options{}).URL(), []string{"TALARIA_STORAGE_REPLICA=one"}
		},
	}
	for name, store := range stores {
		t.Run(name, func(t *testing.T) {
			url, extra := store(t)
			w := newWorld(t, url, fake.Options{NoFlood: true}, modeltest.Echo())
			v := kills(t, w, count(15, 300), 10, 90*time.Second, extra...)
			t.Logf("%s %s", name, v)
			if v.Lost > 0 || v.Doubled > 0 || v.Disordered > 0 {
				t.Errorf("%s\n%s", v, w.lastLog())
			}
		})
	}
}

// TestTheHarnessSeesFaults breaks the program on purpose. If one of these
// runs came out clean, the test above would prove nothing.
func TestTheHarnessSeesFaults(t *testing.T) {
	tests := []struct {
		name string
		env  []string
		red  func(verdict) bool
	}{
		{"acknowledged before it is kept", []string{"TALARIA_BREAK=ack-early"}, func(v verdict) bool { return v.Lost > 0 }},
		{"dedupe off", []string{"TALARIA_BREAK=no-dedupe"}, func(v verdict) bool { return v.Doubled > 0 }},
		{"blind resend", []string{"TALARIA_ADAPTERS_TELEGRAM_DELIVERY=plain", "TALARIA_DELIVERY_UNKNOWN=no-loss"}, func(v verdict) bool { return v.Doubled > 0 }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			// Which kill hits is chance, and on some machines few do.
			for range 8 {
				w := newWorld(t, "sqlite", fake.Options{NoFlood: true}, modeltest.Echo())
				v := kills(t, w, count(40, 300), 0, 10*time.Second, tt.env...)
				t.Logf("%s: %s", tt.name, v)
				if tt.red(v) {
					return
				}
			}
			t.Error("broken on purpose, and not seen")
		})
	}
}
