package skill

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"talaria/core/agent"
	"talaria/core/chat"
)

// InUse is a skill whose body entered a prompt, in one revision.
type InUse struct {
	Name   string
	Number int
}

// String is the line that marks the body in the prompt, for InPrompt to find.
func (u InUse) String() string { return fmt.Sprintf("[skill %s, revision %d]", u.Name, u.Number) }

var marked = regexp.MustCompile(`^\[skill ([a-z0-9-]+), revision ([0-9]{1,9})\]$`)

// ViewTool is the tool that reads a skill.
const ViewTool = "skill_view"

// InPrompt finds the skills whose bodies are among the messages of a turn, each
// once: the one that the product put before the request, whose mark ends its
// block, and those that were read, whose mark begins the result. A mark
// anywhere else is somebody's text.
func InPrompt(messages []agent.Message) []InUse {
	var found []InUse
	seen := map[InUse]bool{}
	add := func(line string) {
		m := marked.FindStringSubmatch(line)
		if m == nil {
			return
		}
		n, _ := strconv.Atoi(m[2]) // at most nine digits
		u := InUse{m[1], n}
		if !seen[u] {
			seen[u], found = true, append(found, u)
		}
	}
	for _, m := range messages {
		if m.Role == agent.User && m.Origin == chat.Self {
			add(m.Text[strings.LastIndexByte(m.Text, '\n')+1:])
		}
		for _, r := range m.Results {
			if r.Name == ViewTool && !r.Failed {
				first, _, _ := strings.Cut(r.Text, "\n")
				add(first)
			}
		}
	}
	return found
}
