package text

import "strings"

// maxEdits bounds the characters of a text that Edits and Slips look at.
const maxEdits = 80

// Edits is how many characters have to be put in, taken out or changed to make
// one short text of another (Levenshtein's distance), for telling what somebody
// meant to type.
func Edits(from, to string) int {
	a, b := []rune(from), []rune(to)
	a, b = a[:min(len(a), maxEdits)], b[:min(len(b), maxEdits)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		before := row[0]
		row[0] = i + 1
		for j, y := range b {
			next := before
			if x != y {
				next = 1 + min(before, row[j], row[j+1])
			}
			before, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}

// Nearest is the one of some names that somebody is likely to have meant, empty
// where none is like what was typed: up to a third of its bytes, and one more, may
// be wrong.
func Nearest(typed string, names []string) string {
	best, least := "", len(typed)/3+1
	for _, n := range names {
		if d := Slips(strings.ToLower(typed), n); d <= least {
			best, least = n, d
		}
	}
	return best
}

// Slips is Edits where two neighbours that changed places are one slip (the
// distance of Damerau and Levenshtein, in which no pair is moved twice).
func Slips(from, to string) int {
	a, b := []rune(from), []rune(to)
	a, b = a[:min(len(a), maxEdits)], b[:min(len(b), maxEdits)]
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			row[j] = last[j-1]
			if a[i-1] != b[j-1] {
				row[j] = 1 + min(last[j-1], last[j], row[j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
