package agent

import (
	"fmt"
	"strings"

	"talaria/core/chat"
)

// transcript writes messages down for the model that sums them up, in at most
// about half of its window: the longer the conversation, the less of each.
func transcript(msgs []Message, window int) string {
	limit := 4000
	for {
		text := writeDown(msgs, limit)
		if limit < 100 || weight(text)/4 <= window/2 {
			return cut(text, window*2)
		}
		limit /= 2
	}
}

// digest stands in for a summary: who said what, cut short, the newest kept.
func digest(msgs []Message) string {
	var spoken []Message
	for _, m := range msgs {
		if m.Role != ToolRole && m.Text != "" {
			spoken = append(spoken, Message{Role: m.Role, Text: m.Text, Origin: m.Origin})
		}
	}
	const most = 40
	left := max(len(spoken)-most, 0)
	text := writeDown(spoken[left:], 200)
	if left > 0 {
		text = fmt.Sprintf("(%d older messages are not listed)\n", left) + text
	}
	return strings.TrimSpace(text)
}

// writeDown is a plain transcript, with at most limit bytes of each text. The
// blocks that the program put before messages are left out.
func writeDown(msgs []Message, limit int) string {
	var b strings.Builder
	for _, m := range msgs {
		switch {
		case m.Role == User && m.Origin == chat.Self:
			continue
		case m.Role == User:
			b.WriteString("Person: ")
		case m.Role == Assistant:
			b.WriteString("You: ")
		}
		if m.Role != ToolRole {
			b.WriteString(cut(m.Text, limit) + strings.Repeat(" [picture]", len(m.Images)) + "\n")
		}
		for _, c := range m.Calls {
			fmt.Fprintf(&b, "  call %s %s\n", c.Name, cut(string(c.Args), limit/4))
		}
		for _, o := range m.Results {
			fmt.Fprintf(&b, "  result of %s: %s\n", o.Name, cut(o.Text, limit/4))
		}
	}
	return b.String()
}
