package config

import (
	"reflect"
	"strings"
)

// suggest is the remedy for a name that a table does not have: the nearest
// one it has, or all of them.
func suggest(name string, table reflect.Value) string {
	return nearest(name, keyNames(table.Type()), "the keys here are")
}

// nearest asks whether the name most like this one was meant; where none is
// like it, it lists all, after lead.
func nearest(name string, names []string, lead string) string {
	best, least := "", len(name)/3+1
	for _, n := range names {
		if d := distance(strings.ToLower(name), n); d <= least {
			best, least = n, d
		}
	}
	if best != "" {
		return "did you mean " + best + "?"
	}
	return lead + " " + strings.Join(names, ", ")
}

func keyNames(t reflect.Type) []string {
	var out []string
	for n := range t.NumField() {
		f := t.Field(n)
		if f.Anonymous {
			out = append(out, keyNames(f.Type)...)
			continue
		}
		out = append(out, f.Tag.Get("toml"))
	}
	return out
}

// distance is the number of single-byte edits from a to b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
