package config

import (
	"reflect"
	"strings"

	"talaria/core/text"
)

// suggest is the remedy for a name that a table does not have: the nearest
// one it has, or all of them.
func suggest(name string, table reflect.Value) string {
	return nearest(name, keyNames(table.Type()), "the keys here are")
}

// nearest asks whether the name most like this one was meant; where none is
// like it, it lists all, after lead.
func nearest(name string, names []string, lead string) string {
	if best := text.Nearest(name, names); best != "" {
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
