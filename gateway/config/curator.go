package config

import (
	"fmt"
	"time"

	"talaria/scheduler/when"
)

// Curator looks after what was learned.
type Curator struct {
	Enabled     bool   `toml:"enabled"`
	Nightly     string `toml:"nightly"` // time of day, in the zone of [scheduler]
	Weekly      string `toml:"weekly"`  // day of the health check and the digest, at the same time
	StaleDays   int    `toml:"stale_days"`
	ArchiveDays int    `toml:"archive_days"`
	Uses        int    `toml:"uses"`         // the latest of a revision, that are looked at
	LeastUses   int    `toml:"least_uses"`   // fewer say nothing
	Keep        int    `toml:"keep"`         // percent of success above which all is well
	Prune       int    `toml:"prune"`        // and below which people are asked to put a skill away
	RewriteUses int    `toml:"rewrite_uses"` // after so many a failing one is written anew
	CompareUses int    `toml:"compare_uses"` // after so many a revision is compared with the one before
	PinUses     int    `toml:"pin_uses"`     // after so many a pin is proposed
	Overlap     int    `toml:"overlap"`      // percent of likeness from which two skills are for one class of work
	Rewrites    int    `toml:"rewrites"`     // texts that are written anew in one look at a person or place
	Examples    int    `toml:"examples"`     // uses that failed, and that succeeded, which are shown to write one
	MaxTokens   int    `toml:"max_tokens"`   // of what is written
	// AskAgainDays is after how long what nobody answered is asked again.
	AskAgainDays int `toml:"ask_again_days"`
	LatestUse    int `toml:"latest_use"` // percent that it weighs in the trend of success that is shown
}

// Nights is when the nightly look is due.
func (c Curator) Nights(zone *time.Location, now time.Time) (when.Schedule, error) {
	return recurring("every day at "+c.Nightly, zone, now)
}

// Weeks is when the health check and the digest are due.
func (c Curator) Weeks(zone *time.Location, now time.Time) (when.Schedule, error) {
	return recurring("every "+c.Weekly+" at "+c.Nightly, zone, now)
}

func recurring(phrase string, zone *time.Location, now time.Time) (when.Schedule, error) {
	s, err := when.Parse(phrase, zone, now)
	if err == nil && s.Kind != when.Recurring {
		err = fmt.Errorf("%q is due only once", phrase)
	}
	return s, err
}

// weekly reports whether a schedule is for one day of the week.
func weekly(s when.Schedule, now time.Time) bool {
	next := s.Upcoming(now, 2)
	return len(next) == 2 && next[1].Sub(next[0]) == 7*24*time.Hour
}

func (l *loader) checkCurator() {
	c := l.cfg.Learning.Curator
	const at = "learning.curator"
	now := time.Unix(0, 0).UTC()
	if _, err := time.Parse("15:04", c.Nightly); err != nil {
		l.bad(at+".nightly", fmt.Sprintf("%q is no time of day", c.Nightly), `write one like "03:30"`)
	} else if s, err := c.Weeks(time.UTC, now); err != nil || !weekly(s, now) {
		l.bad(at+".weekly", fmt.Sprintf("%q is no day of the week", c.Weekly), `write one like "monday" or "mon"`)
	}
	l.atLeast(1, at+".stale_days", c.StaleDays)
	l.atLeast(c.StaleDays, at+".archive_days", c.ArchiveDays)
	l.atLeast(1, at+".least_uses", c.LeastUses)
	l.atLeast(c.LeastUses, at+".uses", c.Uses)
	l.atLeast(c.LeastUses, at+".rewrite_uses", c.RewriteUses)
	l.atLeast(1, at+".compare_uses", c.CompareUses)
	l.atLeast(1, at+".pin_uses", c.PinUses)
	l.percent(at+".keep", c.Keep)
	l.percent(at+".prune", c.Prune)
	l.inOrder(at+".prune", c.Prune, "keep", c.Keep)
	l.percent(at+".overlap", c.Overlap)
	l.atLeast(0, at+".rewrites", c.Rewrites)
	l.atLeast(1, at+".examples", c.Examples)
	l.atLeast(1, at+".max_tokens", c.MaxTokens)
	l.atLeast(1, at+".ask_again_days", c.AskAgainDays)
	l.percent(at+".latest_use", c.LatestUse)
}
