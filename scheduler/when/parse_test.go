package when_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"talaria/scheduler/when"
)

func load(t testing.TB, zone string) *time.Location {
	t.Helper()
	loaded, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

// madrid is the zone and the time at which the tables' phrases are said.
func madrid(t testing.TB) (*time.Location, time.Time) {
	zone := load(t, "Europe/Madrid")
	return zone, time.Date(2027, 5, 12, 14, 20, 0, 0, zone)
}

// shown writes a schedule as the tables do.
func shown(s when.Schedule, now time.Time) string {
	var times []string
	for _, next := range s.Upcoming(now, 3) {
		times = append(times, next.Format("06-01-02 15:04"))
	}
	text := strings.Join(times, ", ")
	if s.Kind == when.Once {
		return "once " + text
	}
	return text
}

func TestTwoLettersThatDoNotBelongAreAskedBack(t *testing.T) {
	now := time.Date(2026, 3, 4, 10, 15, 0, 0, time.UTC)
	for phrase, want := range map[string]string{"next Blursday at 9": "next thursday at 9", "every saterdey at 9": "every saturday at 9", "tommorow at 9": "", "wendesday at 9": ""} {
		_, err := when.Parse(phrase, time.UTC, now)
		u, asked := errors.AsType[*when.Unclear](err)
		if asked != (want != "") || asked && (u.Cause != when.Ambiguous || !slices.Equal(u.Suggestions, []string{want})) {
			t.Errorf("%q came to %v", phrase, err)
		}
	}
}

func TestPhrasesMeanTheseTimes(t *testing.T) {
	zone, now := madrid(t)
	for _, tt := range append(englishPhrases, chinesePhrases...) {
		s, err := when.Parse(tt.phrase, zone, now)
		if err != nil {
			t.Errorf("%q: %v", tt.phrase, err)
			continue
		}
		if tt.zone == "" {
			tt.zone = "Europe/Madrid"
		}
		if got := shown(s, now); got != tt.next || s.Zone != tt.zone {
			t.Errorf("%q = %s in %s, want %s in %s", tt.phrase, got, s.Zone, tt.next, tt.zone)
		}
	}
}

func TestWhatIsUnclearIsAskedBackAbout(t *testing.T) {
	zone, now := madrid(t)
	for _, tt := range append(englishRefused, chineseRefused...) {
		s, err := when.Parse(tt.phrase, zone, now)
		unclear, ok := errors.AsType[*when.Unclear](err)
		if !ok {
			t.Errorf("%q was taken as %s", tt.phrase, s.Text(when.English))
			continue
		}
		if unclear.Cause != tt.cause || unclear.Reason == "" {
			t.Errorf("%q: %s (%q), want %s", tt.phrase, unclear.Cause, unclear.Reason, tt.cause)
		}
		if when.Language(unclear.Reason) != when.Language(tt.phrase) {
			t.Errorf("%q is answered in another language: %q", tt.phrase, unclear.Reason)
		}
	}
}

func TestSuggestionsAreUnderstood(t *testing.T) {
	zone, now := madrid(t)
	suggested := 0
	for _, tt := range append(englishRefused, chineseRefused...) {
		_, err := when.Parse(tt.phrase, zone, now)
		unclear, ok := errors.AsType[*when.Unclear](err)
		if !ok {
			continue
		}
		for _, phrase := range unclear.Suggestions {
			suggested++
			if _, err := when.Parse(phrase, zone, now); err != nil {
				t.Errorf("%q suggests %q: %v", tt.phrase, phrase, err)
			}
		}
	}
	if suggested < 100 {
		t.Errorf("only %d suggestions", suggested)
	}
}

// TestWordsOfASchedule compares what is said back.
func TestWordsOfASchedule(t *testing.T) {
	zone, now := madrid(t)
	for phrase, want := range map[string]string{
		"weekdays at 7:05":                           "every weekday at 07:05 (Europe/Madrid)",
		"Saturdays and Sundays at 10":                "every Saturday and Sunday at 10:00 (Europe/Madrid)",
		"every 20 minutes from 9 to 11":              "every 20 minutes from 09:00 to 11:00 (Europe/Madrid)",
		"every hour from 22:00 to 02:00":             "every hour from 22:00 to 02:00 (Europe/Madrid)",
		"first and last Friday of the month at 6 pm": "on the first Friday and on the last Friday of each month at 18:00 (Europe/Madrid)",
		"every other Tuesday at 8:30":                "every 2 weeks, on Tuesday at 08:30, from 18 May 2027 on (Europe/Madrid)",
		"the 2nd to last day of each month at 9":     "on day 1 before the last of each month at 09:00 (Europe/Madrid)",
		"0 6 1W,15W * *":                             "on the first working day and the working day nearest to the 15th of each month at 06:00 (Europe/Madrid)",
		"0 7 13 * 5":                                 "on the 13th of each month or every Friday at 07:00 (Europe/Madrid)",
		"*/5 * * 7 *":                                "every day in July, every 5 minutes (Europe/Madrid)",
		"tomorrow at 8am Tokyo time":                 "once, on Thursday, 13 May 2027 at 08:00 (Asia/Tokyo)",
		"in 90 seconds":                              "once, on Wednesday, 12 May 2027 at 14:21:30 (Europe/Madrid)",
		"every 90 minutes":                           "every 90 minutes (Europe/Madrid)",
		"daily at 9 until 2 June":                    "every day at 09:00, until 2 June 2027, 23:59 (Europe/Madrid)",
		"每月最后一个工作日下午六点":                              "每月最后一个工作日18:00（Europe/Madrid）",
		"每两周周二上午八点半":                                 "每2周，周二08:30，从2027年5月18日起（Europe/Madrid）",
		"9点到11点每20分钟":                                "09:00到11:00每20分钟（Europe/Madrid）",
		"明天下午三点":                                     "一次：2027年5月13日（周四）15:00（Europe/Madrid）",
		"每年三月和九月的第一个周一上午九点":                          "每年3月、9月第一个周一09:00（Europe/Madrid）",
		"每天九点到六月二号为止":                                "每天09:00，到2027年6月2日23:59为止（Europe/Madrid）",
	} {
		s, err := when.Parse(phrase, zone, now)
		if err != nil {
			t.Errorf("%q: %v", phrase, err)
			continue
		}
		if got := s.Text(when.Language(phrase)); got != want {
			t.Errorf("%q is said back as %q, want %q", phrase, got, want)
		}
	}
}

// TestSaidBackIsUnderstood is the strongest check of words: what a plain
// schedule is called is read as the same schedule.
func TestSaidBackIsUnderstood(t *testing.T) {
	zone, now := madrid(t)
	for _, line := range []string{
		"0 9 * * *", "30 7 * * 1-5", "15 18 * * 6,0", "0 8,20 * * *", "*/15 * * * *", "0 * * * *", "40 * * * *",
		"0 9 1,15 * *", "0 9 L * *", "0 9 LW * *", "0 9 1W * *", "45 16 * * 5L", "0 11 * * 1#1", "0 10 24 12 *",
		"0 9 1 1,4,7,10 *", "0,30 9-16 * * 1-5",
	} {
		s, err := when.Parse(line, zone, now)
		if err != nil {
			t.Fatal(err)
		}
		for _, lang := range []string{when.English, when.Chinese} {
			text := strings.NewReplacer(" (Europe/Madrid)", "", "（Europe/Madrid）", "").Replace(s.Text(lang))
			again, err := when.Parse(text, zone, now)
			if err != nil {
				t.Errorf("%s is called %q, which is not understood: %v", line, text, err)
				continue
			}
			if got, want := shown(again, now), shown(s, now); got != want {
				t.Errorf("%s is called %q, which is read as %s, not %s", line, text, got, want)
			}
		}
	}
}

func TestTheNowOfAPhraseIsThatOfItsZone(t *testing.T) {
	zone := load(t, "America/Los_Angeles")
	now := time.Date(2027, 5, 12, 20, 0, 0, 0, zone) // the 13th in Tokyo already
	s, err := when.Parse("tomorrow at 9am Tokyo time", zone, now)
	if err != nil {
		t.Fatal(err)
	}
	if got := shown(s, now); got != "once 27-05-14 09:00" {
		t.Errorf("tomorrow in Tokyo = %s", got)
	}
}

func TestALocationWithoutNameKeepsItsOffset(t *testing.T) {
	zone := time.FixedZone("", -(3*3600 + 1800))
	now := time.Date(2027, 5, 12, 12, 0, 0, 0, zone)
	s, err := when.Parse("every day at 9", zone, now)
	if err != nil {
		t.Fatal(err)
	}
	if next, ok := s.Next(now); s.Zone != "UTC-03:30" || !ok || next.UTC().Format("15:04") != "12:30" {
		t.Errorf("next in %s is %v", s.Zone, next.UTC())
	}
}
