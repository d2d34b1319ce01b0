package slack

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"talaria/core/chat"
	"talaria/core/text"
)

// botEvents are what the app has to be told of.
var botEvents = []string{
	"app_mention", "message.channels", "message.groups", "message.im", "message.mpim",
	"reaction_added", "reaction_removed", "member_joined_channel", "member_left_channel",
	"channel_left", "group_left", "channel_archive", "group_archive", "channel_deleted", "channel_id_changed",
	"app_home_opened", "assistant_thread_started", "assistant_thread_context_changed",
}

// maxHint is the longest usage hint of a slash command that Slack takes.
const maxHint = 1000

// Manifest is the description of an app that has all that the adapter needs,
// to be pasted at api.slack.com/apps ("From a manifest"). With an address it is
// one for HTTP mode, which posts everything there; without, for Socket Mode.
// Its slash command lists the commands of menu.
func Manifest(menu chat.Menu, address string) []byte {
	type object = map[string]any
	at := func(o object, name string) object {
		if address != "" {
			o[name] = address
		}
		return o
	}
	var names []string
	for _, c := range menu.Commands {
		names = append(names, c.Name)
	}
	data, err := json.MarshalIndent(object{
		"display_information": object{"name": "Talaria", "description": "A bot that works for a team in chat"},
		"features": object{
			"bot_user":       object{"display_name": commandName, "always_online": true},
			"app_home":       object{"home_tab_enabled": true, "messages_tab_enabled": true, "messages_tab_read_only_enabled": false},
			"assistant_view": object{"assistant_description": "Ask me anything about the team's work"},
			"slash_commands": []object{at(object{
				"command": "/" + commandName, "description": "Commands", "usage_hint": text.Clip(strings.Join(names, " | "), maxHint),
			}, "url")},
		},
		"oauth_config": object{"scopes": object{"bot": slices.Sorted(maps.Keys(scopes))}},
		"settings": object{
			"event_subscriptions": at(object{"bot_events": botEvents}, "request_url"),
			"interactivity":       at(object{"is_enabled": true}, "request_url"),
			"socket_mode_enabled": address == "",
		},
	}, "", "  ")
	if err != nil {
		panic(fmt.Sprintf("encode manifest: %v", err)) // it holds nothing but text
	}
	return data
}
