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

// Rivals reports whether of two wishes about one piece of work only one can be
// met: they are the same but for a word in the place of another, be it one of
// every day ("short", "long"), a number or a negation, or they name different
// sides of a contrast ("as csv", "as json").
func Rivals(a, b string) bool {
	ex := excluding()
	return swapped(a, b, 0) || ex.conflict(ex.stance(a), ex.stance(b), true) || contrary(a, b) && cardsAlike.likelihood(a, b) > contradicting
}
