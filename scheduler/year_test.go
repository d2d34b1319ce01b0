package scheduler_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"talaria/scheduler"
	"talaria/scheduler/when"
	"talaria/storage/fault"
	"talaria/storage/sqlite"
)

// long reports whether the long forms were asked for.
func long() bool { return os.Getenv("TALARIA_TORTURE") != "" }

// theYear is what is simulated. Its clock changes are in the time package's
// data by rule.
const theYear = 2027

// zoneNames are those of the system's table of zones.
func zoneNames(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, file := range []string{"/usr/share/zoneinfo/tzdata.zi", "/usr/share/zoneinfo/zone1970.tab"} {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			f := strings.Fields(line)
			switch {
			case len(f) > 1 && f[0] == "Z":
				names = append(names, f[1])
			case len(f) > 2 && f[0] == "L":
				names = append(names, f[2])
			case len(f) > 2 && len(f[0]) >= 2 && strings.HasSuffix(file, ".tab") && f[0][0] != '#':
				names = append(names, f[2])
			}
		}
		if len(names) > 0 {
			break
		}
	}
	if len(names) == 0 {
		names = []string{"UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Antarctica/Troll", "Africa/Cairo", "America/Havana", "Asia/Beirut", "America/Santiago", "Asia/Kathmandu"}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// changesOf are the instants in the year at which a zone's clock changes.
func changesOf(zone *time.Location) (out []time.Time) {
	for _, at := newYear.In(zone).ZoneBounds(); !at.IsZero() && at.Before(yearsEnd); _, at = at.ZoneBounds() {
		out = append(out, at)
	}
	return out
}

// shape is how a zone's clock goes in the year: equal ones have equal slots.
func shape(zone *time.Location) string {
	_, offset := newYear.AddDate(0, 0, -3).In(zone).Zone()
	text := fmt.Sprint(offset)
	for _, at := range changesOf(zone) {
		_, offset = at.Zone()
		text += fmt.Sprintf(" %d:%d", at.Unix(), offset)
	}
	return text
}

// pattern is a schedule and an oracle of its own: which wall clock times it
// names, and whether a time that comes twice counts twice.
type pattern struct {
	name  string
	cron  string
	fits  func(wall time.Time) bool
	twice bool
}

var patterns = []pattern{
	{"daily 00:00", "0 0 * * *", func(w time.Time) bool { return w.Hour() == 0 && w.Minute() == 0 }, false},
	{"daily 02:30", "30 2 * * *", func(w time.Time) bool { return w.Hour() == 2 && w.Minute() == 30 }, false},
	{"daily 08:00", "0 8 * * *", func(w time.Time) bool { return w.Hour() == 8 && w.Minute() == 0 }, false},
	{"weekly", "15 1 * * 0", func(w time.Time) bool { return w.Weekday() == time.Sunday && w.Hour() == 1 && w.Minute() == 15 }, false},
	{"every quarter of an hour", "*/15 * * * *", func(w time.Time) bool { return w.Minute()%15 == 0 }, true},
	{"last day of the month", "0 0 L * *", func(w time.Time) bool { return w.AddDate(0, 0, 1).Day() == 1 && w.Hour() == 0 && w.Minute() == 0 }, false},
}

// oracle walks through the year minute by minute, or in the short form by
// quarters of an hour, on which all patterns and all changes lie. It
// looks at the clock on the wall before and after each minute, and knows
// nothing of how schedules are computed: a wall time counts when the wall
// shows it for the first time, and one that the wall leaves out counts when as
// much real time has passed as it would have taken.
func oracle(zone *time.Location) map[string][]time.Time {
	out, seen := map[string][]time.Time{}, map[string]bool{}
	wall := func(at time.Time) time.Time {
		_, offset := at.In(zone).Zone()
		return at.Add(time.Duration(offset) * time.Second) // the wall's figures, as if in UTC
	}
	add := func(p pattern, at, shown time.Time) {
		if !p.fits(shown) {
			return
		}
		key := p.name + shown.Format(" 2006-01-02 15:04")
		if (p.twice || !seen[key]) && at.After(newYear) && at.Before(yearsEnd) {
			out[p.name] = append(out[p.name], at)
		}
		seen[key] = true
	}
	step := 15 * time.Minute
	if long() {
		step = time.Minute
	}
	before := wall(newYear.Add(-48*time.Hour - step))
	for at := newYear.Add(-48 * time.Hour); at.Before(yearsEnd); at = at.Add(step) {
		shown := wall(at)
		for _, p := range patterns {
			for left, lag := before.Add(step), time.Duration(0); !p.twice && left.Before(shown); left, lag = left.Add(step), lag+step {
				add(p, at.Add(lag), left)
			}
			add(p, at, shown)
		}
		before = shown
	}
	for _, slots := range out {
		slices.SortFunc(slots, time.Time.Compare)
	}
	return out
}

var (
	newYear  = time.Date(theYear, 1, 1, 0, 0, 0, 0, time.UTC)
	yearsEnd = time.Date(theYear+1, 1, 1, 0, 0, 0, 0, time.UTC)
)

// slotsOf are the slots of a schedule after a time and before another.
func slotsOf(s when.Schedule, from, to time.Time) []time.Time {
	var out []time.Time
	for {
		next, ok := s.Next(from)
		if !ok || !next.Before(to) {
			return out
		}
		out, from = append(out, next.UTC()), next
	}
}

// TestDueTimesOfAYear compares schedules with a walk through the minutes of
// the year: in all zones in the long form. In the short one it is one zone for
// each way that clocks change, and some whose clocks don't; what comes every few
// minutes is compared in the days round the changes.
func TestDueTimesOfAYear(t *testing.T) {
	walks := map[string]map[string][]time.Time{}
	zones, compared, slots := 0, 0, 0
	for _, name := range zoneNames(t) {
		zone, err := time.LoadLocation(name)
		if err != nil {
			continue
		}
		zones++
		key := shape(zone)
		_, known := walks[key]
		if !long() && (known || len(changesOf(zone)) == 0 && zones%10 > 0 || zones%3 > 0) {
			continue
		}
		if !known {
			walks[key] = oracle(zone)
		}
		compared++
		for _, p := range patterns {
			for _, span := range spans(p, zone) {
				within := func(at time.Time) bool { return !at.After(span[0]) || !at.Before(span[1]) }
				want := slices.DeleteFunc(slices.Clone(walks[key][p.name]), within)
				got := slotsOf(cron(name, p.cron), span[0], span[1])
				slots += len(got)
				if !slices.EqualFunc(want, got, time.Time.Equal) {
					t.Errorf("%s, %s (-want +got):\n%s", name, p.name, cmp.Diff(want, got))
				}
			}
		}
	}
	t.Logf("zones=%d kinds of clocks=%d zones compared=%d patterns=%d slots=%d", zones, len(walks), compared, len(patterns), slots)
	if zones < 10 {
		t.Errorf("only %d zones", zones)
	}
}

// spans are the parts of the year in which a pattern is compared.
func spans(p pattern, zone *time.Location) (out [][2]time.Time) {
	if !p.twice || long() {
		return [][2]time.Time{{newYear, yearsEnd}}
	}
	for _, at := range changesOf(zone) {
		out = append(out, [2]time.Time{at.Add(-36 * time.Hour), at.Add(36 * time.Hour)})
	}
	return out
}

// changes are the instants in the year at which clocks change, one zone for
// each kind of change.
func changes(t *testing.T) map[string]time.Time {
	out := map[string]time.Time{}
	seen := map[string]bool{}
	for _, name := range zoneNames(t) {
		zone, err := time.LoadLocation(name)
		if err != nil {
			continue
		}
		for _, at := range changesOf(zone) {
			_, before := at.Add(-time.Second).Zone()
			_, after := at.Zone()
			if kind := fmt.Sprint(at.Format("15:04"), after-before); !seen[kind] {
				seen[kind] = true
				out[name+" "+at.Format(time.DateOnly)] = at
			}
		}
	}
	return out
}

// TestEachSlotFiresOnceRoundEveryChangeOfTheClocks has three replicas look at
// the timers, dying and coming back, while answers of the store get lost.
func TestEachSlotFiresOnceRoundEveryChangeOfTheClocks(t *testing.T) {
	all := changes(t)
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	slices.SortStableFunc(names, func(a, b string) int { return all[a].Compare(all[b]) })
	var weeks, fired, deaths int
	synctest.Test(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(8, 2))
		for n, name := range names {
			if n%6 > 0 && !long() {
				continue
			}
			weeks++
			begin := all[name].Add(-84 * time.Hour)
			zone, _, _ := strings.Cut(name, " ")
			if wait := time.Until(begin); wait > 0 {
				time.Sleep(wait)
			}
			f, d := weekOf(t, random, zone)
			fired, deaths = fired+f, deaths+d
		}
	})
	t.Logf("kinds of changes=%d weeks=%d fired=%d deaths=%d", len(names), weeks, fired, deaths)
	if fired == 0 || deaths == 0 {
		t.Error("nothing was tested")
	}
}

