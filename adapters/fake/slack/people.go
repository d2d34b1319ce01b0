package slack

import (
	"encoding/json"
	"maps"
	"strings"
	"time"
)

// Speech is something that a person says.
type Speech struct {
	User, Channel string
	Thread        string // ts of the root
	Text          string // as Slack writes it, with tokens and escapes
	Files         []string
}

// Say has a person say a text and returns its ts.
func (s *Server) Say(user, channel, text string) string {
	return s.Speak(Speech{User: user, Channel: channel, Text: text})
}

// Speak has a person, or the bot itself, say something.
func (s *Server) Speak(sp Speech) string {
	s.mu.Lock()
	m := s.add(s.channels[sp.Channel], &Message{User: sp.User, Text: sp.Text, Thread: sp.Thread, Files: sp.Files})
	s.emitMessage(m)
	s.mu.Unlock()
	s.Raise()
	return m.TS
}

// Past puts a message there that was said before the app came: nothing tells
// of it.
func (s *Server) Past(sp Speech) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.add(s.channels[sp.Channel], &Message{User: sp.User, Text: sp.Text, Thread: sp.Thread, Files: sp.Files}).TS
}

// emitMessage tells of a message, and once more where it mentions the bot.
func (s *Server) emitMessage(m *Message) {
	w := s.wire(m)
	w["channel"], w["channel_type"], w["event_ts"] = m.Channel, kindOf(m.Channel), m.TS
	s.emit(w)
	if m.User != BotUser && m.mentions() && kindOf(m.Channel) != "im" {
		s.emitMention(w)
	}
}

func (m *Message) mentions() bool { return strings.Contains(m.Text, "<@"+BotUser) }

// emitMention tells of a message that mentions the bot.
func (s *Server) emitMention(message map[string]any) {
	mention := maps.Clone(message)
	mention["type"] = "app_mention"
	delete(mention, "channel_type")
	delete(mention, "subtype")
	s.emit(mention)
}

// Edit has a person change a message of theirs. Where that adds the mention, it is
// told like one that was said so (github.com/slack-go/slack/issues/1256).
func (s *Server) Edit(channel, ts, text string) {
	s.mu.Lock()
	m := s.channels[channel].find(ts)
	before, mentioned := s.wire(m), m.mentions()
	m.History, m.Text = append(m.History, m.Text), text
	s.emit(map[string]any{
		"type": "message", "subtype": "message_changed", "hidden": true, "channel": channel, "channel_type": kindOf(channel),
		"message": s.wire(m), "previous_message": before,
	})
	if m.mentions() && !mentioned && kindOf(channel) != "im" {
		now, _ := s.tick()
		w := s.wire(m)
		w["channel"], w["event_ts"], w["edited"] = channel, now, map[string]any{"user": m.User, "ts": now}
		s.emitMention(w)
	}
	s.mu.Unlock()
	s.Raise()
}

// Delete has a person delete a message of theirs.
func (s *Server) Delete(channel, ts string) {
	s.mu.Lock()
	s.remove(s.channels[channel].find(ts))
	s.mu.Unlock()
	s.Raise()
}

// Emit tells of any event, such as one that is not simulated.
func (s *Server) Emit(event map[string]any) {
	s.mu.Lock()
	s.emit(event)
	s.mu.Unlock()
	s.Raise()
}

// emit makes a callback of the Events API of an event
// (docs.slack.dev/apis/events-api#event-type-structure).
func (s *Server) emit(event map[string]any) {
	ts, at := s.tick()
	for _, name := range []string{"ts", "event_ts"} {
		if _, given := event[name]; !given {
			event[name] = ts
		}
	}
	channel, _ := event["channel"].(string)
	ts, _ = event["ts"].(string)
	payload, _ := json.Marshal(map[string]any{
		"type": "event_callback", "team_id": Team, "api_app_id": App, "event_id": s.next("Ev"), "event_time": at.Unix(),
		"authorizations": []any{map[string]any{"team_id": Team, "user_id": BotUser, "is_bot": true}}, "event": event,
	})
	s.enqueue(&delivery{kind: "events_api", payload: payload, Delivery: Delivery{Channel: channel, TS: ts}})
}

