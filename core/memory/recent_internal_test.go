package memory

import (
	"testing"
	"time"
)

func TestParseRecent(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	// A Wednesday; an hour later it is Thursday in Berlin.
	now := time.Date(2026, 3, 11, 22, 30, 0, 0, time.UTC)
	for query, want := range map[string][2]string{
		"what did we deploy":                {},
		"what is due every Monday":          {},
		"the yesterdays of rock":            {},
		"what did we say yesterday":         {"2026-03-10", "2026-03-11"},
		"the day before yesterday":          {"2026-03-09", "2026-03-10"},
		"what did I tell you last night":    {"2026-03-10", "2026-03-11"},
		"what did I ask this morning":       {"2026-03-11", "2026-03-12"},
		"the outage last Tuesday":           {"2026-03-10", "2026-03-11"},
		"the outage last wednesday":         {"2026-03-04", "2026-03-05"},
		"the outage on Wednesday":           {"2026-03-11", "2026-03-12"},
		"the outage on Thursday":            {"2026-03-05", "2026-03-06"},
		"decisions of last week":            {"2026-03-02", "2026-03-09"},
		"decisions of this week":            {"2026-03-09", "2026-03-16"},
		"last month's numbers":              {"2026-02-01", "2026-03-01"},
		"last year":                         {"2025-01-01", "2026-01-01"},
		"three days ago":                    {"2026-03-08", "2026-03-09"},
		"two weeks ago":                     {"2026-02-22", "2026-03-01"},
		"the past 5 days":                   {"2026-03-06", "2026-03-12"},
		"昨天说了什么":                            {"2026-03-10", "2026-03-11"},
		"前天的会议":                             {"2026-03-09", "2026-03-10"},
		"大前天":                               {"2026-03-08", "2026-03-09"},
		"三天前谁说的":                            {"2026-03-08", "2026-03-09"},
		"上周的决定":                             {"2026-03-02", "2026-03-09"},
		"上周二的故障":                            {"2026-03-03", "2026-03-04"},
		"上個星期天":                             {"2026-03-08", "2026-03-09"},
		"本周一":                               {"2026-03-09", "2026-03-10"},
		"周三说的":                              {"2026-03-11", "2026-03-12"},
		"上个月的预算":                            {"2026-02-01", "2026-03-01"},
		"去年的预算":                             {"2025-01-01", "2026-01-01"},
		"最近两周":                              {"2026-02-25", "2026-03-12"},
		"先週の会議":                             {"2026-03-02", "2026-03-09"},
		"昨日の障害":                             {"2026-03-10", "2026-03-11"},
		"what happened at the weekday cafe": {},
	} {
		got := parseRecent(query, now)
		if want[0] == "" {
			if got != (span{}) {
				t.Errorf("%q: %v", query, got)
			}
			continue
		}
		if f, to := got.from.Format(time.DateOnly), got.to.Format(time.DateOnly); f != want[0] || to != want[1] {
			t.Errorf("%q: from %s to %s, want %v", query, f, to, want)
		}
	}
	if got := parseRecent("yesterday", now.In(berlin)); got.from.Format(time.RFC3339) != "2026-03-10T00:00:00+01:00" {
		t.Errorf("yesterday in Berlin begins at %s", got.from)
	}
}
