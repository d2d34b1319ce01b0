package agent

import "strings"

// veil takes out of a model's text what was never meant for people: thoughts
// that some models write before their answer, echoes of the block, and notes
// of ours.
type veil struct{ open, shut string } // the block's first and last line

// newVeil reads the delimiters off the block itself.
func newVeil(block string) veil {
	lines := strings.Split(strings.TrimSpace(block), "\n")
	v := veil{strings.TrimSpace(lines[0]), strings.TrimSpace(lines[len(lines)-1])}
	if len(lines) < 2 || len(v.open) < 4 || len(v.shut) < 4 {
		return veil{}
	}
	return v
}

const (
	thinkOpen = "<think>"
	thinkShut = "</think>"
)

// whole cleans a finished text.
func (v veil) whole(s string) string {
	return withoutNotes(v.withoutBlock(withoutThoughts(s), false))
}

// sofar cleans a text that still grows: what may turn out to be hidden is held
// back.
func (v veil) sofar(s string) string {
	if head := strings.TrimLeft(s, " \n"); head != "" && strings.HasPrefix(thinkOpen, head) {
		return ""
	}
	s = v.withoutBlock(withoutThoughts(s), true)
	last := strings.LastIndexByte(s, '\n') + 1
	if line := s[last:]; line != "" && (strings.HasPrefix(v.open, line) || strings.HasPrefix(notePrefix, line)) {
		s = s[:last]
	}
	return withoutNotes(s)
}

// withoutBlock drops echoes of the block. An opening without an end takes the
// rest with it while the text grows, and only itself once it is whole.
func (v veil) withoutBlock(s string, grows bool) string {
	for v.open != "" {
		at := lineAt(s, v.open)
		if at < 0 {
			break
		}
		end := at + len(v.open)
		n := strings.Index(s[end:], v.shut)
		switch {
		case n >= 0:
			end += n + len(v.shut)
		case grows:
			return s[:at]
		}
		s = s[:at] + strings.TrimLeft(s[end:], "\n")
	}
	return s
}

// withoutThoughts drops the thoughts at the beginning; without an end, all of
// the text is thoughts.
func withoutThoughts(s string) string {
	rest, ok := strings.CutPrefix(strings.TrimLeft(s, " \n"), thinkOpen)
	if !ok {
		return s
	}
	_, after, _ := strings.Cut(rest, thinkShut)
	return strings.TrimLeft(after, " \n")
}

func withoutNotes(s string) string {
	mark := strings.TrimSpace(notePrefix)
	for {
		at := lineAt(s, mark)
		if at < 0 {
			return s
		}
		end := strings.IndexByte(s[at:], '\n')
		if end < 0 {
			return s[:at]
		}
		s = s[:at] + s[at+end+1:]
	}
}

// lineAt is the first place where a line of s begins with what.
func lineAt(s, what string) int {
	for from := 0; ; {
		n := strings.Index(s[from:], what)
		if n < 0 {
			return -1
		}
		at := from + n
		if at == 0 || s[at-1] == '\n' {
			return at
		}
		from = at + len(what)
	}
}
