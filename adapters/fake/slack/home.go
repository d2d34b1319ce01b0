package slack

import (
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"
)

// Slack's limits for a Home tab (docs.slack.dev/reference/views/home-tab-views)
// and a header in it (docs.slack.dev/reference/block-kit/blocks/header-block).
const (
	maxMetadata = 3000

	maxHeader = 150
)

// Home is what a person sees in the app's Home tab.
type Home struct {
	User, Hash string
	JSON       string // as it was given; empty while nothing was published
	Metadata   string
	Published  int // how often
}

// Buttons are the buttons of the tab, in order.
func (h Home) Buttons() []Button {
	return buttonsIn(h.blocks())
}

// Text is what the tab says, block by block.
func (h Home) Text() string {
	var all []string
	for _, b := range readable(h.blocks()) {
		all = append(all, b.Text.Text)
	}
	return strings.Join(all, "\n")
}

func (h Home) blocks() json.RawMessage {
	var v struct {
		Blocks json.RawMessage `json:"blocks"`
	}
	_ = json.Unmarshal([]byte(h.JSON), &v) // it was checked as it came
	return v.Blocks
}

func readable(raw json.RawMessage) []wireBlock {
	all, _ := readBlocks(raw)
	return all
}

// Home returns the Home tab of a person.
func (s *Server) Home(user string) Home {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h := s.homes[user]; h != nil {
		return *h
	}
	return Home{User: user}
}

// OpenHome has a person open the Home tab
// (docs.slack.dev/reference/events/app_home_opened).
func (s *Server) OpenHome(user string) { s.openTab(user, "home") }

// OpenMessages has a person open the tab of messages, of which the same event
// tells.
func (s *Server) OpenMessages(user string) { s.openTab(user, "messages") }

func (s *Server) openTab(user, tab string) {
	s.mu.Lock()
	defer s.Raise()
	defer s.mu.Unlock()
	s.emit(map[string]any{"type": "app_home_opened", "user": user, "channel": s.direct(user).id, "tab": tab})
}

// publishView is views.publish.
func (s *Server) publishView(c *call) reply {
	p := s.people[c.params["user_id"]]
	var v struct {
		Type     string          `json:"type"`
		Blocks   json.RawMessage `json:"blocks"`
		Metadata string          `json:"private_metadata"`
		Callback string          `json:"callback_id"`
	}
	err := json.Unmarshal([]byte(c.params["view"]), &v)
	switch {
	case p == nil || p.Bot:
		return refuse("user_not_found")
	case err != nil || v.Type != "home" || v.Blocks == nil || len(v.Callback) > maxID:
		return refuse("invalid_arguments")
	case utf8.RuneCountInString(v.Metadata) > maxMetadata || checkBlocks(v.Blocks, maxViewBlocks) != "":
		return refuse("invalid_arguments")
	}
	h := s.homes[p.ID]
	if h == nil {
		h = &Home{User: p.ID}
		s.homes[p.ID] = h
	}
	if given := c.params["hash"]; given != "" && given != h.Hash {
		return refuse("hash_conflict")
	}
	h.Hash, h.JSON, h.Metadata = s.next("hash."), c.params["view"], v.Metadata
	h.Published++
	return ok(map[string]any{"view": map[string]any{"id": "VHOME" + p.ID, "hash": h.Hash}})
}

// PressHome has a person press a button of their Home tab and returns the
// trigger. Such a press names no channel and no message
// (docs.slack.dev/reference/interaction-payloads/block_actions-payload).
func (s *Server) PressHome(user, actionID string) string {
	s.mu.Lock()
	defer s.Raise()
	defer s.mu.Unlock()
	h := s.homes[user]
	trigger := s.next("trigger.")
	s.triggers[trigger] = time.Now().Add(triggerLife)
	at, _ := s.tick()
	for _, b := range h.Buttons() {
		if b.ID != actionID {
			continue
		}
		payload, _ := json.Marshal(map[string]any{
			"type": "block_actions", "api_app_id": App, "trigger_id": trigger,
			"user": map[string]any{"id": user, "name": s.people[user].Name, "team_id": Team},
			"team": map[string]any{"id": Team}, "container": map[string]any{"type": "view", "view_id": "VHOME" + user},
			"view":    map[string]any{"id": "VHOME" + user, "type": "home", "hash": h.Hash, "private_metadata": h.Metadata},
			"actions": []any{map[string]any{"type": "button", "action_id": b.ID, "value": b.Value, "action_ts": at}},
		})
		s.enqueue(&delivery{kind: "interactive", payload: payload, Delivery: Delivery{Trigger: trigger}})
		return trigger
	}
	return ""
}
