package daily

import (
	"fmt"
	"slices"
	"strings"
)

// item is one thing that may be told.
type item struct {
	id   string // the same in each briefing that finds it; empty: it is found once only
	text string // in Markdown, foreign words plain
}

// Bounds of what is told, in characters and items.
const (
	maxText    = 280
	maxItems   = 40
	maxSection = 4000
	maxWhole   = 14000
)

// fresh are the items that were not told before. It marks all of them.
func (m *memory) fresh(before memory, items []item) []item {
	var out []item
	for _, it := range items {
		if it.id == "" {
			out = append(out, it)
			continue
		}
		k := mark(it.id)
		if !slices.Contains(before.Marks, k) && !slices.Contains(m.Marks, k) {
			out = append(out, it)
		}
		if len(m.Marks) < maxMarks {
			m.Marks = append(m.Marks, k)
		}
	}
	return out
}

// written is a section in Markdown, within bounds; empty for no items.
func written(title string, items []item) string {
	if len(items) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n", title)
	for n, it := range items {
		if n == maxItems || b.Len() > maxSection {
			fmt.Fprintf(&b, "- and %d more\n", len(items)-n)
			break
		}
		fmt.Fprintf(&b, "- %s\n", it.text)
	}
	return b.String()
}

// linked is text that leads to an address, or the text alone without one.
func linked(text, address string) string {
	if address == "" || strings.ContainsAny(address, " ()<>\n") {
		return text
	}
	return fmt.Sprintf("%s ([link](%s))", text, address)
}
