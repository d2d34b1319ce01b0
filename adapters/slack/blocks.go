package slack

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// blocks reads what stands in blocks, in the marks of mrkdwn, since that is
// how the text of a message is marked. It reports whether the bot is mentioned.
func (r reader) blocks(all []node) (text string, mentioned bool) {
	var lines []string
	for _, n := range all {
		line, there := r.block(n)
		mentioned = mentioned || there
		if strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n"), mentioned
}

func (r reader) block(n node) (string, bool) {
	switch n.Type {
	case "rich_text":
		return r.blocks(n.Elements)
	case "rich_text_section":
		return r.inline(n.Elements)
	case "rich_text_list":
		return r.list(n)
	case "rich_text_preformatted":
		text, _ := r.inline(n.Elements)
		return "```\n" + strings.TrimSuffix(text, "\n") + "\n```", false
	case "rich_text_quote":
		text, there := r.inline(n.Elements)
		return "> " + strings.ReplaceAll(text, "\n", "\n> "), there
	case "table":
		return r.table(n)
	case "context":
		return r.context(n)
	case "image":
		return cmp.Or(n.Title.text, n.AltText), false
	case "markdown":
		return n.Text.text, false
	case "section", "header":
		return r.labels(append([]label{n.Text}, n.Fields...))
	}
	return "", false
}

func (r reader) labels(all []label) (text string, mentioned bool) {
	var lines []string
	for _, l := range all {
		line, there := l.text, false
		if l.mark {
			line, there = r.mrkdwn(l.text)
		}
		mentioned = mentioned || there
		if line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n"), mentioned
}

func (r reader) context(n node) (text string, mentioned bool) {
	var all []string
	for _, e := range n.Elements {
		part, there := cmp.Or(e.AltText, e.Text.text), false
		if e.Type == "mrkdwn" {
			part, there = r.mrkdwn(e.Text.text)
		}
		mentioned = mentioned || there
		all = append(all, part)
	}
	return strings.Join(all, " "), mentioned
}

func (r reader) list(n node) (text string, mentioned bool) {
	var lines []string
	indent := strings.Repeat("  ", max(0, min(n.Indent, 8)))
	for i, item := range n.Elements {
		bullet := "• "
		if string(n.Style) == `"ordered"` {
			bullet = strconv.Itoa(n.Offset+i+1) + ". "
		}
		line, there := r.block(item)
		mentioned = mentioned || there
		lines = append(lines, indent+bullet+line)
	}
	return strings.Join(lines, "\n"), mentioned
}

func (r reader) table(n node) (text string, mentioned bool) {
	var lines []string
	for _, row := range n.Rows {
		var cells []string
		for _, cell := range row {
			line, there := cell.Text.text, false
			if line == "" {
				line, there = r.block(cell)
			}
			mentioned = mentioned || there
			cells = append(cells, strings.ReplaceAll(line, "\n", " "))
		}
		lines = append(lines, strings.Join(cells, " | "))
	}
	return strings.Join(lines, "\n"), mentioned
}

// inline reads the elements of one paragraph.
func (r reader) inline(all []node) (text string, mentioned bool) {
	var b strings.Builder
	for _, e := range all {
		if e.Type == "user" && e.User == r.me.user && e.User != "" {
			mentioned = true
			continue
		}
		part := r.element(e)
		if text := b.String(); mentioned && (text == "" || strings.HasSuffix(text, " ")) {
			part = strings.TrimLeft(part, " ")
		}
		b.WriteString(part)
	}
	return b.String(), mentioned
}

func (r reader) element(e node) string {
	switch e.Type {
	case "text":
		return styled(e.Text.text, e.Style)
	case "link":
		return link(e.URL, e.Text.text)
	case "user":
		return r.person(e.User, "")
	case "channel":
		return "#" + e.Channel
	case "usergroup":
		return "@" + e.Usergroup
	case "broadcast":
		return "@" + e.Range
	case "emoji":
		return emoji(e.Unicode, e.Name)
	case "date":
		return e.Fallback
	case "color":
		return e.Value
	}
	return e.Text.text
}

// emoji is the character of "1f468-200d-1f4bb", or the short name.
func emoji(unicode, name string) string {
	var b strings.Builder
	for hex := range strings.SplitSeq(unicode, "-") {
		r, err := strconv.ParseInt(hex, 16, 32)
		if err != nil || r < ' ' || r > 0x10FFFF {
			return fmt.Sprintf(":%s:", name)
		}
		b.WriteRune(rune(r))
	}
	return b.String()
}

// styled puts the marks of a style around s, blanks at its ends left out.
func styled(s string, style json.RawMessage) string {
	var is struct{ Bold, Italic, Strike, Code bool }
	core := strings.TrimSpace(s)
	if core == "" || !read(style, &is) {
		return s
	}
	marked := core
	for _, m := range []struct {
		on   bool
		mark string
	}{{is.Code, "`"}, {is.Strike, "~"}, {is.Italic, "_"}, {is.Bold, "*"}} {
		if m.on {
			marked = m.mark + marked + m.mark
		}
	}
	return strings.Replace(s, core, marked, 1)
}
