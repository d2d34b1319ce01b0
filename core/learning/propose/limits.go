package propose

// Limits are the measures of what may be learned.
type Limits struct {
	Skills   int     // new skills a day and scope
	Cards    int     // new cards a day and scope
	Revise   float64 // confidence from which a rule becomes a revision or a new skill
	Remember float64 // confidence from which a rule becomes an emerging card
	Once     float64 // the most that one task, uncorrected, is good for
	Twice    float64 // with a reasoned correction, or two tasks alike
	Often    float64 // with three tasks alike
}

// Defaults are the limits that are used where the operator says nothing.
func Defaults() Limits {
	return Limits{Skills: 5, Cards: 20, Revise: 0.85, Remember: 0.70, Once: 0.75, Twice: 0.90, Often: 0.95}
}
