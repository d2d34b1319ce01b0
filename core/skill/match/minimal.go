package match

// What makes two texts a minimal pair: that share of their units in the same
// order, of not more than so many.
const (
	pairShare = 0.6
	pairUnits = 80
)

// minimalPair reports whether two texts are word for word the same but for
// something that is not the same thing: "list the customers of a region", "list
// the suppliers of a region". Such texts share most words and yet are about
// other things; texts in other words don't share their order.
func minimalPair(v *vocabulary, a, b string) bool {
	x, y := units(a), units(b)
	if n := max(len(x), len(y)); n == 0 || n > pairUnits || float64(inOrder(x, y)) < pairShare*float64(n) {
		return false
	}
	p, q := content(v, a), content(v, b)
	return tells(p, q) && tells(q, p)
}

// tells reports whether a says something of weight that b does not.
func tells(a, b []slot) bool {
	for _, s := range a {
		best := 0.0
		for _, t := range b {
			best = max(best, alike(s, t))
		}
		if best < nearMeaning && s.weight > whenWeight {
			return true
		}
	}
	return false
}

// inOrder is how many units both have in the same order.
func inOrder(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		before := 0
		for j, y := range b {
			above := row[j+1]
			if x == y {
				row[j+1] = before + 1
			} else {
				row[j+1] = max(row[j+1], row[j])
			}
			before = above
		}
	}
	return row[len(b)]
}
