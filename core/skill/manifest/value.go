package manifest

import (
	"slices"
	"strings"
)

// strings reads a list of texts, each once and without blanks at its ends; nil
// where there is none. A single text is split. Of a table in the list its name
// counts.
func (n *node) strings(split func(string) []string) []string {
	if n == nil {
		return nil
	}
	var out []string
	switch n.kind {
	case scalar:
		out = split(n.text)
	case list:
		for _, item := range n.items {
			if item.kind == table {
				item = item.get("name")
			}
			if item != nil && item.kind == scalar {
				out = append(out, item.text)
			}
		}
	}
	return distinct(out)
}

// distinct drops blanks, empty texts and repetitions.
func distinct(texts []string) []string {
	var out []string
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

func splitCommas(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(",;\n，、；", c) })
}

// splitTools splits at commas and blanks outside of brackets, as in
// "Read, Bash(git commit:*)".
func splitTools(text string) []string {
	depth := 0
	return strings.FieldsFunc(text, func(c rune) bool {
		switch c {
		case '(':
			depth++
		case ')':
			depth = max(depth-1, 0)
		}
		return depth == 0 && strings.ContainsRune(", \t\n", c)
	})
}

// defines reports whether a list describes tools rather than naming them.
func (n *node) defines() bool {
	return n != nil && (n.kind == table || n.kind == list && slices.ContainsFunc(n.items, func(item *node) bool { return item.kind == table }))
}

// truth reports whether a value says yes: a word for it, or any list or table
// that is not empty.
func (n *node) truth() bool {
	if n == nil {
		return false
	}
	if n.kind != scalar {
		return len(n.items)+len(n.pairs) > 0
	}
	switch strings.ToLower(strings.TrimSpace(n.text)) {
	case "", "false", "no", "off", "none", "never", "0":
		return false
	}
	return true
}

// String writes a value on one line, for people.
func (n *node) String() string {
	var parts []string
	switch n.kind {
	case scalar:
		return n.text
	case list:
		for _, item := range n.items {
			parts = append(parts, item.String())
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case table:
		for _, p := range n.pairs {
			parts = append(parts, p.key+": "+p.value.String())
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return ""
}
