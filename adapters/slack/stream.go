package slack

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"talaria/core/chat"

	"github.com/slack-go/slack"
)

// The methods of a stream (docs.slack.dev/reference/methods/chat.startStream and
// the two beside it).
const (
	opStart  = "chat.startStream"
	opAppend = "chat.appendStream"
	opStop   = "chat.stopStream"
)

// maxGrown is how many bytes of an answer are streamed: what certainly stands in
// its first message, too. Slack would take 12,000 characters a call.
const maxGrown = 3500

// grown is what a stream may show of an answer that is being written. A stream
// only ever gets longer.
type grown struct {
	Text string `json:"text"`
	Held bool   `json:"held,omitempty"` // more is there that no stream may show
}

// unstreamable begins what must not be streamed: an address, whose preview can't
// be turned off in a stream and would have Slack fetch what a model chose, and
// what may be a mention or another token.
var unstreamable = regexp.MustCompile(`(?i)://|(?:mailto|tel):|[\p{L}\p{N}-]\.\p{L}{2,}|\]\(|[<@]`)

// growth is what a stream may show of Markdown. The last word may not be whole
// yet.
func growth(markdown string) grown {
	g := grown{Text: markdown}
	if at := unstreamable.FindStringIndex(g.Text); at != nil {
		g.Text, g.Held = g.Text[:at[0]], true
	}
	if len(g.Text) > maxGrown {
		at := maxGrown
		for at > 0 && !utf8.RuneStart(g.Text[at]) {
			at-- // to nothing where all of it is no text
		}
		g.Text, g.Held = g.Text[:at], true
	}
	if at := strings.LastIndexFunc(g.Text, unicode.IsSpace); at >= 0 {
		_, width := utf8.DecodeRuneInString(g.Text[at:])
		g.Text = g.Text[:at+width]
	} else {
		g.Text = ""
	}
	return g
}

// Preview implements chat.Previewer: the first message as it would be edited in,
// and what a stream shows in its place.
func (a *Adapter) Preview(markdown string) (chat.Part, bool) {
	parts, payloads := render(chat.Post{Markdown: markdown})
	if len(parts) == 0 || parts[0].Fixed {
		return chat.Part{}, false
	}
	g := growth(markdown)
	payloads[0].Grown = &g
	parts[0].Payload = encode(payloads[0])
	return parts[0], true
}

// streams are the streams that this adapter has opened, by channel and ts, with
// what they show. One of an earlier process is known by Slack's refusals.
type streams struct {
	mu    sync.Mutex
	open  map[string]string
	off   bool      // the app may not stream
	after time.Time // none is begun before
}

// maxStreams bounds the streams kept in mind; one that was forgotten is ended by
// the answer all the same.
const maxStreams = 1000

func (s *streams) allowed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.off && time.Now().After(s.after)
}

// refused notes why a stream was not begun.
func (s *streams) refused(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.off = s.off || refusedWith(err, "unknown_method", "missing_scope", "not_allowed_token_type", "feature_not_enabled")
	if e, ok := errors.AsType[*chat.Error](err); ok && e.Kind == chat.RateLimited {
		s.after = time.Now().Add(e.RetryAfter)
	}
}

func (s *streams) shown(d chat.Delivery) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, open := s.open[d.Address.Chat+"/"+d.Message]
	return text, open
}

func (s *streams) show(d chat.Delivery, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open == nil || len(s.open) >= maxStreams {
		s.open = map[string]string{}
	}
	s.open[d.Address.Chat+"/"+d.Message] = text
}

func (s *streams) ended(d chat.Delivery) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, d.Address.Chat+"/"+d.Message)
}

// startStream begins an answer by a stream. It reports false where it is to be
// posted: it is none that grows, it is in no thread, or Slack refused.
func (a *Adapter) startStream(ctx context.Context, d chat.Delivery, p payload) (chat.Receipt, bool, error) {
	if d.Growth == nil || d.Growth.Whole || d.Address.Thread == "" || p.Grown == nil || p.Grown.Text == "" || p.Grown.Held || !a.streams.allowed() {
		return chat.Receipt{}, false, nil
	}
	r, err := a.say(ctx, opStart, func(ctx context.Context, api *slack.Client) error {
		_, _, err := api.StartStreamContext(ctx, d.Address.Chat, slack.MsgOptionTS(d.Address.Thread), slack.MsgOptionMarkdownText(p.Grown.Text),
			slack.MsgOptionRecipientUserID(d.Growth.For.ID), slack.MsgOptionRecipientTeamID(d.Growth.For.Workspace))
		return err
	})
	if err != nil && chat.KindOf(err) != chat.UnknownOutcome {
		a.streams.refused(err)
		a.log.Debug("stream not begun", "platform", Platform, "err", err)
		return chat.Receipt{}, false, nil
	}
	if err == nil {
		d.Message = r.Message
		a.streams.show(d, p.Grown.Text)
	}
	return r, true, err
}

// grow shows more of an answer: in its stream as long as that can show it, else
// by an edit.
func (a *Adapter) grow(ctx context.Context, d chat.Delivery, p payload) (chat.Receipt, error) {
	shown, open := a.streams.shown(d)
	if !open || p.Grown == nil {
		return a.finish(ctx, d, p)
	}
	more, longer := strings.CutPrefix(p.Grown.Text, shown)
	if !longer || p.Grown.Held {
		return a.finish(ctx, d, p)
	}
	if more == "" {
		return receipt(d.Message), nil
	}
	r, err := a.say(ctx, opAppend, func(ctx context.Context, api *slack.Client) error {
		_, _, err := api.AppendStreamContext(ctx, d.Address.Chat, d.Message, slack.MsgOptionMarkdownText(more))
		return err
	})
	switch chat.KindOf(err) {
	case chat.Permanent, chat.NotAllowed:
		return a.finish(ctx, d, p) // Slack closes a stream after some minutes
	}
	if err == nil {
		a.streams.show(d, p.Grown.Text)
	}
	return r, err
}

// finish ends the stream, where there is one, and puts a text into its message by
// an edit, with the key that it is found by.
func (a *Adapter) finish(ctx context.Context, d chat.Delivery, p payload) (chat.Receipt, error) {
	if d.Growth.Whole {
		a.statuses.replied(d.Address)
	}
	if _, open := a.streams.shown(d); open {
		if err := a.stopStream(ctx, d); err != nil {
			return chat.Receipt{}, err
		}
	}
	r, err := a.update(ctx, d, p, keyed(d.Key))
	if !refusedWith(err, "streaming_state_conflict") {
		return r, err
	}
	if err := a.stopStream(ctx, d); err != nil { // one of before a restart
		return chat.Receipt{}, err
	}
	return a.update(ctx, d, p, keyed(d.Key))
}

// stopStream ends a stream. That it has ended already is no error.
func (a *Adapter) stopStream(ctx context.Context, d chat.Delivery) error {
	_, err := a.client.call(ctx, opStop, func(ctx context.Context, api *slack.Client) error {
		_, _, err := api.StopStreamContext(ctx, d.Address.Chat, d.Message, keyed(d.Key))
		return err
	})
	if err != nil && chat.KindOf(err) != chat.Permanent {
		return err
	}
	a.streams.ended(d)
	return nil
}
