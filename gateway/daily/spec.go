package daily

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"talaria/core/chat"
	"talaria/gateway/wording"
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
	title, label string
}{
	{Requests, "Requests", "requests that wait, run or failed"},
	{Approvals, "To decide on", "what waits for your decision"},
	{Schedules, "Coming up", "schedules of the next day"},
	{Channels, "In channels", "what was said in channels"},
	{Pages, "Pages", "watched pages and feeds"},
}

// Spec is what a briefing consists of.
type Spec struct {
	Sections []Section      `json:"sections"`
	Channels []chat.Address `json:"channels,omitempty"`
	Pages    []string       `json:"pages,omitempty"`
	// Space is whose briefing it is where it is not the owner's own: nothing
	// from elsewhere is told in it.
	Space chat.Address     `json:"space,omitzero"`
	Lang  wording.Language `json:"lang,omitempty"` // of its headings, as package when names it
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
func (s Spec) text(lang wording.Language) string {
	var parts []string
	for _, n := range sections {
		if !s.has(n.Section) {
			continue
		}
		part := lang.Of(n.label)
		switch {
		case n.Section == Channels && !s.team():
			part += listed(lang, len(s.Channels), func(i int) string { return s.Channels[i].String() })
		case n.Section == Pages:
			part += listed(lang, len(s.Pages), func(i int) string { return s.Pages[i] })
		}
		parts = append(parts, "- "+part)
	}
	if len(parts) == 0 {
		return lang.Text(nothing)
	}
	return strings.Join(parts, "\n")
}

func listed(lang wording.Language, n int, name func(int) string) string {
	if n == 0 {
		return lang.Text(noneYet)
	}
	var names []string
	for i := range n {
		names = append(names, "`"+strings.ReplaceAll(name(i), "`", "'")+"`")
	}
	return ": " + strings.Join(names, ", ")
}
