package slack

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

func (s *Server) authTest(*call) reply {
	return ok(map[string]any{
		"url": "https://simulated.slack.com/", "team": "Simulated", "user": "simulated",
		"team_id": Team, "user_id": BotUser, "bot_id": Bot, "is_enterprise_install": false,
	})
}

func (s *Server) conversationInfo(c *call) reply {
	ch := s.channels[c.params["channel"]]
	if ch == nil {
		return refuse("channel_not_found")
	}
	return ok(map[string]any{"channel": map[string]any{
		"id": ch.id, "name": strings.ToLower(strings.TrimPrefix(ch.id, "C")), "is_im": kindOf(ch.id) == "im", "is_channel": kindOf(ch.id) == "channel",
		"is_archived": ch.archived, "is_member": ch.members[BotUser], "is_private": ch.private,
	}})
}

// conversationMembers tells who is in a conversation, a hundred at a time unless
// more are asked for.
func (s *Server) conversationMembers(c *call) reply {
	ch := s.channels[c.params["channel"]]
	if ch == nil || ch.private && !ch.members[BotUser] {
		return refuse("channel_not_found")
	}
	ids := slices.Sorted(maps.Keys(ch.members))
	from, _ := slices.BinarySearch(ids, c.params["cursor"])
	limit, err := strconv.Atoi(c.params["limit"])
	if err != nil || limit < 1 {
		limit = 100
	}
	page, next := ids[from:min(from+limit, len(ids))], ""
	if from+limit < len(ids) {
		next = ids[from+limit]
	}
	return ok(map[string]any{"members": page, "response_metadata": map[string]any{"next_cursor": next}})
}

// openConversation is conversations.open with one person.
func (s *Server) openConversation(c *call) reply {
	p := s.people[c.params["users"]]
	if p == nil {
		return refuse("user_not_found")
	}
	return ok(map[string]any{"channel": map[string]any{"id": s.direct(p.ID).id}})
}

func (s *Server) userInfo(c *call) reply {
	p := s.people[c.params["user"]]
	if p == nil {
		return refuse("user_not_found")
	}
	return ok(map[string]any{"user": map[string]any{
		"id": p.ID, "team_id": s.home(p), "name": strings.ToLower(p.ID), "is_bot": p.Bot,
		"is_restricted": p.Restricted, "is_stranger": p.Home != "", "locale": s.locale(c, p),
		"profile": map[string]any{"real_name": p.Name, "display_name": p.Name},
	}})
}

// locale is told to who asks for it (docs.slack.dev/reference/methods/users.info).
func (s *Server) locale(c *call, p *Person) string {
	if !yes(c.params["include_locale"]) {
		return ""
	}
	if p.Locale == "" {
		return "en-US"
	}
	return p.Locale
}

// history is conversations.history: the top level, newest first.
func (s *Server) history(c *call) reply {
	ch, refused := s.readable(c)
	if refused.refused != "" {
		return refused
	}
	var all []*Message
	for _, m := range ch.messages {
		if m.Thread == "" && m.within(c) {
			all = append(all, m)
		}
	}
	slices.Reverse(all)
	return s.page(c, all)
}

// replies is conversations.replies: a thread with its root, oldest first.
func (s *Server) replies(c *call) reply {
	ch, refused := s.readable(c)
	if refused.refused != "" {
		return refused
	}
	root := ch.find(c.params["ts"])
	if root == nil {
		return refuse("thread_not_found")
	}
	all := []*Message{root}
	for _, m := range ch.messages {
		if m.Thread == root.TS && m.within(c) {
			all = append(all, m)
		}
	}
	return s.page(c, all)
}

func (s *Server) readable(c *call) (*channel, reply) {
	ch := s.channels[c.params["channel"]]
	scope := map[string]string{"im": "im:history", "mpim": "mpim:history", "channel": "channels:history"}
	switch {
	case ch == nil:
		return nil, refuse("channel_not_found")
	case !strings.Contains(s.opts.Scopes, scope[kindOf(ch.id)]):
		return nil, refuse("missing_scope")
	case !ch.members[BotUser]:
		return nil, refuse("not_in_channel")
	}
	return ch, ok(nil)
}

// within reports whether a message is to be seen and in the range asked for.
func (m *Message) within(c *call) bool {
	return !m.Deleted && m.Viewer == "" && m.TS > c.params["oldest"] && (c.params["latest"] == "" || m.TS < c.params["latest"])
}

// page cuts one page out; the cursor is where the next begins.
func (s *Server) page(c *call, all []*Message) reply {
	limit, err := strconv.Atoi(c.params["limit"])
	if err != nil || limit <= 0 {
		limit = 100
	}
	from, _ := strconv.Atoi(c.params["cursor"])
	from = min(max(from, 0), len(all))
	to := min(from+limit, len(all))
	messages := []any{}
	for _, m := range all[from:to] {
		w := s.wire(m)
		if yes(c.params["include_all_metadata"]) && len(m.Metadata) > 0 {
			w["metadata"] = m.Metadata
		}
		messages = append(messages, w)
	}
	next := ""
	if to < len(all) {
		next = strconv.Itoa(to)
	}
	return ok(map[string]any{
		"messages": messages, "has_more": next != "", "response_metadata": map[string]any{"next_cursor": next},
	})
}

// yes reads a boolean as clients write it.
func yes(s string) bool { return s == "true" || s == "1" }

func (s *Server) addReaction(c *call) reply {
	ch, refused := s.writable(c)
	switch {
	case refused.refused != "":
		return refused
	case ch.find(c.params["timestamp"]) == nil:
		return refuse("message_not_found")
	}
	return ok(nil)
}

// View is a form that was opened.
type View struct {
	ID, Callback, Metadata string
	JSON                   string // as it was given
}

// triggerLife is how long a form may be opened by a trigger
// (docs.slack.dev/surfaces/modals#opening).
const triggerLife = 3 * time.Second

func (s *Server) openView(c *call) reply {
	until, known := s.triggers[c.params["trigger_id"]]
	switch {
	case !known:
		return refuse("invalid_trigger_id")
	case time.Now().After(until):
		return refuse("expired_trigger_id")
	}
	delete(s.triggers, c.params["trigger_id"])
	return s.keepView(c.params["view"])
}
