package rehearsal

import (
	"encoding/json"

	"talaria/core/agent"
)

// gathered is what stands behind a scheduled request as material to be worded.
var gathered = lazily(`(?s)(?:^|\n)\[scheduled for .*\n\[gathered for it, [^\n]*?as data: ("(?:[^"\\]|\\.)*")\]$`)

// tell answers a scheduled request that comes with what was gathered for it: as
// it stands, for wording it anew is what a language model is for.
func tell(r agent.Request) (string, bool) {
	if len(r.Messages) == 0 {
		return "", false
	}
	last := r.Messages[len(r.Messages)-1]
	found := gathered().FindStringSubmatch(last.Text)
	if last.Role != agent.User || found == nil {
		return "", false
	}
	var text string
	if json.Unmarshal([]byte(found[1]), &text) != nil || text == "" {
		return "", false
	}
	return text, true
}
