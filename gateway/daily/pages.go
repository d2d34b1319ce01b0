package daily

import (
	"context"
	"slices"
	"strings"

	"talaria/core/tool"
	"talaria/gateway/command"
)

// maxNews is how many new entries of one page are told.
const maxNews = 12

// entry is one piece of a page or feed that can be new.
type entry struct {
	id   string // what it is known by
	text string
	link string
}

// pages are what is new on the watched pages and in the feeds. The first look
// at one only takes note of what stands there.
func (r *gathering) pages(ctx context.Context) ([]item, error) {
	var out []item
	for _, address := range r.spec.Pages {
		page, err := r.Reader(ctx, r.who, address)
		if err != nil && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			if had, ok := r.before.Pages[address]; ok {
				r.after.Pages[address] = had
			}
			out = append(out, item{"unread " + address + err.Error(), r.spec.Lang.Text("%s: could not be read, %s", command.Clipped(address, maxText), command.Clipped(err.Error(), maxText))})
			continue
		}
		out = append(out, r.news(address, entries(page))...)
	}
	return out, nil
}

// news are the entries that were not on a page the last time.
func (r *gathering) news(address string, all []entry) []item {
	had, seen := r.before.Pages[address]
	var marks []string
	var out []item
	for _, e := range all {
		k := mark(e.id)
		if seen && !slices.Contains(had, k) && !slices.Contains(marks, k) && len(out) < maxNews {
			out = append(out, item{text: linked(command.Clipped(address, maxText)+": "+command.Clipped(e.text, maxText), e.link)})
		}
		if len(marks) < maxMarks {
			marks = append(marks, k)
		}
	}
	r.after.Pages[address] = marks
	return out
}

// shortest is how many characters a line of a page has at least to be told.
const shortest = 12

// entries are what a page consists of: a feed's entries, else its lines.
func entries(p tool.Page) []entry {
	if feed := parseFeed(p.Text); !p.HTML && feed != nil {
		return feed
	}
	var out []entry
	for line := range strings.Lines(p.Text) {
		line = strings.Join(strings.Fields(line), " ")
		if len([]rune(line)) >= shortest {
			out = append(out, entry{id: line, text: line})
		}
	}
	return out
}
