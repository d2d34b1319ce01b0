package match

import "strings"

// IndexBudget is what the list of skills may take of a prompt, in tokens as
// text.Tokens estimates them.
const IndexBudget = 3000

// Listing is the list of skills that a session's prompt carries: a line each,
// by proven use, then name, stale ones last, within budget tokens (estimated).
func Listing(skills []Skill, budget int) string {
	var b strings.Builder
	for _, s := range skills {
		b.WriteString("- " + s.Name + ": " + s.Description + "\n")
	}
	return b.String()
}

// Block is the piece of data that goes before a request in the prompt: up to
// five skills that fit it, and the body of the best one where that is certain
// enough, within budget tokens (estimated). It is empty where nothing fits.
func (ix *Index) Block(r Result, budget int) string {
	if r.None {
		return ""
	}
	var b strings.Builder
	for _, s := range r.Ranked {
		b.WriteString("- " + s.Name + "\n")
	}
	return b.String()
}
