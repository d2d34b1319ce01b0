package patch

import (
	"strings"

	"github.com/goccy/go-yaml"

	"talaria/core/skill/manifest"
)

// maxFront bounds what is given to the YAML parser, in bytes.
const maxFront = 16 << 10

// spoiled says how an edit would leave a front matter worse than it was.
func spoiled(before, after string) string {
	had, has := readFront(before), readFront(after)
	switch {
	case had.opened && !has.opened:
		return "the front matter would no longer begin the file"
	case had.closed && !has.closed:
		return "the front matter would not be closed"
	case had.strict && !has.strict:
		return "the front matter would not be YAML any more"
	case had.named && !has.named:
		return "the front matter would have no name"
	}
	_, _, old := manifest.Read([]byte(before), "")
	if _, _, err := manifest.Read([]byte(after), ""); err != nil && old == nil {
		return err.Error()
	}
	return ""
}

// state is how well a front matter can be read.
type state struct{ opened, closed, strict, named bool }

func readFront(text string) state {
	var s state
	text, s.opened = strings.CutPrefix(lf(text), "---\n")
	if !s.opened {
		return s
	}
	var front string
	if front, _, s.closed = strings.Cut("\n"+text+"\n", "\n---\n"); !s.closed || len(front) > maxFront {
		return s
	}
	var fields map[string]any
	s.strict = yaml.Unmarshal([]byte(front), &fields) == nil
	name, _ := fields["name"].(string)
	s.named = strings.TrimSpace(name) != ""
	return s
}
