package learnbench

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// size is how much is done: tasks of each kind, kinds and worlds, and with which
// task the people of the last kind change their mind.
type size struct{ rounds, kinds, seeds, turn int }

// share is a mean over some outcomes.
type share struct{ success, steps, millis, seconds, tokens, reuse, recoveries float64 }

// thought is what a call of a model is taken to last: the scripted agent's own
// last nothing.
const thought = time.Second

func mean(all []outcome) (s share) {
	for _, o := range all {
		if o.success {
			s.success++
		}
		if o.skill {
			s.reuse++
		}
		s.steps += float64(o.steps)
		s.millis += 1000 * o.took.Seconds()
		s.seconds += (o.took + time.Duration(o.thoughts)*thought).Seconds()
		s.tokens += float64(o.tokens)
		s.recoveries += float64(o.recoveries)
	}
	n := float64(max(len(all), 1))
	return share{s.success / n, s.steps / n, s.millis / n, s.seconds / n, s.tokens / n, s.reuse / n, s.recoveries / n}
}

// between are the outcomes of the n-th tasks of a kind, from and to included.
func between(all []outcome, from, to int) []outcome {
	return slices.DeleteFunc(slices.Clone(all), func(o outcome) bool { return o.n < from || o.n > to })
}

// only are the outcomes of the tasks of one kind.
func only(all []outcome, kind int) []outcome {
	return slices.DeleteFunc(slices.Clone(all), func(o outcome) bool { return o.kind != kind })
}

// measured is what came out, by mode and world.
type measured map[mode][][]outcome

func (m measured) all(of mode) []outcome { return slices.Concat(m[of]...) }

// run has all modes work over the same worlds.
func run(t testing.TB, s size, first uint64) measured {
	out := measured{}
	for seed := range uint64(s.seeds) {
		for _, m := range []mode{off, on, poisoned} {
			out[m] = append(out[m], newBench(t, m, first+seed, s).run(s.rounds))
		}
	}
	return out
}

// table shows the course in ten stretches.
func (m measured) table(rounds int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-9s %-9s %8s %6s %6s %7s %7s %10s %6s\n", "learning", "task", "success", "steps", "time/s", "own/ms", "tokens", "recoveries", "skill")
	stretch := max(rounds/10, 1)
	for _, of := range []mode{off, on, poisoned} {
		for from := 1; from <= rounds; from += stretch {
			to := min(from+stretch-1, rounds)
			s := mean(between(m.all(of), from, to))
			fmt.Fprintf(&b, "%-9s %-9s %7.0f%% %6.1f %6.1f %7.1f %7.0f %10.2f %5.0f%%\n", of, fmt.Sprintf("%d-%d", from, to), 100*s.success, s.steps, s.seconds, s.millis, s.tokens, s.recoveries, 100*s.reuse)
		}
	}
	return b.String()
}

// kinds shows for each kind of task, and for all, what its first half came to
// beside its second: in the long form the first and the last ten tasks.
func (m measured) kinds(s size) string {
	var b strings.Builder
	half := s.rounds / 2
	fmt.Fprintf(&b, "%-9s %-4s %-5s %8s %6s %6s %7s %7s %6s\n", "learning", "kind", "task", "success", "steps", "time/s", "own/ms", "tokens", "skill")
	for _, of := range []mode{off, on, poisoned} {
		for kind := range s.kinds + 1 {
			all, name := m.all(of), "all"
			if kind < s.kinds {
				all, name = only(all, kind), fmt.Sprint(kind+1)
			}
			for _, from := range []int{1, s.rounds - half + 1} {
				to := from + half - 1
				v := mean(between(all, from, to))
				fmt.Fprintf(&b, "%-9s %-4s %-5s %7.0f%% %6.1f %6.1f %7.1f %7.0f %5.0f%%\n", of, name, fmt.Sprintf("%d-%d", from, to), 100*v.success, v.steps, v.seconds, v.millis, v.tokens, 100*v.reuse)
			}
		}
	}
	return b.String()
}

