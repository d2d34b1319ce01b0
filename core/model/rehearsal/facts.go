package rehearsal

import (
	"slices"
	"strings"

	"talaria/core/text"
)

// matching returns the statements that share a telling word with a question,
// those that share most first. At most five.
func matching(facts []string, question string) []string {
	type hit struct {
		fact   string
		shared int
	}
	terms := slices.Compact(slices.Sorted(slices.Values(text.Terms(question))))
	var hits []hit
	for _, f := range facts {
		counts := text.Counts(f)
		shared := 0
		for _, term := range terms {
			if counts[term] > 0 && !aboutAsking[term] {
				shared++
			}
		}
		if shared > 0 {
			hits = append(hits, hit{f, shared})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return b.shared - a.shared })
	var out []string
	for _, h := range hits[:min(len(hits), 5)] {
		if 2*h.shared >= hits[0].shared {
			out = append(out, h.fact)
		}
	}
	return out
}

// aboutAsking are terms that a question has because it is one.
var aboutAsking = termSet("know remember tell please question 什么 知道 记得 怎么 哪里 我的 你的 我们 的是 是什")

func termSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, t := range text.Terms(words) {
		set[t] = true
	}
	return set
}

// nearest is the one statement that a wording means.
func nearest(facts []string, wording string) (string, bool) {
	for _, f := range facts {
		if strings.EqualFold(f, wording) {
			return f, true
		}
	}
	if hits := matching(facts, wording); len(hits) > 0 {
		return hits[0], true
	}
	return "", false
}
