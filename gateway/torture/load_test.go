package torture

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	fake "talaria/adapters/fake/telegram"
	"talaria/core/model/modeltest"
	"talaria/storage/redis/redistest"
)

// crowd is people who write to the bot, each waiting for the answer to one
// message before the next.
type crowd struct {
	w  *world
	mu sync.Mutex
	at map[int64]chan time.Time // by chat: when an answer was shown
}

func newCrowd(tb testing.TB, store string, options fake.Options, script modeltest.Script) *crowd {
	c := &crowd{at: map[int64]chan time.Time{}}
	options.Shown = c.shown
	c.w = newWorld(tb, store, options, script)
	return c
}

func (c *crowd) shown(m fake.Message) {
	if !strings.HasPrefix(m.Text, "echo: ") {
		return
	}
	c.mu.Lock()
	at := c.at[m.Chat]
	c.mu.Unlock()
	at <- time.Now()
}

// talk has people exchange a number of messages each with the bot, side by
// side, and returns how long each answer took.
func (c *crowd) talk(people, each int) []time.Duration {
	var mu sync.Mutex
	var all []time.Duration
	var wg sync.WaitGroup
	for n := range people {
		wg.Go(func() {
			took := c.converse(int64(1000+n), each)
			mu.Lock()
			defer mu.Unlock()
			all = append(all, took...)
		})
	}
	wg.Wait()
	slices.Sort(all)
	return all
}

// converse has one person exchange messages with the bot.
func (c *crowd) converse(user int64, messages int) []time.Duration {
	at := make(chan time.Time, 4)
	c.mu.Lock()
	c.at[user] = at
	c.mu.Unlock()
	var took []time.Duration
	for range messages {
		began := time.Now()
		c.w.say(user)
		took = append(took, (<-at).Sub(began))
	}
	return took
}

func quantile(sorted []time.Duration, q float64) time.Duration {
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

// usage is what a process has used.
type usage struct {
	cpu time.Duration
	// Memory in kB: what is resident, the most that ever was, and how much of what
	// is resident it wrote itself, so not the pages of its program that are mapped
	// from the file and that the system takes back when it needs them.
	resident, peak, own int
}

// usage reads it from /proc.
func (p *process) usage(tb testing.TB) usage {
	tb.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		tb.Fatal(err)
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	ticks := 0
	for _, f := range fields[11:13] { // utime, stime, in hundredths of a second
		n, _ := strconv.Atoi(f)
		ticks += n
	}
	u := usage{cpu: time.Duration(ticks) * 10 * time.Millisecond}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		tb.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		kb, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(value), " kB"))
		switch name {
		case "VmRSS":
			u.resident = kb
		case "VmHWM":
			u.peak = kb
		case "RssAnon":
			u.own = kb
		}
	}
	return u
}

var benchStores = []string{"sqlite", "redis"}

func storeURL(tb testing.TB, name string) string {
	if name == "redis" {
		return redistest.Start(tb, redistest.Options{}).URL()
	}
	return name
}

// BenchmarkFiftyPeople is the throughput with a model that takes no time:
// messages a second, and the program's CPU time for each.
func BenchmarkFiftyPeople(b *testing.B) {
	for _, store := range benchStores {
		b.Run(store, func(b *testing.B) {
			c := newCrowd(b, storeURL(b, store), fake.Options{NoFlood: true}, modeltest.Echo())
			p := c.w.serve()
			c.talk(50, 10) // warm
			before := p.usage(b)
			each := max(1, b.N/50)
			b.ResetTimer()
			took := c.talk(50, each)
			b.StopTimer()
			after := p.usage(b)
			b.ReportMetric(float64(len(took))/b.Elapsed().Seconds(), "msg/s")
			b.ReportMetric(float64((after.cpu-before.cpu).Microseconds())/float64(len(took)), "cpu-µs/msg")
			b.ReportMetric(float64(quantile(took, 0.5).Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(quantile(took, 0.99).Microseconds())/1000, "p99-ms")
			b.ReportMetric(float64(after.peak)/1024, "peak-MB")
			judge(b, c.w)
			p.stop()
		})
	}
}

// BenchmarkOnePerson is the latency that the program adds for one person who
// is alone with it, over conversations of twenty exchanges.
func BenchmarkOnePerson(b *testing.B) {
	for _, store := range benchStores {
		b.Run(store, func(b *testing.B) {
			c := newCrowd(b, storeURL(b, store), fake.Options{NoFlood: true}, modeltest.Echo())
			p := c.w.serve()
			c.talk(5, 20)
			b.ResetTimer()
			var took []time.Duration
			for n := range max(1, b.N/20) {
				took = append(took, c.converse(int64(2000+n), 20)...)
			}
			b.StopTimer()
			slices.Sort(took)
			b.ReportMetric(float64(quantile(took, 0.5).Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(quantile(took, 0.99).Microseconds())/1000, "p99-ms")
			judge(b, c.w)
			p.stop()
		})
	}
}

// BenchmarkTwoHundredPeople is a burst with a model that takes half a second:
// nobody may wait for another.
func BenchmarkTwoHundredPeople(b *testing.B) {
	for _, store := range benchStores {
		b.Run(store, func(b *testing.B) {
			slow := func(r modeltest.Request) modeltest.Answer {
				a := modeltest.Text("echo: ", r.LastUser())
				a.Delay = 500 * time.Millisecond
				return a
			}
			c := newCrowd(b, storeURL(b, store), fake.Options{NoFlood: true}, slow)
			p := c.w.serve()
			idle := p.usage(b)
			b.ResetTimer()
			var took []time.Duration
			for range max(1, b.N) {
				took = append(took, c.talk(200, 1)...)
			}
			b.StopTimer()
			slices.Sort(took)
			busy := p.usage(b)
			b.ReportMetric(quantile(took, 0.95).Seconds(), "p95-s")
			b.ReportMetric(float64(busy.peak)/1024, "peak-MB")
			b.ReportMetric(float64(busy.own)/1024, "own-MB")
			b.ReportMetric(float64(idle.resident)/1024, "idle-MB")
			b.ReportMetric(float64(idle.own)/1024, "idle-own-MB")
			b.ReportMetric(float64(p.ready.Milliseconds()), "ready-ms")
			judge(b, c.w)
			p.stop()
		})
	}
}

// BenchmarkWithFloodControl is the throughput while the platform enforces its
// limits, and how often it had to ask for a wait.
func BenchmarkWithFloodControl(b *testing.B) {
	c := newCrowd(b, "sqlite", fake.Options{}, modeltest.Echo())
	p := c.w.serve()
	b.ResetTimer()
	took := c.talk(50, 3)
	b.StopTimer()
	waits, premature := c.w.telegram.Waits()
	b.ReportMetric(float64(len(took))/b.Elapsed().Seconds(), "msg/s")
	b.ReportMetric(float64(waits), "waits")
	b.ReportMetric(float64(premature), "premature")
	judge(b, c.w)
	p.stop()
}

// judge fails a benchmark whose messages were not each answered once, in order.
func judge(b *testing.B, w *world) {
	b.Helper()
	t := w.telegram.Tally(w.answers)
	if t.Answered != t.Said || len(t.Doubled)+len(t.Disordered)+len(t.Orphans) > 0 {
		b.Errorf("said=%d answered=%d doubled=%d disordered=%d orphans=%d\n%s",
			t.Said, t.Answered, len(t.Doubled), len(t.Disordered), len(t.Orphans), w.lastLog())
	}
}
