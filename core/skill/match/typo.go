package match

import (
	"slices"
	"strings"
)

// shortestTypo is the length from which on a word may be a slip of another.
const shortestTypo = 4

// most spellings that a misspelled word is taken for.
const mostSpellings = 3

// spellings returns the known words that w is probably a slip of, nearest
// first: one letter off, two in longer words. The first letter is seldom
// wrong, and looking only there keeps it quick.
func (ix *Index) spellings(w string) []string {
	if len(w) < shortestTypo || len(w) > 24 || strings.ContainsAny(w, "0123456789") {
		return nil
	}
	most := 1
	if len(w) > 5 {
		most = 2
	}
	var found [3][]string
	for _, known := range ix.spelled[w[:1]] {
		if d := distance(w, known, most); d > 0 && d <= most {
			found[d] = append(found[d], known)
		}
	}
	near := found[1]
	if len(near) == 0 {
		near = found[2]
	}
	slices.Sort(near)
	slices.SortStableFunc(near, func(a, b string) int { return abs(len(a)-len(w)) - abs(len(b)-len(w)) })
	return near[:min(len(near), mostSpellings)]
}

func abs(n int) int { return max(n, -n) }

// distance counts insertions, deletions, replacements and swaps of neighbours
// (bytes: it is for words of ASCII) that make b of a, or more than most.
func distance(a, b string, most int) int {
	if abs(len(a)-len(b)) > most {
		return most + 1
	}
	var buffer [3][32]int
	if len(b) >= len(buffer[0]) {
		return most + 1
	}
	before, last, row := buffer[0][:len(b)+1], buffer[1][:len(b)+1], buffer[2][:len(b)+1]
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > most {
			return most + 1
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
