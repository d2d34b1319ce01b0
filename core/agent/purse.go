package agent

// leastAnswer is the room, in tokens, that an answer needs to be worth a call.
const leastAnswer = 100

// affords reports whether what is left of the turn's own tokens will do for
// this request so many times.
func (r *run) affords(q Request, times int) bool {
	if r.turn.Tokens == 0 {
		return true
	}
	return r.left() >= times*(r.l.scale.tokens(estimate(q))+leastAnswer)
}

// left is what the turn has not used yet of its own tokens.
func (r *run) left() int { return r.turn.Tokens - r.usage.Input - r.usage.Output }

// bounded is the request with no more room for its answer than the turn's own
// tokens leave.
func (r *run) bounded(q Request) Request {
	if r.turn.Tokens == 0 {
		return q
	}
	room := max(r.left()-r.l.scale.tokens(estimate(q)), 1)
	if q.MaxTokens == 0 || q.MaxTokens > room {
		q.MaxTokens = room
	}
	return q
}
