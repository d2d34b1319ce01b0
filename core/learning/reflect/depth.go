package reflect

import (
	"talaria/core/learning"
)

// Depth is how closely a task is looked at.
type Depth string

// The depths.
const (
	None     Depth = ""
	Quick    Depth = "quick"    // was it corrected, and how: no model is asked
	Standard Depth = "standard" // one report on one task
	Deep     Depth = "deep"     // with the reports before it: patterns, rules to merge
)

// level orders depths.
func (d Depth) level() int {
	switch d {
	case Quick:
		return 1
	case Standard:
		return 2
	case Deep:
		return 3
	}
	return 0
}

// Trigger is when tasks are reviewed by themselves.
type Trigger string

// The triggers.
const (
	AfterEveryTask  Trigger = "after_every_task"
	AfterCorrection Trigger = "after_correction_only"
	Manual          Trigger = "manual"
)

// depth is how closely a notice has a task looked at: quick, unless there is a
// sign that something can be learned.
func (c Config) depth(n learning.Notice, o learning.Observed) Depth {
	switch {
	case !c.Enabled, c.Trigger == Manual:
		return None
	case c.Trigger == AfterCorrection && !o.Corrected:
		return None
	case o.Corrected, o.Remember, o.Gate.Pass:
		return c.Depth
	}
	switch n.Cause {
	case learning.Remember, learning.Third, learning.Tenth:
		return c.Depth
	case learning.Midway:
		return Standard // there is little to see yet
	}
	return Quick
}
