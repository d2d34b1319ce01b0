package rehearsal

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"talaria/core/agent"
	"talaria/core/text"
)

// personBegin is how the product's prompt for the picture of a person begins.
const personBegin = "You keep the picture that Talaria"

// pictured is what that request tells: what is believed of a person, and what
// they said since.
type pictured struct {
	Lines []struct{ ID, Text string }
	Said  []uttered
}

type uttered struct {
	ID, Occasion, Words string
	Form                []string
}

// hypothesis is a statement with the sentences for and against it.
type hypothesis struct {
	id, text string
	about    []string // its telling terms, sorted
	form     []string
	negated  bool
	pro, con []uttered
}

// pictureOf answers the product's request for the picture of a person. The
// general way from words to lines: what somebody says of themselves in one
// sentence is a hypothesis, another sentence about the same supports it, or
// speaks against it if one of the two is negated; what is contradicted as often
// as it was said is left out.
func pictureOf(r agent.Request) (string, bool) {
	if !strings.HasPrefix(r.Prefix, personBegin) || len(r.Messages) == 0 {
		return "", false
	}
	var d pictured
	body, found := enclosed(r.Messages[len(r.Messages)-1].Text, "<person>\n", "\n</person>")
	if !found || json.Unmarshal([]byte(body), &d) != nil {
		return "", false
	}
	var all []*hypothesis
	for _, l := range d.Lines {
		all = append(all, assume(l.ID, uttered{Words: l.Text}))
	}
	for _, s := range d.Said {
		all = hear(all, s)
	}
	out, err := json.Marshal(threeSteps(all))
	return string(out), err == nil
}

// assume makes a hypothesis of a sentence.
func assume(id string, s uttered) *hypothesis {
	about := slices.DeleteFunc(text.Terms(s.Words), func(t string) bool { return plainTerms[t] })
	slices.Sort(about)
	return &hypothesis{
		id: id, text: brief(strings.Trim(polite().ReplaceAllString(s.Words, ""), " .!。！,，"), 150),
		about: slices.Compact(about), form: s.Form, negated: negates().MatchString(s.Words),
	}
}

// hear weighs a sentence with what is assumed so far, and assumes something new
// where it is about something else and speaks of its author.
func hear(all []*hypothesis, s uttered) []*hypothesis {
	it := assume(fmt.Sprintf("h%d", len(all)+1), s)
	known := false
	for _, h := range all {
		if !h.alike(it) {
			continue
		}
		if h.negated == it.negated {
			h.pro, known = append(h.pro, s), true
		} else {
			h.con = append(h.con, s)
			it.con = append(it.con, h.pro...)
		}
	}
	if known || len(it.about)+len(it.form) == 0 || len(it.form) == 0 && !ofOneself().MatchString(it.text) {
		return all
	}
	it.pro = []uttered{s}
	return append(all, it)
}

// alike reports whether two are about the same: most of what the shorter one
// says is in both, or both are about the same of an answer's form.
func (h *hypothesis) alike(o *hypothesis) bool {
	both := 0
	for _, t := range h.about {
		if slices.Contains(o.about, t) {
			both++
		}
	}
	if least := min(len(h.about), len(o.about)); least > 0 && 3*both >= 2*least {
		return true
	}
	return len(h.form) > 0 && slices.Equal(h.form, o.form) && both > 0
}

// threeSteps are thesis, antithesis and synthesis as the request wants them.
func threeSteps(all []*hypothesis) map[string]any {
	thesis, antithesis, synthesis := []any{}, []any{}, []any{}
	for _, h := range all {
		pro, con := occasions(h.pro), occasions(h.con)
		if pro > 0 {
			thesis = append(thesis, map[string]any{"id": h.id, "text": h.text, "sources": idsOf(h.pro)})
		}
		if con > 0 {
			antithesis = append(antithesis, map[string]any{"of": h.id, "sources": idsOf(h.con), "why": "it says the contrary"})
		}
		if pro > con {
			sure := min(0.5+0.15*float64(pro-con), 0.95)
			synthesis = append(synthesis, map[string]any{"of": h.id, "text": h.text, "confidence": sure, "sources": idsOf(h.pro)})
		}
	}
	return map[string]any{"thesis": thesis, "antithesis": antithesis, "synthesis": synthesis}
}

func occasions(said []uttered) int {
	seen := map[string]bool{}
	for _, s := range said {
		seen[s.Occasion] = true
	}
	return len(seen)
}

func idsOf(said []uttered) []string {
	ids := []string{}
	for _, s := range said {
		ids = append(ids, s.ID)
	}
	return ids
}

var (
	ofOneself = lazily(`(?i)^(?:(?:so|well|actually|generally|usually|by the way|for me|personally),? )*(?:my (?:name|team|favou?rite|goal|job|preference|main)\b|call me|i(?:'m| am| have been|'ve been|'d rather| prefer| like| love| hate| dislike| enjoy| always| never| usually| mostly| only| live| speak| use| work| want| need| write| know| learn| do not| don't| no longer)\b)|^(?:always|never|from now on|in future)\b|^(?:我|以后|今后|总是|每次)`)
	negates   = lazily(`(?i)\b(?:not|no longer|never|don't|doesn't|didn't|isn't|'m not|hate|dislike|stopped|without|any ?more)\b|不|没|别|讨厌`)

	// plainTerms are terms that say nothing of what a sentence is about.
	plainTerms = termSet("i me my mine am is are was be been have has do did a an the of for to in on at and or but with as it this that they person please also always never usually mostly only really very much more no not don't longer anymore any now " +
		"prefer like love hate dislike enjoy want need use using work working write know would rather 我 喜欢 不 用 现在")
)
