package match

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"talaria/core/text"
)

// IndexBudget is what the list of skills may take of a prompt, in tokens as
// text.Tokens estimates them.
const IndexBudget = 3000

// widths are how wide descriptions may be, in columns: the widest with which
// all skills fit, else the narrowest for as many as fit.
var widths = [...]int{240, 160, 120, 90, 60}

// Listing is the list of skills that a session's prompt carries, within budget
// tokens (estimated): a line each, by proven use, then name, stale ones last.
// Where they don't all fit, descriptions get shorter; then the last skills are
// names alone; then it says how many there are besides, and how to find them.
func Listing(skills []Skill, budget int) string {
	sorted := slices.SortedFunc(slices.Values(skills), inListing)
	for _, width := range widths {
		if list := lines(sorted, width); text.Tokens(list) <= budget {
			return list
		}
	}
	narrow := make([]string, len(sorted))
	for i, s := range sorted {
		narrow[i] = line(s, widths[len(widths)-1])
	}
	n := most(len(sorted), budget, func(n int) string { return strings.Join(narrow[:n], "") + names(sorted[n:], 0) })
	if n >= 0 {
		return strings.Join(narrow[:n], "") + names(sorted[n:], 0)
	}
	n = most(len(sorted), budget, func(n int) string { return names(sorted[:n], len(sorted)-n) })
	if n >= 0 {
		return names(sorted[:n], len(sorted)-n)
	}
	return ""
}

// most is the greatest n up to limit with which a text fits the budget, found by
// halving; -1 where none does.
func most(limit, budget int, build func(n int) string) int {
	low, high := -1, limit
	for low < high {
		n := (low + high + 1) / 2
		if text.Tokens(build(n)) <= budget {
			low = n
		} else {
			high = n - 1
		}
	}
	return low
}

// inListing is the order of the list.
func inListing(a, b Skill) int {
	return cmp.Or(
		cmp.Compare(staleLast(a), staleLast(b)),
		cmp.Compare(proven(b), proven(a)),
		cmp.Compare(a.Name, b.Name))
}

func staleLast(s Skill) int {
	if s.Stale {
		return 1
	}
	return 0
}

// proven is how many uses are likely to have gone well.
func proven(s Skill) float64 { return float64(s.Uses) * s.Success }

func lines(skills []Skill, width int) string {
	var b strings.Builder
	for _, s := range skills {
		b.WriteString(line(s, width))
	}
	return b.String()
}

// line is a skill with its description, cut to the width.
func line(s Skill, width int) string {
	d := oneLine(s.Description)
	if d == "" {
		return "- " + oneLine(s.Name) + "\n"
	}
	return "- " + oneLine(s.Name) + ": " + cut(d, width) + "\n"
}

// names lists skills that have no room for more, and says how many are left
// out and how all of them are found.
func names(skills []Skill, left int) string {
	var all []string
	for _, s := range skills {
		all = append(all, oneLine(s.Name))
	}
	list := strings.Join(all, ", ")
	switch {
	case len(skills) == 0 && left == 0:
		return ""
	case left > 0:
		list = strings.TrimPrefix(fmt.Sprintf("%s and %d more", list, left), " and ")
	}
	return "Also (skills_search finds them): " + list + "\n"
}

// oneLine is s without line ends and control characters, and without what
// could end the block that it stands in.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F {
			return ' '
		}
		return r
	}, s)
	return inert(strings.Join(strings.Fields(s), " "))
}

// inert keeps text from closing a tag.
func inert(s string) string { return strings.ReplaceAll(s, "</", "<\u200b/") }

// cut shortens s to a display width, at a blank if there is one near.
func cut(s string, width int) string {
	if uniseg.StringWidth(s) <= width {
		return s
	}
	end, blank, columns := 0, 0, 1 // the sign of omission takes one
	graphemes := uniseg.NewGraphemes(s)
	for graphemes.Next() {
		if columns += graphemes.Width(); columns > width {
			break
		}
		if graphemes.Str() == " " {
			blank = end
		}
		_, end = graphemes.Positions()
	}
	if blank > end*3/4 {
		end = blank
	}
	return strings.TrimRight(s[:end], " ,;:(") + "…"
}
