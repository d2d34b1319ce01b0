package match

import "talaria/core/text"

// Similarity is the likelihood that two skills are the same ability, by name
// and description. Opposites, other directions and other objects (Slack for
// Discord) never reach Alike.
func Similarity(a, b Skill) float64 {
	return shared(a.Name+"\n"+a.Description, b.Name+"\n"+b.Description)
}

// RequestSimilarity is the likelihood that two requests ask for the same kind
// of task.
func RequestSimilarity(a, b string) float64 { return shared(a, b) }

// CardSimilarity is the likelihood that two remembered statements say the same.
func CardSimilarity(a, b string) float64 { return shared(a, b) }

// shared is the share of terms that both texts have.
func shared(a, b string) float64 {
	x, y := text.Counts(a), text.Counts(b)
	both := 0
	for t := range x {
		if y[t] > 0 {
			both++
		}
	}
	if len(x)+len(y) == 0 {
		return 1
	}
	return 2 * float64(both) / float64(len(x)+len(y))
}
