package slack

import (
	"cmp"
	"strings"
	"unicode"
)

// reader turns what Slack sends as text into what a person read there. Tokens
// are parsed before escapes are decoded, each exactly once: a "<!here>" that
// somebody typed arrives escaped and must not become a token.
type reader struct {
	me    account
	names map[string]string // display names by user id
}

// unescape decodes the only escapes that Slack makes
// (docs.slack.dev/messaging/formatting-message-text#escaping).
var unescape = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")

// mrkdwn reads a text with tokens. It reports whether it mentions the bot, and
// leaves that mention out. In code nothing is a mention.
func (r reader) mrkdwn(s string) (text string, mentioned bool) {
	var b strings.Builder
	fence := "" // the back-ticks that the code we are in ends with
	for s != "" {
		i := strings.IndexAny(s, "<`")
		if i < 0 {
			i = len(s)
		}
		b.WriteString(unescape.Replace(s[:i]))
		s = s[i:]
		switch {
		case s == "":
		case s[0] == '`':
			ticks := opening(s, fence)
			b.WriteString(s[:len(ticks)])
			s = s[len(ticks):]
			fence = toggle(fence, ticks, s)
		default:
			token, rest := cutToken(s)
			s = rest
			if fence == "" && r.isMe(token) {
				mentioned = true
				s = closeGap(b.String(), s)
				continue
			}
			b.WriteString(r.token(token))
		}
	}
	return b.String(), mentioned
}

// opening returns the back-ticks at the start of s that count as one mark.
func opening(s, fence string) string {
	if fence != "`" && strings.HasPrefix(s, "```") {
		return "```"
	}
	return "`"
}

// toggle returns the fence after a mark. A mark that nothing closes is text.
func toggle(fence, mark, rest string) string {
	switch {
	case fence == mark:
		return ""
	case fence != "":
		return fence
	}
	if mark == "`" {
		rest, _, _ = strings.Cut(rest, "\n")
	}
	if strings.Contains(rest, mark) {
		return mark
	}
	return ""
}

// cutToken cuts "<...>" off s. What is no token is the bracket it is.
func cutToken(s string) (token, rest string) {
	end := strings.IndexAny(s[1:], "<>\n")
	if end <= 0 || s[1+end] != '>' {
		return s[:1], s[1:]
	}
	return s[:end+2], s[end+2:]
}

// closeGap takes away the blank that a mention left behind.
func closeGap(before, after string) string {
	if before == "" || unicode.IsSpace(rune(before[len(before)-1])) {
		return strings.TrimLeft(after, " ")
	}
	return after
}

// isMe reports whether the token mentions the bot.
func (r reader) isMe(token string) bool {
	id, ok := strings.CutPrefix(token, "<@")
	id, _, _ = strings.Cut(strings.TrimSuffix(id, ">"), "|")
	return ok && r.me.user != "" && id == r.me.user
}

// token writes a token readably.
func (r reader) token(token string) string {
	if len(token) < 3 {
		return token
	}
	target, name, labelled := strings.Cut(token[1:len(token)-1], "|")
	target, name = unescape.Replace(target), unescape.Replace(name)
	switch {
	case strings.HasPrefix(target, "@"):
		return r.person(target[1:], name)
	case strings.HasPrefix(target, "#"):
		return "#" + cmp.Or(name, target[1:])
	case strings.HasPrefix(target, "!"):
		return special(target[1:], name)
	case strings.Contains(target, ":"):
		return link(target, name)
	case labelled:
		return name + " (" + target + ")"
	}
	return token
}

// person is how a person is mentioned.
func (r reader) person(id, name string) string {
	return "@" + strings.TrimPrefix(cmp.Or(r.names[id], name, id), "@")
}

// special writes "<!...>": "here", "subteam^S1", "date^123^{date}".
func special(target, name string) string {
	kind, rest, _ := strings.Cut(target, "^")
	switch {
	case kind == "date":
		return cmp.Or(name, rest)
	case kind == "subteam":
		return "@" + strings.TrimPrefix(cmp.Or(name, rest), "@")
	}
	return "@" + strings.TrimPrefix(cmp.Or(name, kind), "@")
}

// link shows a label with its address, so that neither hides the other.
func link(address, name string) string {
	if name == "" || name == address {
		return address
	}
	for _, scheme := range []string{"mailto:", "tel:"} {
		if address == scheme+name {
			return name
		}
	}
	return name + " (" + address + ")"
}
