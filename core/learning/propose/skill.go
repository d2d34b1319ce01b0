package propose

import "context"

// Skill takes in a change of a skill, or a new one, that a review wrote.
func (p *Proposer) Skill(ctx context.Context, c Case, d Draft) (Result, error) {
	return Result{}, nil
}
