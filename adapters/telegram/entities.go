package telegram

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf16"

	tele "gopkg.in/telebot.v3"
)

// account is the bot's own account.
type account struct {
	id   int64
	name string // user name, without the @
}

// richText is a text with its entities. Their offsets count UTF-16 code units
// (core.telegram.org/bots/api#messageentity), so it is cut in that form; an
// entity that lies outside the text, or begins or ends within a surrogate
// pair, is left out.
type richText struct {
	units    []uint16
	entities []tele.MessageEntity // valid, outer before inner
}

func newRichText(text string, entities []tele.MessageEntity) richText {
	t := richText{units: utf16.Encode([]rune(text))}
	for _, e := range entities {
		if t.valid(e) {
			t.entities = append(t.entities, e)
		}
	}
	slices.SortStableFunc(t.entities, func(a, b tele.MessageEntity) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(b.Length, a.Length))
	})
	return t
}

func (t richText) valid(e tele.MessageEntity) bool {
	n := len(t.units)
	return e.Offset >= 0 && e.Length > 0 && e.Offset < n && e.Length <= n-e.Offset &&
		!t.splitsPair(e.Offset) && !t.splitsPair(e.Offset+e.Length)
}

func (t richText) splitsPair(at int) bool {
	const lowSurrogates, end = 0xDC00, 0xE000
	return at > 0 && at < len(t.units) && t.units[at] >= lowSurrogates && t.units[at] < end
}

func (t richText) slice(from, to int) string { return string(utf16.Decode(t.units[from:to])) }

// mentions reports whether me is mentioned. Only entities count: a name inside
// code, an address or a longer name is none. User names know no case.
func (t richText) mentions(me account) bool {
	return slices.ContainsFunc(t.entities, func(e tele.MessageEntity) bool { return t.isMention(e, me) })
}

func (t richText) isMention(e tele.MessageEntity, me account) bool {
	switch e.Type {
	case tele.EntityMention:
		return me.name != "" && strings.EqualFold(t.slice(e.Offset, e.Offset+e.Length), "@"+me.name)
	case tele.EntityTMention:
		return e.User != nil && me.id != 0 && e.User.ID == me.id
	}
	return false
}

// view says how a text is written out.
type view struct {
	markdown bool    // entities become Markdown
	without  account // whose mentions are removed; zero for nobody's
}

// write returns the text in the view, blanks at its ends removed.
func (t richText) write(v view) string {
	if len(t.entities) == 0 {
		return strings.TrimSpace(t.slice(0, len(t.units)))
	}
	var out strings.Builder
	t.writeRange(&out, 0, len(t.units), t.entities, v)
	return strings.TrimSpace(out.String())
}

// writeRange writes the units from..to, of which entities are the styles. An
// entity that crosses the end of the one around it is left out.
func (t richText) writeRange(out *strings.Builder, from, to int, entities []tele.MessageEntity, v view) {
	for i, e := range entities {
		end := e.Offset + e.Length
		if e.Offset >= to {
			break
		}
		if e.Offset < from || end > to {
			continue
		}
		out.WriteString(t.slice(from, e.Offset))
		from = end
		switch {
		case t.isMention(e, v.without):
			from = t.skipBlank(out.String(), end, to)
		case v.markdown && (e.Type == tele.EntityCode || e.Type == tele.EntityCodeBlock):
			out.WriteString(codeMarkdown(t.slice(e.Offset, end), e))
		default:
			var inner strings.Builder
			t.writeRange(&inner, e.Offset, end, entities[i+1:], v)
			out.WriteString(styled(inner.String(), e, v))
		}
	}
	out.WriteString(t.slice(from, to))
}

// skipBlank steps over the blank behind a removed mention if there is one in
// front of it already.
func (t richText) skipBlank(before string, at, end int) int {
	blankBefore := before == "" || strings.HasSuffix(before, " ") || strings.HasSuffix(before, "\n")
	if blankBefore && at < end && t.units[at] == ' ' {
		return at + 1
	}
	return at
}

func styled(inner string, e tele.MessageEntity, v view) string {
	if !v.markdown {
		return inner
	}
	switch e.Type {
	case tele.EntityBold:
		return around(inner, "**")
	case tele.EntityItalic:
		return around(inner, "_")
	case tele.EntityStrikethrough:
		return around(inner, "~~")
	case tele.EntityTextLink:
		return "[" + inner + "](" + e.URL + ")"
	case tele.EntityBlockquote, "expandable_blockquote":
		return "> " + strings.ReplaceAll(inner, "\n", "\n> ")
	}
	return inner
}

// around puts marks round s, inside its outer blanks: Markdown knows no style
// that begins or ends with a blank.
func around(s, mark string) string {
	core := strings.TrimSpace(s)
	if core == "" {
		return s
	}
	at := strings.Index(s, core)
	return s[:at] + mark + core + mark + s[at+len(core):]
}

func codeMarkdown(code string, e tele.MessageEntity) string {
	if e.Type == tele.EntityCodeBlock {
		fence := longerThanIn(code, "```")
		return fence + e.Language + "\n" + strings.TrimSuffix(code, "\n") + "\n" + fence
	}
	mark := longerThanIn(code, "`")
	if strings.HasPrefix(code, "`") || strings.HasSuffix(code, "`") {
		code = " " + code + " "
	}
	return mark + code + mark
}

// longerThanIn lengthens mark until it is longer than any run of back-ticks in
// code.
func longerThanIn(code, mark string) string {
	run, longest := 0, 0
	for _, r := range code {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return mark + strings.Repeat("`", max(0, longest+1-len(mark)))
}
