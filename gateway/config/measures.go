package config

import (
	"fmt"
	"time"

	"talaria/core/learning"
	"talaria/core/learning/curate"
	"talaria/core/learning/observe"
	"talaria/core/skill"
)

// Gate says what calls for a new skill. Any one of it does, beside somebody's
// wish and a correction that was right.
type Gate struct {
	Steps    int `toml:"steps"`    // calls of tools
	Alike    int `toml:"alike"`    // tasks before it
	Messages int `toml:"messages"` // of a task that has
	Value    int `toml:"value"`    // this learning value, in percent
	Same     int `toml:"same"`     // percent of likelihood from which an existing skill is changed instead
}

func defaultGate() Gate {
	d := learning.DefaultMeasures()
	return Gate{Steps: d.Steps, Alike: d.Similar, Messages: d.Messages, Value: percent(d.Value), Same: percent(d.Same)}
}

// Measures are the gate as package learning takes it.
func (g Gate) Measures() learning.Measures {
	return learning.Measures{Steps: g.Steps, Similar: g.Alike, Messages: g.Messages, Value: share(g.Value), Same: share(g.Same)}
}

// Value is what the learning value of a task is made of, in percent.
type Value struct {
	Success    int `toml:"success"`
	Tools      int `toml:"tools"`       // it took several tools:
	LeastTools int `toml:"least_tools"` // so many,
	Recovered  int `toml:"recovered"`   // it overcame an error
	General    int `toml:"general"`     // it generalises, which it does
	Rubric     int `toml:"rubric"`      // from this share of its rubric on
}

func defaultValue() Value {
	d := observe.DefaultWeights()
	return Value{
		Success: percent(d.Success), Tools: percent(d.Tools), LeastTools: d.LeastTools,
		Recovered: percent(d.Recovered), General: percent(d.General), Rubric: percent(d.Rubric),
	}
}

// Weights are the value as package observe takes it.
func (v Value) Weights() observe.Weights {
	return observe.Weights{
		Success: share(v.Success), Tools: share(v.Tools), LeastTools: v.LeastTools,
		Recovered: share(v.Recovered), General: share(v.General), Rubric: share(v.Rubric),
	}
}

func (l *loader) checkValue() {
	v := l.cfg.Learning.Value
	const at = "learning.value"
	l.atLeast(0, at+".success", v.Success)
	l.atLeast(0, at+".tools", v.Tools)
	l.atLeast(1, at+".least_tools", v.LeastTools)
	l.atLeast(0, at+".recovered", v.Recovered)
	l.atLeast(0, at+".general", v.General)
	l.percent(at+".rubric", v.Rubric)
	if sum := v.Success + v.Tools + v.Recovered + v.General; sum > 100 {
		l.bad(at, fmt.Sprintf("its parts come to %d %%", sum), "write success, tools, recovered and general so that they come to 100 at most")
	}
}

// Corrections are what a person's correction is worth, as confidence of the rule
// that it makes, in percent.
type Corrections struct {
	Reasoned int `toml:"reasoned"` // it came with its reason
	First    int `toml:"first"`
	Second   int `toml:"second"` // the like was said before
	Third    int `toml:"third"`
}

func defaultCorrections() Corrections {
	d := observe.DefaultWorths()
	return Corrections{Reasoned: percent(d.Reasoned), First: percent(d.First), Second: percent(d.Second), Third: percent(d.Third)}
}

// Worths are the corrections as package observe takes them.
func (c Corrections) Worths() observe.Worths {
	return observe.Worths{Reasoned: share(c.Reasoned), First: share(c.First), Second: share(c.Second), Third: share(c.Third)}
}

// defaultCurator is what package curate keeps to by itself.
func defaultCurator() Curator {
	d := curate.Defaults()
	return Curator{
		Enabled: true, Nightly: "03:30", Weekly: "monday", StaleDays: days(d.StaleAfter), ArchiveDays: days(d.ArchiveAfter),
		Uses: d.Window, LeastUses: d.Enough, RewriteUses: d.Rewritten, CompareUses: d.Compared, PinUses: d.MuchUsed,
		Keep: percent(d.Keep), Prune: percent(d.Prune), Overlap: percent(d.Overlap),
		Rewrites: d.Written, Examples: d.Shown, MaxTokens: d.Answer, AskAgainDays: days(d.AskedAgain), LatestUse: percent(skill.LatestUse),
	}
}

// UpkeepLimits are the measures as package curate takes them.
func (cfg Learning) UpkeepLimits() curate.Limits {
	c, l := cfg.Curator, curate.Defaults()
	l.StaleAfter, l.ArchiveAfter = time.Duration(c.StaleDays)*day, time.Duration(c.ArchiveDays)*day
	l.Window, l.Enough, l.Rewritten, l.Compared, l.MuchUsed = c.Uses, c.LeastUses, c.RewriteUses, c.CompareUses, c.PinUses
	l.Keep, l.Prune, l.Overlap = share(c.Keep), share(c.Prune), share(c.Overlap)
	l.Written, l.Shown, l.Answer, l.AskedAgain = c.Rewrites, c.Examples, c.MaxTokens, time.Duration(c.AskAgainDays)*day
	l.WholeSteps, l.Pitfalls = cfg.Reflection.WholeSteps, cfg.Proposals.Pitfalls
	return l
}

const day = 24 * time.Hour

func days(d time.Duration) int { return int(d / day) }

func percent(share float64) int { return int(100*share + 0.5) }

func share(percent int) float64 { return float64(percent) / 100 }

func (l *loader) checkMeasures() {
	g, c := l.cfg.Learning.Gate, l.cfg.Learning.Corrections
	l.atLeast(1, "learning.gate.steps", g.Steps)
	l.atLeast(1, "learning.gate.alike", g.Alike)
	l.atLeast(1, "learning.gate.messages", g.Messages)
	l.percent("learning.gate.value", g.Value)
	l.percent("learning.gate.same", g.Same)
	l.checkValue()
	const at = "learning.corrections"
	l.percent(at+".reasoned", c.Reasoned)
	l.percent(at+".first", c.First)
	l.percent(at+".second", c.Second)
	l.percent(at+".third", c.Third)
	l.inOrder(at+".first", c.First, "second", c.Second)
	l.inOrder(at+".second", c.Second, "third", c.Third)
}
