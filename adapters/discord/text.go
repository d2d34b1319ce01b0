package discord

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// token is what Discord puts into a text in place of what a client shows
// (discord.com/developers/docs/reference#message-formatting).
var token = regexp.MustCompile(`<(?:@!?(\d{1,20})|@&(\d{1,20})|#(\d{1,20})|a?:(\w{1,64}):\d{1,20}|/([^<>:\n]{1,100}):\d{1,20}|t:(-?\d{1,13})(?::[a-zA-Z])?)>`)

// The groups of token.
const (
	userGroup = 1 + iota
	roleGroup
	channelGroup
	emojiGroup
	commandGroup
	timeGroup
)

// reader resolves the tokens of one content.
type reader struct {
	users     map[string]string // display names by id
	channels  func(id string) string
	me        string // own mentions of it are found
	role      string // and of this one
	strip     bool   // leave own mentions out
	mentioned bool
}

// read returns text with its tokens resolved. Code stays as it is: there a
// mention mentions nobody.
func (r *reader) read(text string) string {
	var out strings.Builder
	for len(text) > 0 {
		start, end := nextCode(text)
		out.WriteString(r.prose(text[:start]))
		out.WriteString(text[start:end])
		text = text[end:]
	}
	return strings.TrimSpace(out.String())
}

// nextCode finds the first run of code, back-ticks included. Without one it
// returns the end of text twice.
func nextCode(text string) (start, end int) {
	for start = 0; start < len(text); {
		i := strings.IndexByte(text[start:], '`')
		if i < 0 {
			break
		}
		start += i
		ticks := leadingTicks(text[start:])
		if n := closing(text[start+ticks:], ticks); n >= 0 {
			return start, start + ticks + n
		}
		start += ticks
	}
	return len(text), len(text)
}

func leadingTicks(s string) int { return len(s) - len(strings.TrimLeft(s, "`")) }

// closing is how far it is to the end of the run of as many back-ticks, -1 if
// there is none.
func closing(s string, ticks int) int {
	for at := 0; ; {
		i := strings.IndexByte(s[at:], '`')
		if i < 0 {
			return -1
		}
		n := leadingTicks(s[at+i:])
		at += i + n
		if n == ticks || ticks >= 3 && n > 3 {
			return at
		}
	}
}

func (r *reader) prose(text string) string {
	var out strings.Builder
	at := 0
	for _, m := range token.FindAllStringSubmatchIndex(text, -1) {
		out.WriteString(text[at:m[0]])
		out.WriteString(r.resolve(text, m))
		at = m[1]
	}
	out.WriteString(text[at:])
	return out.String()
}

// resolve is what stands for the token that m matched. What isn't known stays
// as it came.
func (r *reader) resolve(text string, m []int) string {
	group := func(n int) string {
		if m[2*n] < 0 {
			return ""
		}
		return text[m[2*n]:m[2*n+1]]
	}
	raw := text[m[0]:m[1]]
	if id := group(userGroup); id != "" {
		return r.mention(id == r.me, "@", r.users[id], raw)
	}
	if id := group(roleGroup); id != "" {
		return r.mention(id == r.role, "@", "", raw)
	}
	if id := group(channelGroup); id != "" {
		return r.mention(false, "#", r.channels(id), raw)
	}
	if name := group(emojiGroup); name != "" {
		return ":" + name + ":"
	}
	if name := group(commandGroup); name != "" {
		return "/" + name
	}
	return moment(group(timeGroup), raw)
}

func (r *reader) mention(own bool, sign, name, raw string) string {
	r.mentioned = r.mentioned || own
	switch {
	case own && r.strip:
		return ""
	case name == "":
		return raw
	}
	return sign + name
}

func moment(seconds, raw string) string {
	n, err := strconv.ParseInt(seconds, 10, 64)
	at := time.Unix(n, 0).UTC()
	if err != nil || at.Year() < 1 || at.Year() > 9999 {
		return raw
	}
	return at.Format("2006-01-02 15:04 UTC")
}
