package daily

import (
	"context"
	"fmt"
	"slices"
	"time"

	"talaria/core/chat"
	"talaria/gateway/command"
)

// Bounds of what is read of one channel for one briefing.
const (
	historyPage  = 100
	historyPages = 3
	maxThreads   = 10
	threadPage   = 50
	// threadLap is how much before the last briefing replies are looked at
	// again, for clocks that differ; those that were told then are known.
	threadLap = 10 * time.Minute
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
		return []item{{"silent " + at.String(), noHistory(r.spec.Lang, at.Platform)}}, nil
	}
	member, err := r.member(ctx, at)
	if err != nil {
		return r.unread(at, err), nil
	}
	if !member {
		return []item{{"outside " + at.String(), r.spec.Lang.Text("%s: left out, for you are no member of it any more, or it is gone", name)}}, nil
	}
	said, err := r.history(ctx, historian, at)
	if err != nil {
		return r.unread(at, err), nil
	}
	var out []item
	for _, e := range said {
		if tells(e) {
			out = append(out, item{text: r.message(e, name, "")})
		}
	}
	replies, err := r.replies(ctx, historian, at, name)
	if err != nil {
		return r.unread(at, err), nil
	}
	out = append(out, replies...)
	if n := len(out) - maxItems; n > 0 {
		out = append([]item{{text: r.spec.Lang.Text("%s: and %d more before these", name, n)}}, out[n:]...)
	}
	return out, nil
}

// tells reports whether an event is somebody's message.
func tells(e chat.Event) bool {
	return e.Kind == chat.Message && !e.Author.Self && e.Text != ""
}

// message is what somebody said in a channel, by its name, with where in it.
func (r *gathering) message(e chat.Event, name, where string) string {
	text := fmt.Sprintf("%s%s: %s", command.Clipped(e.Author.Name, maxText), where, command.Clipped(e.Text, maxText))
	if !r.spec.team() {
		text = name + ", " + text
	}
	return linked(text, r.Link(e.Address, e.Message))
}

// replies are what was said since the last time in the threads below a
// channel's messages: in those written to last, the newest of it.
func (r *gathering) replies(ctx context.Context, h chat.Historian, at chat.Address, name string) ([]item, error) {
	threader, ok := h.(chat.Threader)
	if !ok {
		return nil, nil
	}
	since := r.before.At.Add(-threadLap)
	threads, err := threader.Threads(ctx, at, since, maxThreads)
	if err != nil {
		return nil, err
	}
	var out []item
	for _, thread := range threads {
		got, err := h.History(ctx, thread, "", threadPage)
		if err != nil {
			return nil, err
		}
		for _, e := range got {
			if tells(e) && e.Message != thread.Thread && !e.At.Before(since) {
				out = append(out, item{"reply " + thread.String() + " " + e.Message, r.message(e, name, r.spec.Lang.Text(" in a thread"))})
			}
		}
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
	return []item{{"unread " + at.String(), r.spec.Lang.Text("%s: could not be read this time", command.Clipped(at.String(), maxText))}}
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
