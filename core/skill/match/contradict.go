package match

// Contradict reports whether two remembered statements say the same, but one
// is negated and the other is not. Other numbers alone are no contradiction:
// room 12 and room 14 may both have a projector. Neither are other words:
// whoever likes tea need not like coffee.
func Contradict(a, b string) bool {
	x, _ := claims(a)
	y, _ := claims(b)
	return x != y && !replaced(a, b) && cardsAlike.likelihood(a, b) > contradicting
}
