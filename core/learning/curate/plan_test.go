package curate_test

import (
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"talaria/core/learning/curate"
	"talaria/core/skill"
)

func counts(successes, uses int) skill.Counts {
	return skill.Counts{Successes: successes, Failures: uses - successes}
}

func TestWorseIsTheProbabilityOfTwoPosteriors(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ now, before skill.Counts }{
		{counts(4, 8), counts(18, 20)}, {counts(8, 8), counts(2, 9)}, {counts(0, 0), counts(0, 0)}, {counts(7, 10), counts(70, 100)},
	} {
		const draws = 4000
		below := 0
		for range draws {
			if c.now.Posterior().Quantile(r.Float64()) < c.before.Posterior().Quantile(r.Float64()) {
				below++
			}
		}
		drawn, got := float64(below)/draws, curate.Worse(c.now, c.before)
		if diff := drawn - got; diff > 0.02 || diff < -0.02 {
			t.Errorf("%v below %v: %.4f, drawn %.4f", c.now, c.before, got, drawn)
		}
	}
}

// trial looks at a revision every night, after some more uses each, and reports
// whether it is rolled back within so many nights.
func trial(r *rand.Rand, before skill.Counts, chance float64, nights, uses int) bool {
	now := skill.Counts{}
	s := curate.Subject{Before: 1}
	s.Name, s.State, s.Hash, s.InForce, s.CreatedBy = "x", skill.Active, "h", 2, skill.ByAgent
	at := time.Unix(0, 0)
	for range nights {
		at = at.Add(24 * time.Hour)
		for range uses {
			count(r, &now, chance)
		}
		s.Stats = skill.Stats{Revisions: map[int]skill.Counts{1: before, 2: now}, LastUsed: at}
		for _, a := range curate.Decide(curate.Look{Now: at, Skills: []curate.Subject{s}}, curate.Defaults()).Actions {
			if a.Kind == curate.Rollback {
				return true
			}
		}
	}
	return false
}

func count(r *rand.Rand, c *skill.Counts, chance float64) {
	if r.Float64() < chance {
		c.Successes++
	} else {
		c.Failures++
	}
}

// rolledBack is the share of revisions that are rolled back within 50 nights.
func rolledBack(r *rand.Rand, earlier int, was, is float64, uses int) float64 {
	const nights = 50
	trials, n := 300, 0
	if os.Getenv("TALARIA_TORTURE") != "" {
		trials = 800
	}
	for range trials {
		before := skill.Counts{}
		for range earlier {
			count(r, &before, was)
		}
		if trial(r, before, is, nights, uses) {
			n++
		}
	}
	return float64(n) / float64(trials)
}

func TestAsGoodARevisionIsHardlyEverRolledBack(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	befores := []int{200} // the hardest
	if os.Getenv("TALARIA_TORTURE") != "" {
		befores = []int{8, 40, 200}
	}
	for _, earlier := range befores {
		for _, chance := range []float64{0.7, 0.9} {
			for _, uses := range []int{1, 8} {
				got := rolledBack(r, earlier, chance, chance, uses)
				t.Logf("%3d uses before, success %.2f in both, %d a night: rolled back within 50 nights in %.1f %%", earlier, chance, uses, 100*got)
				if got > 0.05 {
					t.Errorf("%d uses before, success %.2f, %d a night: false alarms %.1f %%, at most 5 %%", earlier, chance, uses, 100*got)
				}
			}
		}
	}
}

func TestAWorseRevisionIsFound(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct{ was, is, least float64 }{{0.95, 0.2, 0.99}, {0.9, 0.4, 0.97}, {0.9, 0.6, 0.75}} {
		got := rolledBack(r, 40, c.was, c.is, 1)
		t.Logf("success %.2f, then %.2f: rolled back within 50 nights in %.1f %%", c.was, c.is, 100*got)
		if got < c.least {
			t.Errorf("success %.2f, then %.2f: found in %.1f %%, want at least %.0f %%", c.was, c.is, 100*got, 100*c.least)
		}
	}
}
