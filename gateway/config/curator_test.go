package config_test

import (
	"strings"
	"testing"
	"time"

	"talaria/gateway/config"
)

func TestTheCuratorComesAtNightAndOnItsDay(t *testing.T) {
	c := config.Default().Learning.Curator
	noon := time.Date(2026, 6, 3, 12, 0, 0, 0, time.UTC) // a Wednesday
	nights, err := c.Nights(time.UTC, noon)
	if err != nil {
		t.Fatal(err)
	}
	weeks, err := c.Weeks(time.UTC, noon)
	if err != nil {
		t.Fatal(err)
	}
	night, _ := nights.Next(noon)
	week, _ := weeks.Next(noon)
	if want := time.Date(2026, 6, 4, 3, 30, 0, 0, time.UTC); !night.Equal(want) {
		t.Errorf("next night %v, want %v", night, want)
	}
	if want := time.Date(2026, 6, 8, 3, 30, 0, 0, time.UTC); !week.Equal(want) {
		t.Errorf("next week %v, want %v", week, want)
	}
}

func TestTimesOfTheCuratorAreChecked(t *testing.T) {
	for line, want := range map[string]string{
		`nightly = "late"`: "learning.curator.nightly", `weekly = "doomsday"`: "learning.curator.weekly", `weekly = "day"`: "learning.curator.weekly", `weekly = "weekday"`: "learning.curator.weekly",
		`stale_days = 0`: "learning.curator.stale_days", `archive_days = 3`: "learning.curator.archive_days",
	} {
		_, _, err := config.Parse("test.toml", []byte("[learning.curator]\n"+line+"\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want a complaint about %s", line, err, want)
		}
	}
}
