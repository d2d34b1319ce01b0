package markdown

import (
	"strings"
	"unicode/utf8"
)

// DiscordLimit is the most code points of a message's content. See
// https://discord.com/developers/docs/resources/message#create-message.
const DiscordLimit = 2000

// suppressEmbeds is the message flag that keeps link previews off.
const suppressEmbeds = 1 << 2

// discord writes Discord's own Markdown. Its marks work inside of words, but
// underscores do not; everything else can be escaped.
type discord struct{}

func (discord) layout() layout {
	return layout{bullet: "- ", indent: 2, headings: 3, emoji: true, labels: isWeb}
}

func (discord) limit() int { return DiscordLimit }

func (discord) measure(p Part) int { return p.Units }

func (discord) fits(p Part) bool { return p.Units <= DiscordLimit }

func (d discord) write(lines []line) Part {
	text := writeLines(d, lines)
	return Part{Text: text, Units: utf8.RuneCountInString(text), Format: "markdown"}
}

func (discord) options() map[string]any {
	return map[string]any{"allowed_mentions": map[string]any{"parse": []string{}}, "flags": suppressEmbeds}
}

func (discord) mark(s style) string {
	switch s {
	case bold:
		return "**"
	case italic:
		return "_"
	case underline:
		return "__"
	case strike:
		return "~~"
	}
	return ""
}

func (discord) joint(mark string, r rune) bool {
	return mark == "_" && (isWord(r) || r == '_') || mark == "`" && r == '`'
}

func (discord) begin(*pen, []span) {}

func (discord) fence(lang string) string { return "```" + lang }

func (discord) flatCode() bool { return false }

func (discord) literal(p *pen, s string) {
	p.out = append(p.out, strings.ReplaceAll(s, "```", strings.Repeat(fakeTick, 3))...)
}

// code takes more back-ticks around than there are inside. Three would begin
// a code block.
func (discord) code(p *pen, s string) {
	ticks := "`"
	switch {
	case strings.Contains(s, "``"):
		s = strings.ReplaceAll(s, "`", fakeTick)
	case strings.Contains(s, "`"):
		ticks = "``"
		if s[0] == '`' {
			s = " " + s
		}
		if s[len(s)-1] == '`' {
			s += " "
		}
	}
	p.out = append(p.out, ticks+s+ticks...)
}

// discordAddress keeps brackets from ending the address early.
var discordAddress = strings.NewReplacer("(", "%28", ")", "%29", "<", "%3C", ">", "%3E")

func (d discord) link(p *pen, s span) {
	switch {
	case !isWeb(s.url):
		d.text(p, s.text)
	case s.auto:
		p.out = append(p.out, "<"+s.text+">"...)
	case strings.Contains(s.text, "://"): // would not be taken for a link
		d.text(p, s.text)
		p.out = append(p.out, " (<"+s.url+">)"...)
	default:
		p.out = append(p.out, '[')
		d.text(p, s.text)
		p.out = append(p.out, "]("+discordAddress.Replace(s.url)+")"...)
	}
}

func (d discord) text(p *pen, s string) {
	for i, r := range s {
		before, after := p.around(s, i, utf8.RuneLen(r))
		if p.discordEscapes(s, i, r, before, after) {
			p.out = append(p.out, '\\')
		}
		p.out = utf8.AppendRune(p.out, r)
		if r == '@' && massMention(s[i+1:]) {
			p.out = append(p.out, zeroWidth...)
		}
	}
}

func massMention(s string) bool {
	return strings.HasPrefix(s, "everyone") || strings.HasPrefix(s, "here")
}

// discordEscapes tells whether r, as text, would be taken for markup.
func (p *pen) discordEscapes(s string, i int, r, before, after rune) bool {
	if r > '~' || isWord(r) || r == ' ' {
		return false
	}
	start := len(p.out) == p.start
	switch r {
	case '`':
		return true
	case '\\':
		return after > ' ' && after <= '~' && !isWord(after)
	case '*':
		return start || !isBlank(before) || !isBlank(after)
	case '_':
		return !isWord(before) || !isWord(after) || p.open(italic)
	case '~', '|':
		return before == r || after == r
	case '<':
		return strings.ContainsRune("@#:/aith", after)
	case ']':
		return after == '('
	case '(':
		return before == ']'
	case '#':
		return start
	case '>', '-', '+':
		return start && (isBlank(after) || after == '#' || after == '>')
	case '.', ')':
		return isBlank(after) && !start && onlyDigits(p.out[p.start:])
	case ':':
		return isWord(before) && codeLen(s[i:]) > 0
	}
	return false
}

func (p *pen) open(s style) bool {
	for _, o := range p.styles.open {
		if o == s {
			return true
		}
	}
	return false
}

func onlyDigits(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