// weekOf simulates a week in a zone and returns how often jobs fired and how
// often a replica died at it.
func weekOf(t *testing.T, random *rand.Rand, zone string) (fired, deaths int) {
	t.Helper()
	d, err := sqlite.Open(t.Context(), ":memory:", sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	faulty := fault.Wrap(d, random.Uint64())
	w := newWorld(t, faulty)
	// So often dying, a replica that has many slots to hand over would hardly
	// come to an end, and what is too much to catch up with would be skipped.
	odds := 8
	if long() {
		odds = 30
	}
	var dying sync.Mutex
	fate := rand.New(rand.NewPCG(random.Uint64(), 1))
	w.crash = func() error {
		dying.Lock()
		defer dying.Unlock()
		if fate.IntN(odds) > 0 {
			return nil
		}
		deaths++
		return errCrash
	}
	replicas := []*scheduler.Scheduler{w.replica("a"), w.replica("b"), w.replica("c")}
	rules := scheduler.Defaults(false)
	rules.CatchUp = scheduler.CatchUpAll
	schedules := map[string]when.Schedule{}
	begin := time.Now()
	for _, p := range patterns {
		if p.name == "last day of the month" || p.twice && !long() {
			continue
		}
		j := w.add(replicas[0], somebody("ann"), scheduler.Order{Key: p.name, Say: p.name, Schedule: cron(zone, p.cron), Rules: rules})
		schedules[j.ID] = j.Schedule
	}
	faulty.Set(fault.Rule{Calls: []string{"Apply"}, Chance: 0.05, Fault: fault.LostAfter()}, fault.Rule{Calls: []string{"Apply"}, Chance: 0.05, Fault: fault.Unavailable()})
	for time.Since(begin) < 7*24*time.Hour {
		time.Sleep(time.Duration(1+random.IntN(40)) * time.Minute)
		var wg sync.WaitGroup
		for _, r := range replicas {
			if random.IntN(3) > 0 {
				wg.Go(func() { _ = r.Round(t.Context()) })
			}
		}
		wg.Wait()
	}
	end := time.Now()
	faulty.Set()
	w.crash = nil
	for range 3 {
		time.Sleep(31 * time.Second) // claims of the dead run out
		for _, r := range replicas {
			if err := r.Round(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	for id, s := range schedules {
		want := slotsOf(s, begin, end.Add(time.Minute))
		got := slices.DeleteFunc(w.slots(id), func(at time.Time) bool { return !at.Before(end.Add(time.Minute)) })
		fired += len(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s %v (-want +got):\n%s", zone, s.Cron, diff)
		}
	}
	_ = w.store.Close()
	return fired, deaths
}
