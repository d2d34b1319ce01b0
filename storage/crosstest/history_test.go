package crosstest_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"talaria/storage"
	"talaria/storage/fault"
	"talaria/storage/redis/redistest"
)

const (
	clients = 6
	calls   = 40 // of each client, refused ones not counted
	keep    = 24 * time.Hour
)

// outcome is what a call said, in the words that the models understand.
type outcome struct {
	err     error // of the contract, or errUnknown
	number  uint64
	text    string
	granted bool
}

// errUnknown stands for every error that leaves the outcome of a write open.
var errUnknown = errors.New("unknown outcome")

// caller draws a call at random, makes it and returns it with its outcome.
type caller func(ctx context.Context, d storage.Driver, random *rand.Rand) (input any, out outcome, err error)

// record lets several clients call a driver and returns the history.
func record(t *testing.T, d storage.Driver, call caller) []porcupine.Operation {
	t.Helper()
	start := time.Now()
	histories := make([][]porcupine.Operation, clients)
	var wg sync.WaitGroup
	for client := range clients {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(client), 7))
			for len(histories[client]) < calls && t.Context().Err() == nil {
				op := porcupine.Operation{ClientId: client, Call: time.Since(start).Nanoseconds()}
				input, out, err := call(t.Context(), d, random)
				op.Input, op.Output, op.Return = input, out, time.Since(start).Nanoseconds()
				switch {
				case errors.Is(err, storage.ErrUnavailable):
					// Without effect, as the history must bear out. A client
					// that is refused waits before it tries again.
					time.Sleep(5 * time.Millisecond)
					continue
				case err != nil && kind(err) == err:
					// It may have its effect at any time from now on, or none.
					op.Output, op.Return = outcome{err: errUnknown}, math.MaxInt64
				case err != nil:
					op.Output = outcome{err: kind(err)}
				}
				histories[client] = append(histories[client], op)
			}
		})
	}
	wg.Wait()
	var all []porcupine.Operation
	for _, h := range histories {
		all = append(all, h...)
	}
	return all
}

// stores are what the clients work on: each driver as it is, and each under
// the faults it may meet.
func stores(t *testing.T) map[string]func(*testing.T) storage.Driver {
	return map[string]func(*testing.T) storage.Driver{
		"redis": func(t *testing.T) storage.Driver { return openRedis(t, server.URL(), "linear-"+unique(), 0) },
		"sqlite": func(t *testing.T) storage.Driver {
			return openSQLite(t, filepath.Join(t.TempDir(), "store.db"), 0)
		},
		"redis over a bad line": overBadLine,
		"redis that crashes":    crashing,
		"redis with faults": func(t *testing.T) storage.Driver {
			return faulty(openRedis(t, server.URL(), "linear-"+unique(), 0))
		},
		"sqlite with faults": func(t *testing.T) storage.Driver {
			return faulty(openSQLite(t, filepath.Join(t.TempDir(), "store.db"), 0))
		},
	}
}

func faulty(d storage.Driver) storage.Driver {
	return fault.Wrap(d, 11,
		fault.Rule{Chance: 0.05, Fault: fault.LostAfter()},
		fault.Rule{Chance: 0.05, Fault: fault.LostBefore()},
		fault.Rule{Chance: 0.05, Fault: fault.Unavailable()},
		fault.Rule{Chance: 0.1, Fault: fault.Slow(time.Millisecond)})
}

// overBadLine breaks the connections all the time, half of the times just
// after a request got through. After some seconds it lets them be, for machines
// that are too slow to get anything through in between.
func overBadLine(t *testing.T) storage.Driver {
	proxy := redistest.StartProxy(t, server)
	d := openRedis(t, proxy.URL(), "linear-"+unique(), 0)
	every(t, 5*time.Millisecond, func(n int) {
		if n > 1500 {
			proxy.Set(redistest.Pass)
			return
		}
		proxy.Set([]redistest.Mode{redistest.Pass, redistest.Pass, redistest.LoseReplies}[n%3])
		if n%2 == 0 {
			proxy.Cut()
		}
	})
	return d
}

// crashing kills a server of its own and starts it again.
func crashing(t *testing.T) storage.Driver {
	s := redistest.Start(t, redistest.Options{})
	d := openRedis(t, s.URL(), "linear", 0)
	every(t, 30*time.Millisecond, func(n int) {
		if n < 3 {
			s.Kill()
			if err := s.Restart(); err != nil {
				t.Error(err)
			}
		}
	})
	return d
}

// every does something again and again until the test ends.
func every(t *testing.T, interval time.Duration, do func(n int)) {
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for n := 0; ; n++ {
			select {
			case <-tick.C:
				do(n)
			case <-ctx.Done():
				return
			}
		}
	})
	t.Cleanup(func() {
		cancel()
		wg.Wait()
	})
}
