package config

import (
	"fmt"
	"time"

	"talaria/core/learning/outline"
	"talaria/core/learning/propose"
)

// Proposals are the measures of what may be learned. Confidences are in
// percent.
type Proposals struct {
	SkillsPerDay int `toml:"skills_per_day"` // new ones in one scope
	CardsPerDay  int `toml:"cards_per_day"`  // new ones in one scope
	Revise       int `toml:"revise"`         // from it on a rule goes into a skill
	Remember     int `toml:"remember"`       // from it on a rule becomes a card; below it stands in the report
	OneTask      int `toml:"one_task"`       // the most that one task is good for
	TwoTasks     int `toml:"two_tasks"`      // with a reasoned correction, or two tasks alike
	ThreeTasks   int `toml:"three_tasks"`
	Covers       int `toml:"covers"`   // percent of likelihood from which a skill is the one for some work
	Alike        int `toml:"alike"`    // and from which a new skill becomes a file of one that there is
	Pitfalls     int `toml:"pitfalls"` // that one task, or one night, adds to a skill
	Uses         int `toml:"uses"`     // of a skill, that a correction is weighed against
	Steps        int `toml:"steps"`    // the most of a skill
}

// defaultProposals are what package propose keeps to by itself.
func defaultProposals() Proposals {
	d := propose.Defaults()
	return Proposals{
		SkillsPerDay: d.Skills, CardsPerDay: d.Cards, Revise: percent(d.Revise), Remember: percent(d.Remember),
		OneTask: percent(d.Once), TwoTasks: percent(d.Twice), ThreeTasks: percent(d.Often),
		Covers: percent(d.Covers), Alike: percent(d.Alike), Pitfalls: d.Pitfalls, Uses: d.Uses, Steps: outline.MaxSteps,
	}
}

// ProposalLimits are the measures as package propose takes them. What the same
// skill is, the gate says; how long a trace is kept, the retention.
func (c Config) ProposalLimits() propose.Limits {
	p := c.Learning.Proposals
	return propose.Limits{
		Skills: p.SkillsPerDay, Cards: p.CardsPerDay, Revise: share(p.Revise), Remember: share(p.Remember),
		Once: share(p.OneTask), Twice: share(p.TwoTasks), Often: share(p.ThreeTasks),
		Covers: share(p.Covers), Same: share(c.Learning.Gate.Same), Alike: share(p.Alike), Pitfalls: p.Pitfalls, Uses: p.Uses,
		Traces: time.Duration(c.Retention.TracesDays) * day,
	}
}

func (l *loader) checkProposals() {
	p := l.cfg.Learning.Proposals
	const at = "learning.proposals"
	l.atLeast(0, at+".skills_per_day", p.SkillsPerDay)
	l.atLeast(0, at+".cards_per_day", p.CardsPerDay)
	l.percent(at+".remember", p.Remember)
	l.percent(at+".revise", p.Revise)
	l.percent(at+".one_task", p.OneTask)
	l.percent(at+".two_tasks", p.TwoTasks)
	l.percent(at+".three_tasks", p.ThreeTasks)
	l.percent(at+".covers", p.Covers)
	l.percent(at+".alike", p.Alike)
	l.atLeast(0, at+".pitfalls", p.Pitfalls)
	l.atLeast(1, at+".uses", p.Uses)
	l.atLeast(1, at+".steps", p.Steps)
	l.inOrder(at+".alike", p.Alike, "learning.gate.same", l.cfg.Learning.Gate.Same)
	l.inOrder(at+".remember", p.Remember, "revise", p.Revise)
	l.inOrder(at+".one_task", p.OneTask, "two_tasks", p.TwoTasks)
	l.inOrder(at+".two_tasks", p.TwoTasks, "three_tasks", p.ThreeTasks)
}

// inOrder refuses a measure that is above the one that follows it.
func (l *loader) inOrder(key string, value int, next string, limit int) {
	if value > limit {
		l.bad(key, fmt.Sprintf("%d is above %s, which is %d", value, next, limit), "write the two in order")
	}
}

func (l *loader) percent(key string, value int) {
	if value < 1 || value > 100 {
		l.bad(key, "is no percentage", "write a number from 1 to 100")
	}
}
