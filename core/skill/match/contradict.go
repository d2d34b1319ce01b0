package match

// Contradict reports whether two remembered statements are about the same and
// can't both hold: one is negated and the other is not, or they name other
// numbers.
func Contradict(a, b string) bool {
	return cardsAlike.likelihood(a, b) > contradicting && contrary(a, b)
}
