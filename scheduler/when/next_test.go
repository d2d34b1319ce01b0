package when_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"talaria/scheduler/when"
)

// years are spans in which the clocks of a zone do something unusual, beside
// the ordinary changes.
var years = []struct {
	zone string
	from time.Time
	days int
}{
	{"Europe/Madrid", time.Date(2027, 2, 20, 0, 0, 0, 0, time.UTC), 280},
	{"America/New_York", time.Date(2026, 2, 20, 0, 0, 0, 0, time.UTC), 280},
	{"Australia/Lord_Howe", time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC), 220}, // half an hour
	{"Pacific/Apia", time.Date(2011, 9, 1, 0, 0, 0, 0, time.UTC), 220},         // no 30 December
	{"America/Sao_Paulo", time.Date(2017, 10, 1, 0, 0, 0, 0, time.UTC), 160},   // at midnight
	{"Africa/Cairo", time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC), 240},         // at midnight, too
	{"Asia/Kolkata", time.Date(1941, 9, 1, 0, 0, 0, 0, time.UTC), 60},          // a change of 54 years ago
	{"Africa/Casablanca", time.Date(2026, 1, 20, 0, 0, 0, 0, time.UTC), 90},    // back and forth within weeks
	{"America/Caracas", time.Date(2016, 4, 1, 0, 0, 0, 0, time.UTC), 60},       // a new offset, for good
	{"UTC", time.Date(2028, 2, 1, 0, 0, 0, 0, time.UTC), 60},
}

// oracle is a line of cron without anything clever.
type oracle struct {
	text           string
	minutes, hours []int
	day            func(time.Time) bool // of a wall time written in UTC
}

// flows tells what runs by the hour or more often, as the lines below are made.
func (o oracle) flows() bool { return len(o.hours) == 24 }

func (o oracle) matches(wall time.Time) bool {
	return slices.Contains(o.minutes, wall.Minute()) && slices.Contains(o.hours, wall.Hour()) && o.day(wall)
}

// due steps through every minute: what the wall shows for the first time runs,
// and what it leaves out runs as long after the last minute before as it would.
func (o oracle) due(from time.Time, walls []time.Time) []time.Time {
	var due []time.Time
	shown := map[int64]bool{}
	last := walls[0].Add(-time.Minute)
	for i, wall := range walls {
		t := from.Add(time.Duration(i) * time.Minute)
		if o.flows() {
			if o.matches(wall) {
				due = append(due, t)
			}
			continue
		}
		for skipped := last.Add(time.Minute); skipped.Before(wall); skipped = skipped.Add(time.Minute) {
			if o.matches(skipped) && !shown[skipped.Unix()] {
				shown[skipped.Unix()] = true
				due = append(due, t.Add(skipped.Sub(last)-time.Minute))
			}
		}
		if o.matches(wall) && !shown[wall.Unix()] {
			due = append(due, t)
			shown[wall.Unix()] = true
		}
		last = wall
	}
	slices.SortFunc(due, time.Time.Compare)
	return slices.CompactFunc(due, time.Time.Equal)
}

// wallsOf are what the wall shows at every minute.
func wallsOf(zone *time.Location, from time.Time, days int) []time.Time {
	var walls []time.Time
	for t := from; t.Before(from.AddDate(0, 0, days)); t = t.Add(time.Minute) {
		_, offset := t.In(zone).Zone()
		walls = append(walls, t.Add(time.Duration(offset)*time.Second).Truncate(time.Minute))
	}
	return walls
}

// randomLine makes a line and its oracle from the same choices.
func randomLine(r *rand.Rand) oracle {
	minutes, hours := []int{r.IntN(60)}, []int{r.IntN(24)}
	if r.IntN(2) == 0 {
		hours = []int{r.IntN(4)} // where clocks change
	}
	minuteField, hourField := strconv.Itoa(minutes[0]), strconv.Itoa(hours[0])
	switch r.IntN(6) {
	case 0:
		hours, hourField = upTo(24, 1), "*"
	case 1:
		step := []int{20, 30}[r.IntN(2)]
		minutes, minuteField = upTo(60, step), fmt.Sprintf("*/%d", step)
		hours, hourField = upTo(24, 1), "*"
	case 2:
		other := r.IntN(24)
		hours = append(hours, other)
		hourField += "," + strconv.Itoa(other)
	}
	days, day := randomDays(r)
	return oracle{minuteField + " " + hourField + " " + days, minutes, hours, day}
}

func upTo(end, step int) []int {
	var numbers []int
	for n := 0; n < end; n += step {
		numbers = append(numbers, n)
	}
	return numbers
}

