package slack

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"talaria/adapters/inbound"
	"talaria/core/chat"
)

// responseLife is how long a response_url takes answers
// (docs.slack.dev/interactivity/handling-user-interaction#message_responses).
const responseLife = 30 * time.Minute

// fromSlash makes a command. Slack doesn't tell when it was typed, nor in
// which thread: slash commands can't be used in one.
func fromSlash(raw json.RawMessage, r reader) inbound.Item {
	var c slash
	if !read(raw, &c) || c.User == "" || c.Channel == "" || c.Trigger == "" {
		return inbound.Drop(inbound.Unsupported)
	}
	text, _ := r.mrkdwn(c.Text)
	name := strings.ToLower(strings.TrimPrefix(c.Command, "/"))
	call := chat.CommandCall{Name: name, Args: strings.TrimSpace(text)}
	if name == commandName {
		call = subcommand(text)
	}
	if call.Name == "" {
		return inbound.Drop(inbound.Unsupported)
	}
	team := cmp.Or(c.Team, r.me.team)
	return inbound.Item{Event: chat.Event{
		Kind: chat.Command, Keys: []string{Platform + ":cmd:" + c.Trigger}, Origin: chat.Member,
		Address:   chat.Address{Platform: Platform, Workspace: team, Chat: c.Channel},
		Direct:    c.ChannelName == "directmessage" || strings.HasPrefix(c.Channel, "D"),
		Author:    chat.Author{Identity: chat.Identity{Platform: Platform, Workspace: team, ID: c.User}, Name: cmp.Or(r.names[c.User], c.UserName)},
		Addressed: chat.ByCommand, Command: &call,
		Interaction: handle(c.Trigger, c.ResponseURL, time.Time{}),
	}}
}

// handle is the Interaction of a slash command or a press. Without a time, its
// taker dates it.
func handle(trigger, responseURL string, at time.Time) *chat.Interaction {
	i := &chat.Interaction{ID: trigger, Token: responseURL}
	if !at.IsZero() {
		i.Expires = at.Add(responseLife)
	}
	return i
}

// fromPress makes a press. What no button of ours can carry is rejected, never
// taken as text.
func fromPress(raw json.RawMessage, me account) inbound.Item {
	var p interaction
	if !read(raw, &p) || len(p.Actions) == 0 {
		return inbound.Drop(inbound.UnknownPress)
	}
	a := p.Actions[0] // there is one but for a form's elements
	press, ok := parsePress(a)
	team := cmp.Or(p.Team.ID, me.team)
	if p.View.Type == homeView {
		return p.onHome(a, press, team, ok)
	}
	channel, message := cmp.Or(p.Channel.ID, p.Container.Channel), cmp.Or(p.Container.Message, p.Message.TS)
	if !ok || p.User.ID == "" || channel == "" || message == "" {
		return inbound.Drop(inbound.UnknownPress)
	}
	at := instant(a.TS)
	return inbound.Item{Event: chat.Event{
		Kind: chat.Press, At: at, Message: message, Direct: isDirect(channel), Press: &press,
		Keys: []string{Platform + ":action:" + team + ":" + channel + ":" + message + ":" + cmp.Or(a.TS, p.Trigger)},
		Address: chat.Address{
			Platform: Platform, Workspace: team, Chat: channel,
			Thread: thread(message, cmp.Or(p.Message.ThreadTS, p.Container.Thread), isDirect(channel)),
		},
		Author: p.author(team), Interaction: handle(p.Trigger, p.ResponseURL, at),
	}}
}

func (p *interaction) author(team string) chat.Author {
	return chat.Author{
		Identity: chat.Identity{Platform: Platform, Workspace: team, ID: p.User.ID}, Name: p.User.Name,
		Guest: p.User.Team != "" && p.User.Team != team,
	}
}

// fromForm makes a submitted form. Where it was opened stands in its metadata:
// Slack itself does not tell.
func fromForm(raw json.RawMessage, me account) inbound.Item {
	var p interaction
	if !read(raw, &p) || p.User.ID == "" || p.View.ID == "" || !inbound.IsPress(chat.PressData{Action: p.View.Callback}) {
		return inbound.Drop(inbound.UnknownPress)
	}
	var m formMetadata
	if json.Unmarshal([]byte(p.View.Metadata), &m) != nil || m.Chat == "" {
		return inbound.Drop(inbound.UnknownPress)
	}
	values := map[string]string{}
	for field, inputs := range p.View.State.Values {
		for _, input := range inputs {
			values[field] = cmp.Or(input.Value, input.Selected.Value)
		}
	}
	team := cmp.Or(p.Team.ID, me.team)
	return inbound.Item{Event: chat.Event{
		Kind: chat.Form, Keys: []string{Platform + ":form:" + team + ":" + p.View.ID + ":" + p.View.Hash},
		Address: chat.Address{Platform: Platform, Workspace: team, Chat: m.Chat, Thread: m.Thread},
		Direct:  isDirect(m.Chat), Message: m.Message, Author: p.author(team), Origin: chat.Member, Page: m.Page,
		Form:        &chat.FormData{Action: p.View.Callback, Token: m.Token, Values: values},
		Interaction: handle(p.Trigger, "", time.Time{}),
	}}
}

// formMetadata is what travels in a form of ours.
type formMetadata struct {
	Token   string `json:"token,omitempty"`
	Chat    string `json:"chat"`
	Thread  string `json:"thread,omitempty"`
	Message string `json:"message,omitempty"` // whose button it was opened by
	Page    bool   `json:"page,omitempty"`    // it was opened from a Home tab
}
