package match

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"talaria/core/text"
)

//go:embed contrasts.txt
var contrastsText string

// side is one side of a contrast: of two opposites, or a member of a set such
// as the languages or the platforms.
type side struct{ contrast, side int }

// contrasts hold which words exclude each other.
type contrasts struct {
	sides     map[string][]side // by key; none where a phrase says nothing that its words do
	times     map[int]bool      // contrasts that are about when
	opposites map[int]bool
}

// excluding is read once.
var excluding = sync.OnceValue(func() *contrasts {
	c := &contrasts{sides: map[string][]side{}, times: map[int]bool{}, opposites: map[int]bool{}}
	n := 0
	for line := range strings.Lines(contrastsText) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if kind == "#" {
			continue
		}
		n++
		c.times[n], c.opposites[n] = kind == "~", kind == ">"
		for i, words := range strings.Split(rest, "|") {
			for w := range strings.FieldsSeq(words) {
				c.add(key(w), side{n, i}, kind != "-")
			}
		}
	}
	return c
})

func (c *contrasts) add(key string, s side, says bool) {
	if !says {
		c.sides[key] = nil
	} else {
		c.sides[key] = append(c.sides[key], s)
	}
}

// stance is where a text stands: for each contrast the sides that it names,
// and those that it names as a goal (to English, 翻译成英文).
type stance struct {
	named, goals map[int][]int
}

// goalWords come right before a goal.
var goalWords = map[string]bool{"to": true, "into": true, "2": true, "成": true, "为": true, "到": true}

// stance reads a text. Any word may stand between a goal word and its goal in
// English only if it is a filler ("to the Obsidian vault").
func (c *contrasts) stance(s string) stance {
	st := stance{map[int][]int{}, map[int][]int{}}
	ws := units(s)
	goal := false
	for i := 0; i < len(ws); {
		n, found := c.longest(ws[i:])
		for _, f := range found {
			st.named[f.contrast] = append(st.named[f.contrast], f.side)
			if goal {
				st.goals[f.contrast] = append(st.goals[f.contrast], f.side)
			}
		}
		goal = goalWords[ws[i]] || goal && len(found) == 0 && words().fillers[ws[i]]
		i += n
	}
	return st
}

// longest finds the longest entry that ws begins with; a unit where there is
// none.
func (c *contrasts) longest(ws []string) (int, []side) {
	for n := min(longestRun, len(ws)); n > 0; n-- {
		sep := " "
		if len(ws[0]) > 0 && ws[0][0] >= utf8.RuneSelf {
			sep = ""
		}
		if found, ok := c.sides[strings.Join(ws[:n], sep)]; ok {
			return n, found
		}
	}
	return 1, nil
}

// units are the stems of a text's words, and its characters in scripts without
// spaces. A 2 inside a word is the "to" of pdf2text.
func units(s string) []string {
	var out []string
	for piece, run := range text.Pieces(s) {
		if run {
			for _, r := range piece {
				out = append(out, string(r))
			}
			continue
		}
		if a, b, ok := strings.Cut(piece, "2"); ok && len(a) > 1 && len(b) > 1 {
			out = append(out, text.Stem(a), "2", text.Stem(b))
			continue
		}
		out = append(out, text.Stem(piece))
	}
	return out
}

// conflict reports whether two texts stand on different sides of anything.
func (c *contrasts) conflict(a, b stance, times bool) bool {
	for n, x := range a.named {
		y := b.named[n]
		if len(y) == 0 || c.times[n] && !times {
			continue
		}
		if apart(x, y) || apart(a.goals[n], b.goals[n]) {
			return true
		}
		// Of opposites, what is named first is what is done, unless both
		// texts name both: "approve what was submitted" does not submit.
		if c.opposites[n] && x[0] != y[0] && !(within(x, y) && within(y, x)) {
			return true
		}
	}
	return false
}

// apart reports whether both name sides and each has one of its own.
func apart(xs, ys []int) bool {
	return len(xs) > 0 && len(ys) > 0 && !within(xs, ys) && !within(ys, xs)
}

// within reports whether every x is among the ys.
func within(xs, ys []int) bool {
	for _, x := range xs {
		if !slices.Contains(ys, x) {
			return false
		}
	}
	return true
}
