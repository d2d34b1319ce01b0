package patch

import (
	"slices"
	"strings"
)

// line is a line of a text without its end.
type line struct {
	text     string
	from, to int    // without blanks at its end
	indent   string // blanks and tabs at its beginning
	plain    string
}

func lines(text string) []line {
	var out []line
	for from := 0; ; {
		end := strings.IndexByte(text[from:], '\n')
		whole := text[from:]
		if end >= 0 {
			whole = text[from : from+end]
		}
		s := strings.TrimRight(whole, " \t\r")
		out = append(out, line{
			text: s, from: from, to: from + len(s), indent: s[:len(s)-len(strings.TrimLeft(s, " \t"))], plain: plain(s),
		})
		if end < 0 {
			return out
		}
		from += end + 1
	}
}

// shifted finds whole lines that say the same, all indented by as much more or
// less than the old text. The new text is shifted by the same.
func shifted(text string, r reading) []place {
	want := lines(r.old)
	return windows(text, want, r, func(have []line) bool {
		return slices.EqualFunc(have, want, func(a, b line) bool { return a.plain == b.plain })
	})
}

// windows are the stretches of lines that same accepts, and whose indentation
// differs evenly from the wanted one.
func windows(text string, want []line, r reading, same func(have []line) bool) []place {
	have := lines(text)
	var out []place
	for i := 0; i+len(want) <= len(have); i++ {
		window := have[i : i+len(want)]
		if !same(window) {
			continue
		}
		shift, ok := shiftOf(window, want)
		if !ok {
			continue
		}
		p := place{window[0].from, window[len(window)-1].to, shift(r.new)}
		if r.fits(text, p) {
			out = append(out, p)
		}
	}
	return out
}

// shiftOf is what brings the wanted lines to the indentation of those that are
// there; false if it is not the same for all.
func shiftOf(have, want []line) (func(string) string, bool) {
	var there, here []string
	for i := range have {
		if have[i].plain != "" {
			there, here = append(there, have[i].indent), append(here, want[i].indent)
		}
	}
	if len(there) == 0 {
		return nil, false
	}
	for _, convert := range conversions {
		converted := make([]string, len(here))
		for i, indent := range here {
			converted[i] = convert.Replace(indent)
		}
		if add, ok := prefix(there, converted); ok {
			return eachLine(func(indent string) string { return add + convert.Replace(indent) }), true
		}
		if cut, ok := prefix(converted, there); ok {
			return eachLine(func(indent string) string {
				indent = convert.Replace(indent)
				return indent[commonLength(indent, cut):]
			}), true
		}
	}
	return nil, false
}

// conversions are the ways in which indentation is written otherwise: not at
// all, with tabs for spaces, with spaces for tabs.
var conversions = []*strings.Replacer{
	strings.NewReplacer(),
	strings.NewReplacer("    ", "\t"), strings.NewReplacer("  ", "\t"), strings.NewReplacer("        ", "\t"),
	strings.NewReplacer("\t", "    "), strings.NewReplacer("\t", "  "), strings.NewReplacer("\t", "        "),
}

// prefix is what all of long begin with before what all of short are.
func prefix(long, short []string) (string, bool) {
	p, ok := strings.CutSuffix(long[0], short[0])
	for i := range long {
		ok = ok && long[i] == p+short[i]
	}
	return p, ok
}

func commonLength(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// eachLine changes the indentation of every line that is not blank.
func eachLine(change func(indent string) string) func(string) string {
	return func(text string) string {
		parts := strings.Split(lf(text), "\n")
		for i, s := range parts {
			if rest := strings.TrimLeft(s, " \t"); rest != "" {
				parts[i] = change(s[:len(s)-len(rest)]) + rest
			}
		}
		return strings.Join(parts, "\n")
	}
}
