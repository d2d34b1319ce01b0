package scheduler_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"talaria/scheduler"
	"talaria/storage/sqlite"
)

// TestNoChangeAltersASlotThatIsDue takes random steps beside a model that
// knows nothing but what was in force at each slot's time.
func TestNoChangeAltersASlotThatIsDue(t *testing.T) {
	runs, slots := 0, 0
	synctest.Test(t, func(t *testing.T) {
		most := 50
		if long() {
			most = 2000
		}
		for runs < most { // rapid ends early, since its time flies here
			rapid.Check(struct{ testing.TB }{t}, func(rt *rapid.T) { // a bubble has no deadline
				m := newMachine(t, rt)
				defer m.w.store.Close()
				steps := rapid.IntRange(5, 40).Draw(rt, "steps")
				for range steps {
					m.step(rt)
				}
				m.finish(rt)
				runs, slots = runs+1, slots+len(m.want)
			})
		}
	})
	t.Logf("runs=%d slots=%d", runs, slots)
}

// machine is a world with one job and the model of it.
type machine struct {
	w        *world
	replicas []*scheduler.Scheduler
	job      string
	number   int
	crash    bool

	active  bool
	want    []time.Time // slots that have to fire
	waiting int         // of them since somebody last looked
}

func newMachine(t *testing.T, rt *rapid.T) *machine {
	d, err := sqlite.Open(t.Context(), ":memory:", sqlite.Options{})
	if err != nil {
		rt.Fatal(err)
	}
	m := &machine{w: newWorld(t, d), active: true, want: []time.Time{}}
	m.w.crash = func() error {
		if !m.crash {
			return nil
		}
		m.crash = false
		return errCrash
	}
	m.replicas = []*scheduler.Scheduler{m.w.replica("a"), m.w.replica("b")}
	now := time.Now() // runs begin alike, and off the minute, where slots are
	time.Sleep(now.Truncate(time.Hour).Add(time.Hour + 17*time.Second).Sub(now))
	m.add(rt)
	return m
}

func (m *machine) add(rt *rapid.T) {
	rules := scheduler.Defaults(false)
	rules.CatchUp = scheduler.CatchUpAll
	m.number++
	j, err := m.replicas[0].For(somebody("ann")).Add(m.w.t.Context(), scheduler.Order{
		Key: fmt.Sprint(m.number), Say: "x", Schedule: cron("UTC", "*/10 * * * *"), Rules: rules,
	})
	if err != nil {
		rt.Fatal(err)
	}
	m.job, m.active = j.ID, true
}

// step does one thing, to the job and to the model.
func (m *machine) step(rt *rapid.T) {
	ctx := m.w.t.Context()
	h := m.replicas[0].For(somebody("ann"))
	what := rapid.SampledFrom([]string{"wait", "wait", "wait", "look", "crash", "list", "edit", "pause", "resume", "add again", "same again"}).Draw(rt, "step")
	var err error
	switch what {
	case "wait":
		m.wait(rt, time.Duration(rapid.IntRange(1, 25).Draw(rt, "minutes"))*time.Minute)
	case "look":
		m.look(rt, rapid.IntRange(0, 1).Draw(rt, "replica"))
	case "crash":
		m.crash = true
	case "list":
		_, err = h.List(ctx)
	case "edit":
		_, err = h.Edit(ctx, m.job, scheduler.Change{Say: fmt.Sprint("text ", m.number)})
	case "same again":
		_, err = h.Edit(ctx, m.job, scheduler.Change{Schedule: cron("UTC", "*/10 * * * *")})
	case "pause":
		if _, err = h.Pause(ctx, m.job); err == nil {
			m.active = false
		}
	case "resume":
		if _, err = h.Resume(ctx, m.job); err == nil {
			m.active = true
		}
	case "add again":
		if _, err = h.Delete(ctx, m.job); err == nil {
			m.add(rt)
		}
	}
	if err != nil && !m.died(err) {
		rt.Fatalf("%s: %v", what, err)
	}
}

// died reports whether a change met the crash that was ordered for the next
// hand-over. The change was then not made, and is not in the model.
func (m *machine) died(err error) bool { return err.Error() != "" && !m.crash }

func (m *machine) wait(rt *rapid.T, d time.Duration) {
	for range int(d / time.Minute) {
		time.Sleep(time.Minute)
		now := time.Now().UTC()
		if slot := now.Truncate(10 * time.Minute); m.active && now.Sub(slot) < time.Minute {
			m.want = append(m.want, slot)
			m.waiting++
		}
	}
	if m.waiting > 15 { // more at a time would not all be caught up with
		m.crash = false
		m.look(rt, 0)
	}
}

func (m *machine) look(rt *rapid.T, n int) {
	if err := m.replicas[n].Round(m.w.t.Context()); err != nil {
		rt.Fatal(err)
	}
	time.Sleep(31 * time.Second) // a claim of one that died is over
	if err := m.replicas[1-n].Round(m.w.t.Context()); err != nil {
		rt.Fatal(err)
	}
	time.Sleep(29 * time.Second)
	m.waiting = 0
	now := time.Now().UTC()
	if slot := now.Truncate(10 * time.Minute); m.active && now.Sub(slot) < time.Minute {
		m.want = append(m.want, slot)
	}
}

func (m *machine) finish(rt *rapid.T) {
	m.crash = false
	m.look(rt, 0)
	m.look(rt, 1)
	time.Sleep(time.Minute)
	got := []time.Time{}
	for _, e := range m.w.events() {
		got = append(got, e.Tick.Due.UTC())
	}
	// What came due within the last looks may or may not have been seen.
	settled := time.Now().Add(-4 * time.Minute)
	late := func(at time.Time) bool { return at.After(settled) }
	if diff := cmp.Diff(slices.DeleteFunc(m.want, late), slices.DeleteFunc(got, late)); diff != "" {
		rt.Fatalf("slots (-want +got):\n%s", diff)
	}
}