// losses shows for each kind, and for all, how far poisoned feedback leaves
// success below that without learning.
func (m measured) losses(s size) string {
	var b strings.Builder
	fmt.Fprintf(&b, "poisoned below off (and what 95 %% of resamplings of the worlds lie between)\n%-4s %-5s %7s\n", "kind", "task", "success")
	half := s.rounds / 2
	for kind := -1; kind < s.kinds; kind++ {
		name := "all"
		if kind >= 0 {
			name = fmt.Sprint(kind + 1)
		}
		for _, part := range [][2]int{{1, s.rounds}, {1, half}, {s.rounds - half + 1, s.rounds}} {
			loss, low, high := m.loss(kind, part[0], part[1])
			fmt.Fprintf(&b, "%-4s %-5s %7.3f (%.3f to %.3f)\n", name, fmt.Sprintf("%d-%d", part[0], part[1]), loss, low, high)
		}
	}
	return b.String()
}

// loss is how far poisoned feedback leaves the success of the n-th tasks of a
// kind, from and to included, below that without learning, with the bounds that
// 95 of 100 resamplings of the worlds lie between. A negative kind is for all.
func (m measured) loss(kind, from, to int) (loss, low, high float64) {
	success := func(all []outcome) float64 {
		if kind >= 0 {
			all = only(all, kind)
		}
		return mean(between(all, from, to)).success
	}
	var by []float64
	for n := range m[off] {
		by = append(by, success(m[off][n])-success(m[poisoned][n]))
	}
	random := rand.New(rand.NewPCG(1, 1))
	var means []float64
	for range 2000 {
		sum := 0.0
		for range by {
			sum += by[random.IntN(len(by))]
		}
		means = append(means, sum/float64(len(by)))
	}
	slices.Sort(means)
	for _, v := range by {
		loss += v / float64(len(by))
	}
	return loss, means[len(means)/40], means[len(means)-1-len(means)/40]
}

// exact is what sums of shares may be off by.
const exact = 1e-9

// check is what must hold of the loop.
func (m measured) check(t *testing.T, rounds int) {
	t.Helper()
	first, last := max(rounds/10, 1), rounds-max(rounds/10, 3)+1
	before, after := mean(between(m.all(on), 1, first)), mean(between(m.all(on), last, rounds))
	if after.success < before.success || after.success < 0.9 || after.steps > 0.8*before.steps || after.reuse < 0.9 {
		t.Errorf("with learning: from %+v to %+v", before, after)
	}
	before, after = mean(between(m.all(off), 1, first)), mean(between(m.all(off), last, rounds))
	if d := after.success - before.success; d > 0.1 || d < -0.1 || after.reuse > 0 {
		t.Errorf("without learning it is not flat: from %+v to %+v", before, after)
	}
	if loss, low, high := m.loss(-1, 1, rounds); low > exact {
		t.Errorf("poisoned feedback leaves success %.2f below that without learning (%.2f to %.2f)", loss, low, high)
	}
}

// checkKinds is what must hold of each kind once there is something to go by: that
// wrong feedback leaves nobody worse off than without learning.
func (m measured) checkKinds(t *testing.T, s size) {
	t.Helper()
	for kind := range s.kinds {
		if loss, low, high := m.loss(kind, s.rounds/2+1, s.rounds); low > exact {
			t.Errorf("poisoned feedback leaves the later tasks of kind %d %.2f below those without learning (%.2f to %.2f)", kind+1, loss, low, high)
		}
	}
}

// TestTheLoopLearns is the short form.
func TestTheLoopLearns(t *testing.T) {
	s := size{rounds: 9, kinds: 3, seeds: 2}
	m := run(t, s, 1)
	m.check(t, s.rounds)
	t.Logf("\n%s", m.table(s.rounds))
}

// TestLearnbench is the long form: 100 tasks in each of ten worlds.
func TestLearnbench(t *testing.T) {
	if os.Getenv("TALARIA_LEARNBENCH") == "" {
		return // TestTheLoopLearns shows the same of fewer tasks
	}
	s := size{rounds: 20, kinds: 6, seeds: 10, turn: 11}
	first := seed(t)
	m := run(t, s, first)
	m.check(t, s.rounds)
	m.checkKinds(t, s)
	t.Logf("worlds from seed %d\n%s\n%s\n%s", first, m.table(s.rounds), m.kinds(s), m.losses(s))
	m.draw(t, s.rounds, filepath.Join("..", "..", "bin", "learnbench.png"))
}

// seed is where the worlds begin: TALARIA_LEARNBENCH, where it is a number.
func seed(t *testing.T) uint64 {
	var n uint64
	if _, err := fmt.Sscan(os.Getenv("TALARIA_LEARNBENCH"), &n); err != nil {
		t.Fatalf("TALARIA_LEARNBENCH is no number: %v", err)
	}
	return n
}
