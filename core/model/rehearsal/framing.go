package rehearsal

import "strings"

// framings begin the lines by which the product tells what a message came
// with: whose it is, what it quotes, which files. They are data about the
// message and no part of what the person asks for.
var framings = []string{"[from ", "[in reply to ", "[forwarded", "[file ", "[scheduled ", "[earlier "}

// unframed is a message without them.
func unframed(text string) string {
	var own []string
	for line := range strings.Lines(text) {
		if !framing(strings.TrimSpace(line)) {
			own = append(own, line)
		}
	}
	return strings.TrimSpace(strings.Join(own, ""))
}

func framing(line string) bool {
	if !strings.HasSuffix(line, "]") {
		return false
	}
	for _, f := range framings {
		if strings.HasPrefix(line, f) {
			return true
		}
	}
	return false
}
