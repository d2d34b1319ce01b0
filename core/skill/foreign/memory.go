package foreign

import (
	"slices"
	"strings"
)

// memories reads the two memory files. Old homes have them at their top.
func (r *reader) memories() {
	for _, m := range []struct {
		kind Kind
		name string
	}{{Work, "MEMORY.md"}, {Profile, "USER.md"}} {
		name := "memories/" + m.name
		if !isFile(r.fsys, name) {
			name = m.name
		}
		data, ok := r.file(name)
		if !ok {
			continue
		}
		texts := entries(string(data))
		for i, text := range texts {
			if slices.Contains(texts[:i], text) {
				r.odd("%q holds an entry twice; it is taken once", name)
				continue
			}
			r.home.Cards = append(r.home.Cards, Card{Kind: m.kind, Text: text, File: name})
		}
	}
}

// entries splits a memory file at the lines that hold a section sign alone. One
// inside of a line is part of an entry.
func entries(file string) []string {
	var out []string
	var entry strings.Builder
	keep := func() {
		if text := strings.TrimSpace(entry.String()); text != "" {
			out = append(out, text)
		}
		entry.Reset()
	}
	file = strings.ReplaceAll(strings.TrimPrefix(file, "\uFEFF"), "\r\n", "\n")
	for line := range strings.Lines(file) {
		if strings.TrimSpace(line) == "§" {
			keep()
			continue
		}
		entry.WriteString(line)
	}
	keep()
	return out
}
