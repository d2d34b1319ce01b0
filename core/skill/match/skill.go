package match

// Skill is what matching sees of a skill.
type Skill struct {
	Name        string
	Description string
	Triggers    []string // words and phrases that call for it, tags included
	Body        string   // Markdown; only its beginning is looked at
	Uses        int      // how often it was used
	Success     float64  // proven success, 0..1: the lower bound, not the average
	Stale       bool     // listed last
	Scope       int      // the smaller the narrower; narrower ones go first
}

// The two cut-offs of a request's score against a skill. At both it is a
// likelihood, not a measure of words.
const (
	Floor     = 0.35 // below it nothing fits
	Confident = 0.75 // from it on at least nine of ten best matches are right
)

// The cut-offs of the likelihood that two things are the same.
const (
	Same    = 0.90 // from it on: the same thing
	Alike   = 0.75 // from it on: alike
	Another = 0.50 // below it: another thing
)

// Scored is a skill with the likelihood that it is the right one, 0..1.
type Scored struct {
	Name  string
	Score float64
}

// Result is what fits a request.
type Result struct {
	Ranked []Scored // best first; those below Floor too, so that a caller can show what came near
	None   bool     // nothing reaches Floor
}