// trigger makes what an interaction can be answered with.
func (s *Server) trigger(channel, user string) (trigger, address string) {
	trigger = s.next("trigger.")
	s.triggers[trigger] = time.Now().Add(triggerLife)
	s.responses[trigger] = &response{channel: channel, user: user, until: time.Now().Add(responseLife)}
	return trigger, "http://" + s.Address() + "/response/" + trigger
}

// Press has a person press the button of a message and returns the trigger.
func (s *Server) Press(user, channel, ts, actionID string) string {
	s.mu.Lock()
	defer s.Raise()
	defer s.mu.Unlock()
	m := s.channels[channel].find(ts)
	trigger, address := s.trigger(channel, user)
	at, _ := s.tick()
	for _, b := range m.Buttons() {
		if b.ID != actionID {
			continue
		}
		payload, _ := json.Marshal(map[string]any{
			"type": "block_actions", "api_app_id": App, "trigger_id": trigger, "response_url": address,
			"user": map[string]any{"id": user, "name": s.people[user].Name, "team_id": Team},
			"team": map[string]any{"id": Team}, "channel": map[string]any{"id": channel}, "message": s.wire(m),
			"container": map[string]any{"type": "message", "message_ts": ts, "channel_id": channel},
			"actions":   []any{map[string]any{"type": "button", "action_id": b.ID, "value": b.Value, "action_ts": at}},
		})
		s.enqueue(&delivery{kind: "interactive", payload: payload, Delivery: Delivery{Channel: channel, TS: ts, Trigger: trigger}})
	}
	return trigger
}

// Slash has a person use the slash command /talaria and returns the trigger.
func (s *Server) Slash(user, channel, text string) string {
	s.mu.Lock()
	defer s.Raise()
	defer s.mu.Unlock()
	trigger, address := s.trigger(channel, user)
	payload, _ := json.Marshal(map[string]string{
		"command": "/talaria", "text": text, "user_id": user, "team_id": Team, "channel_id": channel,
		"trigger_id": trigger, "response_url": address, "api_app_id": App,
	})
	s.enqueue(&delivery{kind: "slash_commands", payload: payload, Delivery: Delivery{Channel: channel, Trigger: trigger}})
	return trigger
}

// Submit has a person submit a form, with values by block.
func (s *Server) Submit(v View, user string, values map[string]string) {
	s.mu.Lock()
	defer s.Raise()
	defer s.mu.Unlock()
	state := map[string]any{}
	for block, value := range values {
		state[block] = map[string]any{"value": map[string]any{"type": "plain_text_input", "value": value}}
	}
	trigger, _ := s.trigger("", user)
	payload, _ := json.Marshal(map[string]any{
		"type": "view_submission", "team": map[string]any{"id": Team}, "user": map[string]any{"id": user, "team_id": Team},
		"trigger_id": trigger, "view": map[string]any{
			"id": v.ID, "hash": "1", "callback_id": v.Callback, "private_metadata": v.Metadata, "state": map[string]any{"values": state},
		},
	})
	s.enqueue(&delivery{kind: "interactive", payload: payload, Delivery: Delivery{Trigger: trigger}})
}

// Button is a button under a message.
type Button struct{ ID, Label, Value string }

// Buttons are the buttons of a message, in order.
func (m *Message) Buttons() []Button { return buttonsIn(m.Blocks) }

func buttonsIn(blocks json.RawMessage) []Button {
	all, _ := readBlocks(blocks)
	var out []Button
	for _, b := range all {
		for _, e := range b.Elements {
			if e.Type == "button" {
				out = append(out, Button{e.Action, e.Text.Text, e.Value})
			}
		}
	}
	return out
}

// keepView notes a form that was opened.
func (s *Server) keepView(raw string) reply {
	var v modal
	if json.Unmarshal([]byte(raw), &v) != nil || !v.valid() {
		return refuse("invalid_arguments")
	}
	view := &View{ID: s.next("V"), Callback: v.Callback, Metadata: v.Metadata, JSON: raw}
	s.views[view.ID] = view
	return ok(map[string]any{"view": map[string]any{"id": view.ID}})
}
