package markdown

import (
	"cmp"
	"slices"
)

// nest keeps the styles that are open, outermost first. Closing one that has
// others inside closes and opens those again, so that marks never cross.
type nest struct{ open []style }

// change gives what has to be closed and then opened, in order, to go from
// the open styles to want. Styles that last longer in the spans that follow
// go outside.
func (n *nest) change(want style, following []span) (closing, opening []style) {
	keep := 0
	for keep < len(n.open) && want&n.open[keep] != 0 {
		want &^= n.open[keep]
		keep++
	}
	if keep == len(n.open) && want == 0 {
		return nil, nil
	}
	closing = slices.Clone(n.open[keep:])
	slices.Reverse(closing)
	for _, s := range allStyles {
		if want&s != 0 {
			opening = append(opening, s)
		}
	}
	if len(opening) > 1 {
		slices.SortStableFunc(opening, func(a, b style) int {
			return cmp.Compare(reach(following, b), reach(following, a))
		})
	}
	n.open = append(n.open[:keep], opening...)
	return closing, opening
}

// reach is for how many spans a style lasts.
func reach(spans []span, s style) int {
	for i := range spans {
		if spans[i].style&s == 0 {
			return i
		}
	}
	return len(spans)
}
