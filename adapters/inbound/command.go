package inbound

import (
	"strings"
	"unicode"
)

// Command is an exact command as typed: "/name@suffix args".
type Command struct {
	Name   string // lower case
	Suffix string // the bot it names, as typed; empty for none
	// Args is what follows as typed, without the blanks around it but for one: it
	// begins with a line break where it stands on the lines below the name.
	Args string
}

// ParseCommand reads a command at the start of text. Invisible characters in
// front of it and inside its name do not hide it; those in the arguments stay.
// A path ("/usr/bin") is no command.
func ParseCommand(text string) (Command, bool) {
	text = strings.TrimLeftFunc(text, func(r rune) bool { return unicode.IsSpace(r) || Ignorable(r) })
	if text == "" || text[0] != '/' {
		return Command{}, false
	}
	word, args := text[1:], ""
	if i := strings.IndexFunc(word, unicode.IsSpace); i >= 0 {
		word, args = word[:i], arguments(word[i:])
	}
	word = strings.Map(visible, word)
	name, suffix, suffixed := strings.Cut(word, "@")
	if !isWord(name) || (suffixed && !isWord(suffix)) {
		return Command{}, false
	}
	return Command{Name: strings.ToLower(name), Suffix: suffix, Args: args}, true
}

func arguments(s string) string {
	args := strings.TrimSpace(s)
	between, _, _ := strings.Cut(s, args)
	if args != "" && strings.Contains(between, "\n") {
		return "\n" + args
	}
	return args
}

func visible(r rune) rune {
	if Ignorable(r) {
		return -1
	}
	return r
}

// isWord is what Telegram and the others take as a name: 1 to 64 ASCII
// letters, digits, underscores; a dash inside, as in "brief-add", is fine.
func isWord(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	return strings.IndexFunc(s, func(r rune) bool {
		return !(r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	}) < 0
}
