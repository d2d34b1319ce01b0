package markdown

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// SlackLimit is the most bytes of a Slack part. chat.postMessage would take
// 4,000 characters and more, but chat.update refuses (or cuts) longer texts
// and counts bytes, and any part may have to be edited: to show a growing
// answer, or what became of a card.
const SlackLimit = 4000

// slack writes mrkdwn: https://docs.slack.dev/messaging/formatting-message-text.
// Its marks count only beside blanks or punctuation, and nothing can be
// escaped but the three control characters. A zero-width space does for both:
// outside of a mark it is a boundary, inside it keeps the mark from working.
type slack struct{}

func (slack) layout() layout {
	return layout{bullet: "• ", indent: 4, files: true, labels: anyAddress}
}

func (slack) limit() int { return SlackLimit }

func (slack) measure(p Part) int { return len(p.Text) }

func (s slack) fits(p Part) bool { return s.measure(p) <= SlackLimit }

func (s slack) write(lines []line) Part {
	text := writeLines(s, lines)
	return Part{Text: text, Units: utf8.RuneCountInString(text), Format: "mrkdwn"}
}

func (slack) options() map[string]any {
	return map[string]any{"mrkdwn": true, "link_names": false, "unfurl_links": false, "unfurl_media": false}
}

func (slack) mark(s style) string {
	switch s {
	case bold:
		return "*"
	case italic:
		return "_"
	case strike:
		return "~"
	}
	return ""
}

func (slack) joint(mark string, r rune) bool {
	return mark != "" && !isBlank(r) && !strings.ContainsRune("()[]{}\"'.,;:!?<>", r)
}

// begin finds the characters that Slack would take for marks: where one could
// open and a later one could close, or where marks of our own are about.
func (s slack) begin(p *pen, spans []span) {
	const marks = "*_~`"
	p.live = ""
	if !slices.ContainsFunc(spans, func(sp span) bool { return !sp.atom() && strings.ContainsAny(sp.text, marks) }) {
		return
	}
	var b strings.Builder
	styled := false
	for _, sp := range spans {
		styled = styled || sp.style != 0
		if sp.atom() {
			sp.text = "x"
		}
		b.WriteString(sp.text)
	}
	for _, r := range marks {
		if mark := string(r); strings.Contains(b.String(), mark) && (styled || s.pairs(b.String(), mark)) {
			p.live += mark
		}
	}
}

// pairs tells whether Slack would take two of the marks in text for a pair.
func (s slack) pairs(text, mark string) bool {
	open, before := false, ' '
	for i, r := range text {
		if string(r) == mark {
			after, _ := utf8.DecodeRuneInString(text[i+1:])
			if i+1 == len(text) {
				after = ' '
			}
			if open && !isBlank(before) && !s.joint(mark, after) {
				return true
			}
			open = open || !isBlank(after) && !s.joint(mark, before)
		}
		before = r
	}
	return false
}

func (slack) fence(string) string { return "```" }

func (slack) flatCode() bool { return true }

var slackEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// fakeTick looks like a back-tick, and stands for one in code that a back-tick
// would end.
const fakeTick = "ˋ"

func (slack) literal(p *pen, s string) {
	s = strings.ReplaceAll(s, "```", strings.Repeat(fakeTick, 3))
	p.out = append(p.out, slackEscapes.Replace(s)...)
}

func (slack) code(p *pen, s string) {
	s = slackEscapes.Replace(strings.ReplaceAll(s, "`", fakeTick))
	p.out = append(append(append(p.out, '`'), s...), '`')
}

var (
	// A bar or an angle bracket would end the address, or forge a label.
	slackAddress = strings.NewReplacer("&", "&amp;", "<", "%3C", ">", "%3E", "|", "%7C")
	slackLabel   = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "|", "¦", "`", fakeTick)
)

func (slack) link(p *pen, s span) {
	p.out = append(p.out, '<')
	p.out = append(p.out, slackAddress.Replace(s.url)...)
	if !s.auto || s.text != s.url {
		p.out = append(p.out, '|')
		p.out = append(p.out, slackLabel.Replace(s.text)...)
	}
	p.out = append(p.out, '>')
}

func (slack) text(p *pen, s string) {
	for i, r := range s {
		switch r {
		case '&':
			p.out = append(p.out, "&amp;"...)
		case '<':
			p.out = append(p.out, "&lt;"...)
		case '>':
			if len(p.out) == p.start { // not a quote
				p.out = append(p.out, zeroWidth...)
			}
			p.out = append(p.out, "&gt;"...)
		case '*', '_', '~':
			p.slackMark(s, i, r)
		case '`':
			p.slackTick(s, i)
		case ':':
			before := p.last()
			p.out = append(p.out, ':')
			if isWord(before) && codeLen(s[i:]) > 0 { // a time of day, not an emoji
				p.out = append(p.out, zeroWidth...)
			}
		default:
			p.out = utf8.AppendRune(p.out, r)
		}
	}
}

// slackMark writes a character that is a mark where it leans on a word.
func (p *pen) slackMark(s string, i int, r rune) {
	before, after := p.around(s, i, 1)
	live := strings.ContainsRune(p.live, r)
	switch mark := string(r); {
	case live && !isBlank(after) && !(slack{}).joint(mark, before):
		p.out = append(p.out, mark+zeroWidth...)
	case live && !isBlank(before) && !(slack{}).joint(mark, after):
		p.out = append(p.out, zeroWidth+mark...)
	default:
		p.out = append(p.out, mark...)
	}
}

// slackTick writes a back-tick, unless it would begin code.
func (p *pen) slackTick(s string, i int) {
	if before, after := p.around(s, i, 1); before == 'ˋ' || after == '`' || strings.Contains(p.live, "`") {
		p.out = append(p.out, fakeTick...)
		return
	}
	p.out = append(p.out, '`')
}
