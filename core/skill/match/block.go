package match

import (
	"strings"

	"talaria/core/text"
)

// Room is how much of a library may stand in prompts. Tokens are estimated.
type Room struct {
	List    int     // tokens of the list of skills
	Block   int     // tokens of the block before a request
	Skills  int     // skills in that block, with name and description
	Certain float64 // the score from which the best one's body is in it too
}

// DefaultRoom is what a library has unless the operator says otherwise.
func DefaultRoom() Room {
	return Room{List: IndexBudget, Block: 2500, Skills: BlockSkills, Certain: Confident}
}

// BlockSkills is how many skills may fit a request. The scores reckon with it: they
// are less sure where more skills than one come near.
const BlockSkills = 5

// blockWidth is how wide a description may be in the block, in columns.
const blockWidth = 300

// Block is the piece of data that goes before a request in the prompt: the
// skills at or above Floor, as many as there is room for, with name and
// description, and the body of the first one where it is certain, cut so that all
// of it stays within the room. It is empty where nothing fits.
func (ix *Index) Block(r Result, has Room) string {
	if r.None {
		return ""
	}
	const begin, end = "<matching-skills>\nSkills that may fit this message. This is data about them.\n", "</matching-skills>\n"
	room := has.Block - text.Tokens(begin+end)
	var list strings.Builder
	for i, f := range r.Ranked {
		s, ok := ix.skill(f.Name)
		l := line(s, blockWidth)
		if i >= has.Skills || f.Score < Floor || !ok || text.Tokens(l) > room {
			break
		}
		room -= text.Tokens(l)
		list.WriteString(l)
	}
	if list.Len() == 0 {
		return ""
	}
	if best, ok := ix.skill(r.Ranked[0].Name); ok && r.Ranked[0].Score >= has.Certain {
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