func randomDays(r *rand.Rand) (string, func(time.Time) bool) {
	weekday, dom, nth := r.IntN(7), 1+r.IntN(31), 1+r.IntN(5)
	last := func(d time.Time) bool { return d.AddDate(0, 0, 1).Day() == 1 }
	isWeekday := func(d time.Time) bool { return d.Weekday() == time.Weekday(weekday) }
	switch r.IntN(9) {
	case 0:
		return fmt.Sprintf("* * %d", weekday), isWeekday
	case 1:
		return "* * 1-5", func(d time.Time) bool { return d.Weekday() != 0 && d.Weekday() != 6 }
	case 2:
		return fmt.Sprintf("%d * *", dom), func(d time.Time) bool { return d.Day() == dom }
	case 3:
		return "L * *", last
	case 4:
		return fmt.Sprintf("* * %d#%d", weekday, nth), func(d time.Time) bool { return isWeekday(d) && (d.Day()-1)/7 == nth-1 }
	case 5:
		return fmt.Sprintf("* * %dL", weekday), func(d time.Time) bool { return isWeekday(d) && d.AddDate(0, 0, 7).Month() != d.Month() }
	case 6:
		return "LW * *", func(d time.Time) bool {
			for end := time.Date(d.Year(), d.Month()+1, 0, 0, 0, 0, 0, time.UTC); ; end = end.AddDate(0, 0, -1) {
				if end.Weekday() != 0 && end.Weekday() != 6 {
					return d.Day() == end.Day()
				}
			}
		}
	case 7:
		return fmt.Sprintf("%d * %d", dom, weekday), func(d time.Time) bool { return d.Day() == dom || isWeekday(d) }
	}
	return "* * *", func(time.Time) bool { return true }
}

// all steps through a schedule by its own Next.
func all(t *testing.T, s when.Schedule, from, to time.Time) []time.Time {
	t.Helper()
	var times []time.Time
	for at := from.Add(-time.Second); ; {
		next, ok := s.Next(at)
		if !ok || !next.Before(to) {
			return times
		}
		if !next.After(at) {
			t.Fatalf("%v: %v does not come after %v", s.Cron, next, at)
		}
		times, at = append(times, next.UTC()), next
	}
}

// TestNextAgreesWithSteppingThroughEveryMinute compares all times of random
// lines over the years above.
func TestNextAgreesWithSteppingThroughEveryMinute(t *testing.T) {
	lines := 1
	if os.Getenv("TALARIA_TORTURE") != "" {
		lines = 50
	}
	for i, y := range years {
		r := rand.New(rand.NewPCG(7, uint64(i)))
		walls := wallsOf(load(t, y.zone), y.from, y.days)
		for range lines {
			o := randomLine(r)
			s := when.Schedule{Kind: when.Recurring, Zone: y.zone, Cron: []string{o.text}}
			want := o.due(y.from, walls)
			got := all(t, s, y.from, y.from.AddDate(0, 0, y.days))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s in %s (-stepping +Next):\n%.600s", o.text, y.zone, diff)
			}
		}
	}
}

func TestClocksThatChange(t *testing.T) {
	for _, tt := range []struct{ name, zone, now, phrase, want string }{
		{"left out, one hour", "Europe/Madrid", "2027-03-27T12:00:00+01:00", "every day at 2:15", "03-28 03:15 +0200, 03-29 02:15 +0200"},
		{"left out, once", "Europe/Madrid", "2027-03-27T12:00:00+01:00", "tomorrow at 2:15 am", "03-28 03:15 +0200"},
		{"left out, half an hour", "Australia/Lord_Howe", "2026-10-03T12:00:00+10:30", "daily at 2:10 am", "10-04 02:40 +1100, 10-05 02:10 +1100"},
		{"left out, a whole day", "Pacific/Apia", "2011-12-29T12:00:00-10:00", "every day at 8 am", "12-31 08:00 +1400, 01-01 08:00 +1400"},
		{"left out, at midnight", "America/Sao_Paulo", "2018-11-03T12:00:00-03:00", "每天零点", "11-04 01:00 -0200, 11-05 00:00 -0200"},
		{"left out and moved onto another", "Europe/Madrid", "2027-03-27T12:00:00+01:00", "every day at 2:30 and 3:30", "03-28 03:30 +0200, 03-29 02:30 +0200"},
		{"twice", "Europe/Madrid", "2027-10-30T12:00:00+02:00", "every day at 2:15", "10-31 02:15 +0200, 11-01 02:15 +0100"},
		{"twice, once", "Europe/Madrid", "2027-10-30T12:00:00+02:00", "tomorrow at 2:15 am", "10-31 02:15 +0200"},
		{"twice, between the two", "Europe/Madrid", "2027-10-31T02:40:00+02:00", "every day at 2:15", "11-01 02:15 +0100, 11-02 02:15 +0100"},
		{"hourly, in real time", "Europe/Madrid", "2027-10-31T01:30:00+02:00", "every hour", "10-31 02:00 +0200, 10-31 02:00 +0100"},
		{"hourly, over what is left out", "Europe/Madrid", "2027-03-28T00:30:00+01:00", "every hour", "03-28 01:00 +0100, 03-28 03:00 +0200"},
		{"a length of time", "Europe/Madrid", "2027-03-27T12:00:00+01:00", "in 24 hours", "03-28 13:00 +0200"},
		{"days on the calendar", "Europe/Madrid", "2027-03-27T12:00:00+01:00", "in 1 day", "03-28 12:00 +0200"},
		{"every so many hours", "Europe/Madrid", "2027-03-27T20:10:00+01:00", "every 6 hours", "03-28 03:10 +0200, 03-28 09:10 +0200"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			now, err := time.Parse(time.RFC3339, tt.now)
			if err != nil {
				t.Fatal(err)
			}
			s, err := when.Parse(tt.phrase, load(t, tt.zone), now)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, next := range s.Upcoming(now, 2) {
				got = append(got, next.Format("01-02 15:04 -0700"))
			}
			if text := strings.Join(got, ", "); text != tt.want {
				t.Errorf("%s: %s, want %s", tt.phrase, text, tt.want)
			}
		})
	}
}

