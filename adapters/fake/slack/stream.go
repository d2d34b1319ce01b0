package slack

import (
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"
)

// maxStreamed is the most characters that one call adds to a stream
// (docs.slack.dev/reference/methods/chat.startStream), and streamLife how long
// Slack leaves one open, which it does not document
// (github.com/slackapi/python-slack-sdk/issues/1859).
const (
	maxStreamed = 12_000
	streamLife  = 5 * time.Minute
)

// startStream is chat.startStream: a reply to somebody's request, which only
// that person sees grow. It takes no metadata and always shows previews.
func (s *Server) startStream(c *call) reply {
	ch, refused := s.writable(c)
	if refused.refused != "" {
		return refused
	}
	text, recipient := c.params["markdown_text"], s.people[c.params["recipient_user_id"]]
	shared := kindOf(ch.id) != "im"
	switch {
	case ch.find(c.params["thread_ts"]) == nil:
		return refuse("invalid_thread_ts")
	case shared && c.params["recipient_user_id"] == "":
		return refuse("missing_recipient_user_id")
	case shared && c.params["recipient_team_id"] == "":
		return refuse("missing_recipient_team_id")
	case shared && (recipient == nil || recipient.Bot || !ch.members[recipient.ID] || s.home(recipient) != c.params["recipient_team_id"]):
		return refuse("user_not_found")
	case utf8.RuneCountInString(text) > maxStreamed:
		return refuse("msg_too_long")
	}
	if wait := s.pace(ch); wait > 0 {
		return tooMany(wait)
	}
	s.checkStream(c, text)
	m := &Message{User: BotUser, Thread: c.params["thread_ts"], Text: text, Streaming: true, Recipient: c.params["recipient_user_id"]}
	s.add(ch, m)
	s.emitMessage(m)
	return ok(map[string]any{"channel": ch.id, "ts": m.TS})
}

// appendStream is chat.appendStream.
func (s *Server) appendStream(c *call) reply {
	m, refused := s.streamed(c)
	if refused.refused != "" {
		return refused
	}
	if c.params["markdown_text"] == "" {
		return refuse("no_text")
	}
	m.History = append(m.History, m.Text)
	m.Text += c.params["markdown_text"]
	s.opts.Shown(m.clone())
	return ok(map[string]any{"channel": m.Channel, "ts": m.TS})
}

// stopStream is chat.stopStream.
func (s *Server) stopStream(c *call) reply {
	m, refused := s.streamed(c)
	if refused.refused != "" {
		return refused
	}
	if raw := c.params["metadata"]; raw != "" {
		if !validMetadata(raw) {
			return refuse("invalid_metadata_format")
		}
		m.Metadata = json.RawMessage(raw)
	}
	if more := c.params["markdown_text"]; more != "" {
		m.History, m.Text = append(m.History, m.Text), m.Text+more
	}
	m.Streaming = false
	s.opts.Shown(m.clone())
	return ok(map[string]any{"channel": m.Channel, "ts": m.TS, "message": s.wire(m)})
}

// streamed returns the open stream that a call is about.
func (s *Server) streamed(c *call) (*Message, reply) {
	ch, refused := s.writable(c)
	if refused.refused != "" {
		return nil, refused
	}
	m := ch.find(c.params["ts"])
	switch {
	case m == nil:
		return nil, refuse("message_not_found")
	case m.User != BotUser:
		return nil, refuse("message_not_owned_by_app")
	}
	m.Streaming = m.Streaming && time.Since(m.At) < s.opts.StreamLife
	switch {
	case !m.Streaming:
		return nil, refuse("message_not_in_streaming_state")
	case utf8.RuneCountInString(c.params["markdown_text"]) > maxStreamed:
		return nil, refuse("msg_too_long")
	}
	s.checkStream(c, c.params["markdown_text"])
	return m, ok(nil)
}

// checkStream logs what must not be streamed: an address, whose preview can't be
// turned off, and what notifies people.
func (s *Server) checkStream(c *call, text string) {
	where := c.method + " in " + c.params["channel"]
	if strings.Contains(text, "://") || strings.Contains(text, "www.") {
		s.Breach(where + " with live previews")
	}
	if broadcast.MatchString(text) || personal.MatchString(text) {
		s.Breach(where + " notifies people")
	}
}

func (s *Server) home(p *Person) string {
	if p.Home != "" {
		return p.Home
	}
	return Team
}

func validMetadata(raw string) bool {
	var meta struct {
		Type    string         `json:"event_type"`
		Payload map[string]any `json:"event_payload"`
	}
	return json.Unmarshal([]byte(raw), &meta) == nil && meta.Type != ""
}

// CloseStreams ends all open streams, as Slack does after a while.
func (s *Server) CloseStreams() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, ch := range s.channels {
		for _, m := range ch.messages {
			m.Streaming = false
		}
	}
}
