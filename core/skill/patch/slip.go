package patch

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"talaria/core/text"
)

// maxSlipLines bounds the quoted lines that are looked for with slips.
const maxSlipLines = 200

// slips finds whole lines of prose that say the same but for a few letters or
// words. Code is never near: one character makes another program of it.
func slips(text string, r reading) []place {
	want := lines(r.old)
	if len(want) > maxSlipLines {
		return nil
	}
	quoted := make([]statement, len(want))
	for i, l := range want {
		quoted[i] = read(l.plain)
	}
	have := map[string]statement{}
	code := codeLines(text)
	return windows(text, want, r, func(window []line) bool {
		for i, l := range window {
			if l.plain == want[i].plain {
				continue
			}
			if code[l.from] || l.plain == "" || want[i].plain == "" {
				return false
			}
			s, ok := have[l.plain]
			if !ok {
				s = read(l.plain)
				have[l.plain] = s
			}
			if !quoted[i].means(s) {
				return false
			}
		}
		return true
	})
}

// codeLines are the beginnings of the lines that lie in code fences.
func codeLines(text string) map[int]bool {
	out := map[int]bool{}
	fence := ""
	for _, l := range lines(text) {
		mark := strings.TrimLeft(l.text, " \t>")
		switch {
		case fence == "" && (strings.HasPrefix(mark, "```") || strings.HasPrefix(mark, "~~~")):
			fence = mark[:3]
		case fence != "" && strings.HasPrefix(mark, fence):
			fence = ""
		case fence != "":
			out[l.from] = true
		}
	}
	return out
}

// near is a line with how much it is like another.
type near struct {
	Candidate
	likeness float64
}

// leastLikeness is what a line must have to be named as a candidate.
const leastLikeness = 0.6

// nearest are the lines most like the longest line of old.
func nearest(text, old string) []near {
	longest := ""
	for _, l := range lines(old) {
		if len(l.plain) > len(longest) {
			longest = l.plain
		}
	}
	want := pairs(longest)
	var out []near
	for i, l := range lines(text) {
		if d := dice(want, pairs(l.plain)); d >= leastLikeness {
			out = append(out, near{Candidate{i + 1, shown(l.text)}, d})
		}
	}
	slices.SortStableFunc(out, func(a, b near) int { return cmp.Compare(b.likeness, a.likeness) })
	return out[:min(len(out), maxCandidates)]
}

func candidates(list []near) []Candidate {
	out := make([]Candidate, len(list))
	for i, n := range list {
		out[i] = n.Candidate
	}
	return out
}

// pairs counts the neighbouring characters of a line.
func pairs(s string) map[string]int {
	out := map[string]int{}
	runes := []rune(strings.ToLower(s))
	for i := range len(runes) - 1 {
		out[string(runes[i:i+2])]++
	}
	return out
}

// dice is the share of pairs that two lines have in common.
func dice(a, b map[string]int) float64 {
	total, common := 0, 0
	for p, n := range a {
		total += n
		common += min(n, b[p])
	}
	for _, n := range b {
		total += n
	}
	if total == 0 {
		return 0
	}
	return 2 * float64(common) / float64(total)
}

// maxSlipped is the longest word in which a slip is looked for, in bytes.
const maxSlipped = 100

// slipped reports whether a word is another with a slip of a letter or two, the
// longer the more: words that turn a meaning around differ in how they begin
// (import, export; enable, disable), and short ones in any letter (port, post).
func slipped(a, b string) bool {
	n := min(utf8.RuneCountInString(a), utf8.RuneCountInString(b))
	if n < 3 || max(len(a), len(b)) > maxSlipped || a[0] != b[0] {
		return false
	}
	d := text.Slips(a, b)
	switch {
	case n == 3:
		return d == 1 && sameLetters(a, b)
	case n == 4:
		return d == 1 && (len(a) != len(b) || sameLetters(a, b))
	case n < 8:
		return d <= 1
	}
	return d <= 2
}

func sameLetters(a, b string) bool {
	x, y := []rune(a), []rune(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}
