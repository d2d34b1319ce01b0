package daily

import (
	"context"
	"fmt"
	"slices"

	"talaria/core/chat"
	"talaria/gateway/command"
)

// Bounds of what is read of one channel for one briefing.
const (
	historyPage  = 100
	historyPages = 3
)

// channels are what was said in the chosen channels since the last time, where
// the owner is a member at this moment. Nothing of another place is told in a
// space, wherever the job was sent since it was made.
func (r *gathering) channels(ctx context.Context) ([]item, error) {
	var out []item
	for _, at := range r.spec.places() {
		if !r.who.Direct && at.Place() != r.who.Place.Place() {
			continue
		}
		items, err := r.channel(ctx, at)
		if err != nil {
			return nil, err
		}
		out = append(out, items...)
	}
	return out, nil
}

func (r *gathering) channel(ctx context.Context, at chat.Address) ([]item, error) {
	name := command.Clipped(at.String(), maxText)
	historian, ok := r.Histories[at.Platform]
	if !ok {
		return []item{{"silent " + at.String(), noHistory(at.Platform)}}, nil
	}
	member, err := r.member(ctx, at)
	if err != nil {
		return r.unread(at, err), nil
	}
	if !member {
		return []item{{"outside " + at.String(), name + ": left out, for you are no member of it any more, or it is gone"}}, nil
	}
	said, err := r.history(ctx, historian, at)
	if err != nil {
		return r.unread(at, err), nil
	}
	var out []item
	for _, e := range said {
		if e.Kind != chat.Message || e.Author.Self || e.Text == "" {
			continue
		}
		text := fmt.Sprintf("%s: %s", command.Clipped(e.Author.Name, maxText), command.Clipped(e.Text, maxText))
		if !r.spec.team() {
			text = name + ", " + text
		}
		out = append(out, item{text: linked(text, r.Link(e.Address, e.Message))})
	}
	if n := len(out) - maxItems; n > 0 {
		out = append([]item{{text: fmt.Sprintf("%s: %d messages before these", name, n)}}, out[n:]...)
	}
	return out, nil
}

// unread says that a channel could not be read, and has it read from the same
// message the next time.
func (r *gathering) unread(at chat.Address, err error) []item {
	r.Log.Warn("channel not read for a briefing", "place", at.String(), "err", err)
	if last := r.before.Read[at.String()]; last != "" {
		r.after.Read[at.String()] = last
	}
	return []item{{"unread " + at.String(), command.Clipped(at.String(), maxText) + ": could not be read this time"}}
}

// history is what was said since the last time, some pages of it, and notes how
// far it was read.
func (r *gathering) history(ctx context.Context, h chat.Historian, at chat.Address) ([]chat.Event, error) {
	last := r.before.Read[at.String()]
	var all []chat.Event
	for range historyPages {
		got, err := h.History(ctx, at, last, historyPage)
		if err != nil {
			return nil, err
		}
		first := last == ""
		if n := len(got); n > 0 && got[n-1].Message != "" {
			last = got[n-1].Message
		}
		all = append(all, got...)
		if first || len(got) < historyPage {
			break
		}
	}
	if last != "" {
		r.after.Read[at.String()] = last
	}
	if r.before.Read[at.String()] == "" {
		all = slices.DeleteFunc(all, func(e chat.Event) bool { return e.At.Before(r.before.At) })
	}
	return all, nil
}

// noHistory says why nothing is read on a platform.
func noHistory(platform string) string {
	return command.Clipped(platform, maxText) + " does not let bots read what was said before, so I can't tell what happened there."
}
