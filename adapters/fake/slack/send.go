package slack

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"
)

// Slack's limits (docs.slack.dev/reference/methods/chat.postMessage and
// chat.update).
const (
	maxText   = 40_000
	maxEdited = 4000
)

// postMessage is chat.postMessage. A person's id stands for the direct
// conversation with them.
func (s *Server) postMessage(c *call) reply {
	ch, m, refused := s.compose(c, maxText)
	if refused.refused != "" {
		return refused
	}
	if wait := s.pace(ch); wait > 0 {
		return tooMany(wait)
	}
	s.add(ch, m)
	s.emitMessage(m)
	return ok(map[string]any{"channel": ch.id, "ts": m.TS, "message": s.wire(m)})
}

// compose checks what is common to everything that says something.
func (s *Server) compose(c *call, limit int) (*channel, *Message, reply) {
	ch, refused := s.writable(c)
	if refused.refused != "" {
		return nil, nil, refused
	}
	m := &Message{User: BotUser, Text: c.params["text"], Thread: c.params["thread_ts"]}
	if raw := c.params["blocks"]; raw != "" && raw != "[]" {
		m.Blocks = json.RawMessage(raw)
	}
	switch {
	case m.Text == "" && m.Blocks == nil:
		return nil, nil, refuse("no_text")
	case utf8.RuneCountInString(m.Text) > limit:
		return nil, nil, refuse("msg_too_long")
	case m.Thread != "" && ch.find(m.Thread) == nil:
		return nil, nil, refuse("thread_not_found")
	}
	if why := checkBlocks(m.Blocks, maxBlocks); why != "" {
		return nil, nil, refuse(why)
	}
	if raw := c.params["metadata"]; raw != "" {
		if !validMetadata(raw) {
			return nil, nil, refuse("invalid_metadata_format")
		}
		m.Metadata = json.RawMessage(raw)
	}
	s.checkPeace(c, m.Text)
	return ch, m, ok(nil)
}

// writable returns the channel that the bot may write into.
func (s *Server) writable(c *call) (*channel, reply) {
	id := c.params["channel"]
	ch := s.channels[id]
	if s.people[id] != nil {
		ch = s.direct(id)
	}
	switch {
	case ch == nil, isDirect(id) && !ch.members[BotUser]: // other people's conversations are not told of
		return nil, refuse("channel_not_found")
	case ch.archived:
		return nil, refuse("is_archived")
	case !ch.members[BotUser]:
		return nil, refuse("not_in_channel")
	}
	return ch, ok(nil)
}

// updateMessage is chat.update. Blocks and metadata that are not given stay. That
// an open stream can't be edited is not documented
// (github.com/odefun/ode/pull/210).
func (s *Server) updateMessage(c *call) reply {
	ch, fresh, refused := s.compose(c, maxEdited)
	if refused.refused != "" {
		return refused
	}
	m := ch.find(c.params["ts"])
	switch {
	case m == nil:
		return refuse("message_not_found")
	case m.User != BotUser:
		return refuse("cant_update_message")
	case m.Streaming:
		return refuse("streaming_state_conflict")
	}
	if c.params["parse"] != "none" {
		s.Breach("chat.update in " + ch.id + " looks for names in the text")
	}
	before := s.wire(m)
	m.History = append(m.History, m.Text)
	m.Text = fresh.Text
	if _, given := c.params["blocks"]; given {
		m.Blocks = fresh.Blocks
	}
	if fresh.Metadata != nil {
		m.Metadata = fresh.Metadata
	}
	s.opts.Shown(m.clone())
	s.emit(map[string]any{
		"type": "message", "subtype": "message_changed", "hidden": true, "channel": ch.id, "channel_type": kindOf(ch.id),
		"message": s.wire(m), "previous_message": before,
	})
	return ok(map[string]any{"channel": ch.id, "ts": m.TS, "text": m.Text})
}

func (s *Server) deleteMessage(c *call) reply {
	ch, refused := s.writable(c)
	if refused.refused != "" {
		return refused
	}
	m := ch.find(c.params["ts"])
	switch {
	case m == nil:
		return refuse("message_not_found")
	case m.User != BotUser, m.Streaming:
		return refuse("cant_delete_message")
	}
	s.remove(m)
	return ok(map[string]any{"channel": ch.id, "ts": m.TS})
}

// remove deletes a message and tells of it.
func (s *Server) remove(m *Message) {
	m.Deleted = true
	s.emit(map[string]any{
		"type": "message", "subtype": "message_deleted", "hidden": true, "channel": m.Channel, "channel_type": kindOf(m.Channel),
		"deleted_ts": m.TS, "previous_message": s.wire(m),
	})
}

func (s *Server) postEphemeral(c *call) reply {
	ch, m, refused := s.compose(c, maxText)
	switch {
	case refused.refused != "":
		return refused
	case !ch.members[c.params["user"]]:
		return refuse("user_not_in_channel")
	}
	m.Viewer = c.params["user"]
	s.add(ch, m)
	return ok(map[string]any{"message_ts": m.TS})
}

// response is where a response_url leads.
type response struct {
	channel, user string
	uses          int
	until         time.Time
}

// maxResponses is how often a response_url may be used, and responseLife how
// long (docs.slack.dev/interactivity/handling-user-interaction).
const (
	maxResponses = 5
	responseLife = 30 * time.Minute
)

func (s *Server) serveResponse(w http.ResponseWriter, r *http.Request, id string) {
	var said struct {
		Text   string          `json:"text"`
		Type   string          `json:"response_type"`
		Blocks json.RawMessage `json:"blocks"`
	}
	body, _ := io.ReadAll(io.LimitReader(r.Body, maxRequest))
	s.mu.Lock()
	to := s.responses[id]
	usable := to != nil && to.uses < maxResponses && time.Now().Before(to.until)
	why := ""
	if json.Unmarshal(body, &said) != nil {
		why = "invalid_payload"
	} else if why = checkBlocks(said.Blocks, maxBlocks); why == "" && said.Text == "" && len(said.Blocks) == 0 {
		why = "no_text"
	}
	if usable && why == "" {
		to.uses++
		m := &Message{User: BotUser, Text: said.Text, Blocks: said.Blocks}
		if said.Type != "in_channel" {
			m.Viewer = to.user
		}
		s.add(s.channels[to.channel], m)
	}
	s.mu.Unlock()
	s.Raise()
	switch {
	case !usable:
		w.WriteHeader(http.StatusNotFound)
		write(w, refuse("used_url"))
		return
	case why != "":
		w.WriteHeader(http.StatusBadRequest)
		write(w, refuse(why))
		return
	}
	_, _ = io.WriteString(w, "ok")
}

func isDirect(channel string) bool { return strings.HasPrefix(channel, "D") }

func kindOf(channel string) string {
	switch {
	case isDirect(channel):
		return "im"
	case channel[0] == 'G':
		return "mpim"
	}
	return "channel"
}
