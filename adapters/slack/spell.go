package slack

import (
	"regexp"
	"strings"
)

// Slack lets nobody send a message that begins with "/": it takes it for a slash
// command, and a name of ours that stands there is none that it knows. So where
// the program tells people to say `/help`, they read `/talaria help` here; and in
// a thread, where Slack refuses slash commands, `!talaria help`, which is read
// anywhere.
//
// A text that a model wrote is left alone: there "/status" may well be a path of
// somebody's server.

var (
	// codeSpan is code within a line, or a back-tick that begins none.
	codeSpan = regexp.MustCompile("\\\\`|`[^`\n]+`")
	// commandSpan is code that is a command, with or without what follows it.
	commandSpan = regexp.MustCompile("^`/([a-z][a-z0-9-]*)([ `])")
)

// spelled writes the commands in a text of the program's own as they are typed
// on Slack, in a thread or not. What is in a code block is somebody's text and
// stays as it is.
func spelled(text string, threaded bool) string {
	if !strings.Contains(text, "`/") {
		return text
	}
	call := "/" + commandName
	if threaded {
		call = "!" + commandName
	}
	span := func(code string) string { return spelledSpan(code, call) }
	var b strings.Builder
	fence := 0 // back-ticks that the block we are in began with
	for line := range strings.Lines(text) {
		bare := strings.TrimLeft(line, " >")
		ticks := len(bare) - len(strings.TrimLeft(bare, "`"))
		switch {
		case fence == 0 && ticks >= len(fenceMark):
			fence = ticks
		case fence == 0:
			line = codeSpan.ReplaceAllStringFunc(line, span)
		case ticks >= fence:
			fence = 0
		}
		b.WriteString(line)
	}
	return b.String()
}

// spelledSpan writes call in front of a command, or in place of what was.
func spelledSpan(code, call string) string {
	m := commandSpan.FindStringSubmatch(code)
	switch {
	case m == nil:
		return code
	case m[1] == commandName:
		return "`" + call + code[len("`/"+commandName):]
	}
	return "`" + call + " " + code[len("`/"):]
}
