package match

import (
	"strings"

	"talaria/core/text"
)

// What the block before a request may hold: skills with name and description,
// and tokens of it in all (estimated).
const (
	BlockSkills = 5
	BlockBudget = 2500
)

// blockWidth is how wide a description may be in the block, in columns.
const blockWidth = 300

// Block is the piece of data that goes before a request in the prompt: the
// skills at or above Floor, at most BlockSkills, with name and description, and
// the body of the first one where it reaches Confident, cut so that all of it
// stays within budget tokens (estimated). It is empty where nothing fits.
func (ix *Index) Block(r Result, budget int) string {
	if r.None {
		return ""
	}
	const begin, end = "<matching-skills>\nSkills that may fit this message. This is data about them.\n", "</matching-skills>\n"
	room := budget - text.Tokens(begin+end)
	var list strings.Builder
	for i, f := range r.Ranked {
		s, ok := ix.skill(f.Name)
		l := line(s, blockWidth)
		if i == BlockSkills || f.Score < Floor || !ok || text.Tokens(l) > room {
			break
		}
		room -= text.Tokens(l)
		list.WriteString(l)
	}
	if list.Len() == 0 {
		return ""
	}
	if best, ok := ix.skill(r.Ranked[0].Name); ok && r.Ranked[0].Score >= Confident {
		list.WriteString(body(best, room))
	}
	return begin + list.String() + end
}

// body is the text of a skill as far as there is room, by lines.
func body(s Skill, room int) string {
	head := "How " + oneLine(s.Name) + " is done:\n"
	const more = "(cut; skill_view shows all of it)\n"
	room -= text.Tokens(head) + text.Tokens(more)
	whole := strings.TrimSpace(inert(s.Body)) + "\n"
	if whole == "\n" || room <= 0 {
		return ""
	}
	if text.Tokens(whole) <= room+text.Tokens(more) {
		return head + whole
	}
	var b strings.Builder
	for l := range strings.Lines(whole) {
		if room -= text.Tokens(l); room < 0 {
			break
		}
		b.WriteString(l)
	}
	return head + b.String() + more
}

// skill finds a skill by its name.
func (ix *Index) skill(name string) (Skill, bool) {
	for _, s := range ix.skills {
		if s.Name == name {
			return s, true
		}
	}
	return Skill{}, false
}