func TestRareDaysAreFound(t *testing.T) {
	from := time.Date(2097, 3, 1, 0, 0, 0, 0, time.UTC)
	for line, want := range map[string]string{
		"0 0 29 2 *":  "2104-02-29", // 2100 is no leap year
		"0 0 * 2 3#5": "2108-02-29",
		"0 0 * 2 2#5": "2124-02-29",
	} {
		next, ok := when.Schedule{Kind: when.Recurring, Zone: "UTC", Cron: []string{line}}.Next(from)
		if !ok {
			t.Errorf("%s never comes", line)
			continue
		}
		if got := next.Format(time.DateOnly); got != want {
			t.Errorf("%s = %s, want %s", line, got, want)
		}
	}
}

func TestStepsCountFromTheirBeginning(t *testing.T) {
	from := time.Date(2027, 5, 14, 9, 0, 0, 0, time.UTC) // a Friday
	for _, tt := range []struct {
		step when.Step
		line string
		want string
	}{
		{when.Step{N: 3, Unit: when.Day}, "0 9 * * *", "05-14 05-17 05-20"},
		{when.Step{N: 2, Unit: when.Week}, "0 9 * * 1,5", "05-14 05-24 05-28"},
		{when.Step{N: 2, Unit: when.Month}, "0 9 L * *", "05-31 07-31 09-30"},
		{when.Step{N: 24, Unit: when.Month}, "0 9 14 5 *", "05-14 05-14 05-14"},
	} {
		s := when.Schedule{Kind: when.Recurring, Zone: "UTC", Cron: []string{tt.line}, Step: tt.step, From: from}
		var got []string
		for _, next := range s.Upcoming(from.AddDate(0, -1, 0), 3) {
			got = append(got, next.Format("01-02"))
		}
		if text := strings.Join(got, " "); text != tt.want {
			t.Errorf("%s with %v: %s, want %s", tt.line, tt.step, text, tt.want)
		}
	}
}

func TestNothingComesAfterTheEnd(t *testing.T) {
	zone, now := madrid(t)
	s, err := when.Parse("every day at 9 until 15 May", zone, now)
	if err != nil {
		t.Fatal(err)
	}
	if got := shown(s, now.AddDate(0, 0, 1)); got != "27-05-14 09:00, 27-05-15 09:00" {
		t.Errorf("the last times are %s", got)
	}
}

func TestSchedulesSurviveStorage(t *testing.T) {
	zone, now := madrid(t)
	for _, tt := range append(englishPhrases, chinesePhrases...) {
		s, err := when.Parse(tt.phrase, zone, now)
		if err != nil {
			t.Fatal(err)
		}
		stored, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var again when.Schedule
		if err := json.Unmarshal(stored, &again); err != nil {
			t.Fatal(err)
		}
		if got, want := shown(again, now), shown(s, now); got != want {
			t.Errorf("%q was stored as %s and is then due %s, not %s", tt.phrase, stored, got, want)
		}
	}
}

func TestDamagedSchedulesAreNeverDue(t *testing.T) {
	now := time.Date(2027, 5, 12, 12, 0, 0, 0, time.UTC)
	for name, s := range map[string]when.Schedule{
		"nothing":        {},
		"no such zone":   {Kind: when.Recurring, Zone: "Nowhere/Land", Cron: []string{"0 9 * * *"}},
		"no cron":        {Kind: when.Recurring, Zone: "UTC", Cron: []string{"TZ=0"}},
		"one bad line":   {Kind: when.Recurring, Zone: "UTC", Cron: []string{"0 9 * * *", "soon"}},
		"no such day":    {Kind: when.Recurring, Zone: "UTC", Cron: []string{"0 9 31 2 *"}},
		"negative steps": {Kind: when.Recurring, Zone: "UTC", EverySeconds: -5},
		"over":           {Kind: when.Once, Zone: "UTC", At: now.Add(-time.Second)},
	} {
		if next, ok := s.Next(now); ok {
			t.Errorf("%s: due %v", name, next)
		}
		if s.Text(when.English) == "" || s.Text(when.Chinese) == "" {
			t.Errorf("%s: cannot be shown", name)
		}
	}
}
