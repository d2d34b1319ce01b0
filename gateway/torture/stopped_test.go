package torture

import (
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	fake "talaria/adapters/fake/telegram"
	"talaria/core/model/modeltest"
	"talaria/storage/redis/redistest"
)

// TestAReplicaThatWasHaltedDoesNothingTwice halts one of two replicas in the middle
// of its work, as a machine that sleeps does, until the other one has taken over and
// answered. Then it goes on, and knows of nothing.
func TestAReplicaThatWasHaltedDoesNothingTwice(t *testing.T) {
	t.Parallel() // it waits for leases to run out
	w := newWorld(t, redistest.Start(t, redistest.Options{}).URL(), fake.Options{NoFlood: true}, modeltest.Echo())
	replicas := []*process{w.serve(), w.serve()}
	random := rand.New(rand.NewPCG(7, 1))
	for n := range count(1, 30) {
		halted := replicas[n%2]
		w.sayEach(20)
		time.Sleep(time.Duration(random.Int64N(int64(50 * time.Millisecond)))) // the moment is the point
		halted.signal(syscall.SIGSTOP)
		w.sayEach(20)
		if tally := w.settled(3 * time.Minute); len(tally.Lost) > 0 {
			t.Fatalf("halt %d: %d unanswered\n%s", n, len(tally.Lost), w.lastLog())
		}
		halted.signal(syscall.SIGCONT)
		w.sayEach(20)
		if tally := w.settled(3 * time.Minute); len(tally.Lost) > 0 {
			t.Fatalf("after halt %d: %d unanswered\n%s", n, len(tally.Lost), w.lastLog())
		}
	}
	for _, r := range replicas {
		r.stop()
	}
	w.judge()
}

func (p *process) signal(s syscall.Signal) { _ = p.cmd.Process.Signal(s) }
