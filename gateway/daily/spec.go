package daily

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"talaria/core/chat"
)

// Section is a part of a briefing.
type Section string

// The sections, in the order in which they are told.
const (
	Requests  Section = "requests"
	Approvals Section = "approvals"
	Schedules Section = "schedules"
	Channels  Section = "channels"
	Pages     Section = "pages"
)

// sections is all of them, with what they are called.
var sections = []struct {
	Section
	title, label wording
}{
	{Requests, wording{"Requests", "请求"}, wording{"requests that wait, run or failed", "等待、进行中或失败的请求"}},
	{Approvals, wording{"To decide on", "待决定"}, wording{"what waits for your decision", "等你决定的事"}},
	{Schedules, wording{"Coming up", "即将到来"}, wording{"schedules of the next day", "未来一天的安排"}},
	{Channels, wording{"In channels", "频道动态"}, wording{"what was said in channels", "频道里说了什么"}},
	{Pages, wording{"Pages", "网页"}, wording{"watched pages and feeds", "关注的网页和订阅源"}},
}

// Spec is what a briefing consists of.
type Spec struct {
	Sections []Section      `json:"sections"`
	Channels []chat.Address `json:"channels,omitempty"`
	Pages    []string       `json:"pages,omitempty"`
	// Space is whose briefing it is where it is not the owner's own: nothing
	// from elsewhere is told in it.
	Space chat.Address `json:"space,omitzero"`
	Lang  string       `json:"lang,omitempty"` // of its headings, as package when names it
}

// Bounds of what one briefing looks at.
const (
	maxChannels = 10
	maxPages    = 10
)

// data marks a spec among the data of jobs.
type data struct {
	Brief *Spec `json:"brief"`
}

// encode is the spec as a job carries it.
func (s Spec) encode() (json.RawMessage, error) {
	text, err := json.Marshal(data{&s})
	if err != nil {
		return nil, fmt.Errorf("write a briefing down: %w", err)
	}
	return text, nil
}

// specOf reads the spec of a job; false where the job is no briefing.
func specOf(text json.RawMessage) (Spec, bool) {
	var d data
	if len(text) == 0 || json.Unmarshal(text, &d) != nil || d.Brief == nil {
		return Spec{}, false
	}
	return *d.Brief, true
}

func (s Spec) has(n Section) bool { return slices.Contains(s.Sections, n) }

// team reports whether the briefing is a space's.
func (s Spec) team() bool { return s.Space != (chat.Address{}) }

// places are the channels to be read.
func (s Spec) places() []chat.Address {
	if s.team() {
		return []chat.Address{s.Space}
	}
	return s.Channels
}

// text is the spec in words.
func (s Spec) text(lang string) string {
	var parts []string
	for _, n := range sections {
		if !s.has(n.Section) {
			continue
		}
		part := n.label.in(lang)
		switch {
		case n.Section == Channels && !s.team():
			part += listed(lang, len(s.Channels), func(i int) string { return s.Channels[i].String() })
		case n.Section == Pages:
			part += listed(lang, len(s.Pages), func(i int) string { return s.Pages[i] })
		}
		parts = append(parts, "- "+part)
	}
	if len(parts) == 0 {
		return nothing.in(lang)
	}
	return strings.Join(parts, "\n")
}

func listed(lang string, n int, name func(int) string) string {
	if n == 0 {
		return noneYet.in(lang)
	}
	var names []string
	for i := range n {
		names = append(names, "`"+strings.ReplaceAll(name(i), "`", "'")+"`")
	}
	return ": " + strings.Join(names, ", ")
}
