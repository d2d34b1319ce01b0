package when_test

import (
	"errors"
	"testing"
	"time"

	"talaria/scheduler/when"
)

// FuzzParse takes any text for a phrase: it is refused with a reason, or is a
// schedule whose times come one after the other.
func FuzzParse(f *testing.F) {
	for _, tt := range append(englishPhrases, chinesePhrases...) {
		f.Add(tt.phrase)
	}
	for _, tt := range append(englishRefused, chineseRefused...) {
		f.Add(tt.phrase)
	}
	zone, now := madrid(f)
	f.Fuzz(func(t *testing.T, phrase string) {
		start := time.Now()
		s, err := when.Parse(phrase, zone, now)
		_, _, _ = when.Find(phrase, zone, now)
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("%q took %v", phrase, took)
		}
		if err != nil {
			if unclear, ok := errors.AsType[*when.Unclear](err); !ok || unclear.Reason == "" {
				t.Errorf("%q: %v is no answer for a person", phrase, err)
			}
			return
		}
		if s.Text(when.English) == "" || s.Text(when.Chinese) == "" {
			t.Errorf("%q cannot be said", phrase)
		}
		after := now
		for range 5 {
			next, ok := s.Next(after)
			if !ok {
				break
			}
			if !next.After(after) {
				t.Fatalf("%q: %v comes after %v", phrase, next, after)
			}
			if s.Kind == when.Recurring && after != now && next.Sub(after) < time.Minute {
				t.Fatalf("%q: %v and %v are less than a minute apart", phrase, after, next)
			}
			after = next
		}
		if after == now {
			t.Errorf("%q was taken and is never due", phrase)
		}
	})
}

// FuzzNext takes any text for a stored line, in zones with odd clocks.
func FuzzNext(f *testing.F) {
	f.Add("0 2 * * *", int64(1_800_000_000), uint8(0))
	f.Add("*/7 */3 L-2,15W 1-12/2 1#3,5L", int64(1_325_000_000), uint8(1))
	f.Add("TZ=0", int64(0), uint8(2))
	zones := []string{"Australia/Lord_Howe", "Pacific/Apia", "America/Sao_Paulo", "Africa/Monrovia", "UTC+05:45", "Europe/Dublin"}
	f.Fuzz(func(t *testing.T, line string, unix int64, zone uint8) {
		after := time.Unix(unix%100_000_000_000, 0)
		s := when.Schedule{Kind: when.Recurring, Zone: zones[int(zone)%len(zones)], Cron: []string{line}}
		for range 3 {
			next, ok := s.Next(after)
			if !ok {
				return
			}
			if !next.After(after) {
				t.Fatalf("%q: %v comes after %v", line, next, after)
			}
			after = next
		}
	})
}
