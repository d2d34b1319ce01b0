package propose

import (
	"time"

	"talaria/core/skill/match"
)

// Limits are the measures of what may be learned.
type Limits struct {
	Skills   int     // new skills a day and scope
	Cards    int     // new cards a day and scope
	Revise   float64 // confidence from which a rule becomes a revision or a new skill
	Remember float64 // confidence from which a rule becomes an emerging card
	Once     float64 // the most that one task, uncorrected, is good for
	Twice    float64 // with a reasoned correction, or two tasks alike
	Often    float64 // with three tasks alike
	Covers   float64 // likelihood from which a skill covers some work
	Same     float64 // likelihood from which a new skill is one that there is
	Alike    float64 // and from which it becomes a support file of that one
	Pitfalls int     // that one task adds to a skill
	Uses     int     // of a skill, the latest, that a correction is weighed against
	// Traces is how long a trace stays that nothing cites any more.
	Traces time.Duration
}

// Defaults are the limits that are used where the operator says nothing.
func Defaults() Limits {
	return Limits{
		Skills: 5, Cards: 20, Revise: 0.85, Remember: 0.70, Once: 0.75, Twice: 0.90, Often: 0.95,
		Covers: match.Confident, Same: match.Same, Alike: match.Alike, Pitfalls: 5, Uses: 20, Traces: 30 * 24 * time.Hour,
	}
}
