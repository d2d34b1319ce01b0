package patch

import (
	"html"
	"strings"
)

// reading is one way of understanding an edit.
type reading struct {
	old, new string
	// Blank lines around the old text were taken away: it begins or ends at a
	// line's end then, and there only.
	lineStart, lineEnd bool
	trimmed            bool
}

// readings are the ways of understanding an edit, the most literal first: as it
// is, without the blank lines around it, with escapes taken for what they stand for.
func readings(e Edit) []reading {
	plain := reading{old: e.Old, new: e.New}
	out := []reading{plain}
	texts := []reading{plain}
	for _, unescape := range []func(string) string{unbackslash, html.UnescapeString, func(s string) string { return html.UnescapeString(unbackslash(s)) }} {
		r := reading{old: unescape(e.Old), new: unescape(e.New)}
		if r.old != e.Old && strings.TrimSpace(r.old) != "" && r.old != r.new {
			texts = append(texts, r)
		}
	}
	for i, r := range texts {
		if i > 0 {
			out = append(out, r)
		}
		if t := r.trim(); t.trimmed {
			out = append(out, t)
		}
	}
	return out
}

// trim takes the blank lines around the old text, and as much of the new, away.
func (r reading) trim() reading {
	t := reading{old: lf(r.old), new: lf(r.new)}
	for {
		line, rest, ok := strings.Cut(t.old, "\n")
		if !ok || strings.TrimSpace(line) != "" {
			break
		}
		t.old, t.lineStart, t.trimmed = rest, true, true
		if blank, rest, ok := strings.Cut(t.new, "\n"); ok && strings.TrimSpace(blank) == "" {
			t.new = rest
		}
	}
	for {
		i := strings.LastIndexByte(t.old, '\n')
		if i < 0 || strings.TrimSpace(t.old[i:]) != "" {
			return t
		}
		t.old, t.lineEnd, t.trimmed = t.old[:i], true, true
		if i := strings.LastIndexByte(t.new, '\n'); i >= 0 && strings.TrimSpace(t.new[i:]) == "" {
			t.new = t.new[:i]
		}
	}
}

func lf(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// fits reports whether a place lies as the reading demands.
func (r reading) fits(text string, p place) bool {
	if !r.trimmed {
		return true
	}
	before := text[strings.LastIndexByte(text[:p.from], '\n')+1 : p.from]
	after, _, _ := strings.Cut(text[p.to:], "\n")
	if r.lineStart && strings.TrimSpace(before) != "" || r.lineEnd && strings.TrimSpace(after) != "" {
		return false
	}
	return atEdges(text, p)
}

var unbackslasher = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\r`, "\r", `\t`, "\t", `\"`, `"`, `\'`, `'`)

// unbackslash takes the escapes of a JSON string for what they stand for.
func unbackslash(s string) string { return unbackslasher.Replace(s) }
