package propose

import "context"

// Rule takes in a rule that a review found.
func (p *Proposer) Rule(ctx context.Context, c Case, r Rule) (Result, error) {
	return Result{}, nil
}
