package match

import (
	"maps"
	"strings"

	"talaria/core/text"
)

// negations turn a statement into its contrary.
var negations = set("no not never without neither nor none cannot avoid stop forbid forbidden")

// Characters that negate, and words in which they don't.
var (
	negating = [...]string{"不", "没", "别", "勿", "无需", "禁止", "避免"}
	harmless = strings.NewReplacer("特别", "", "区别", "", "分别", "", "类别", "", "级别", "", "别人", "", "别的", "",
		"不错", "", "不同", "", "不仅", "", "不但", "", "不过", "", "没问题", "")
)

// contrary reports whether two statements that are otherwise alike contradict
// each other: one is negated and the other is not, or they name other numbers.
func contrary(a, b string) bool {
	x, xs := claims(a)
	y, ys := claims(b)
	return x != y || len(xs) > 0 && len(ys) > 0 && !maps.Equal(xs, ys)
}

// claims returns whether a statement is negated, and its numbers.
func claims(s string) (negated bool, numbers map[string]bool) {
	numbers = map[string]bool{}
	for piece, run := range text.Pieces(s) {
		switch {
		case run:
			negated = negated || negates(piece)
		case piece[0] >= '0' && piece[0] <= '9':
			numbers[piece] = true
		default:
			negated = negated || negations[piece] || strings.HasSuffix(piece, "n't")
		}
	}
	return negated, numbers
}

func negates(run string) bool {
	run = harmless.Replace(run)
	for _, n := range negating {
		if strings.Contains(run, n) {
			return true
		}
	}
	return false
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}
