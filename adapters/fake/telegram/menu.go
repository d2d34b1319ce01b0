package telegram

import (
	"encoding/json"
	"maps"
	"slices"
	"unicode/utf8"
)

// The rules of the menu (core.telegram.org/bots/api#setmycommands).
const (
	maxCommands    = 100
	maxDescription = 256 // characters
)

// scopes are those that name no chat (core.telegram.org/bots/api#botcommandscope).
var scopes = map[string]bool{"default": true, "all_private_chats": true, "all_group_chats": true, "all_chat_administrators": true}

// menuKey is whom a list of commands is for.
type menuKey struct{ scope, language string }

// menuKey reads the scope and the language of a call.
func (c *call) menuKey() (menuKey, bool) {
	k := menuKey{c.params.Scope.v.Type, c.params.Language}
	if k.scope == "" {
		k.scope = "default"
	}
	return k, scopes[k.scope] && (k.language == "" || len(k.language) == 2)
}

func (s *Server) getMyCommands(c *call) reply {
	k, ok := c.menuKey()
	if !ok {
		return badRequest("BOT_COMMAND_SCOPE_INVALID")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if list := s.menus[k]; list != nil {
		return reply{result: list}
	}
	return reply{result: json.RawMessage("[]")}
}

func (s *Server) setMyCommands(c *call) reply {
	k, ok := c.menuKey()
	if !ok {
		return badRequest("BOT_COMMAND_SCOPE_INVALID")
	}
	var list []struct {
		Command     string `json:"command"`
		Description string `json:"description"`
	}
	if json.Unmarshal(c.params.Commands.v, &list) != nil {
		return badRequest("can't parse commands JSON object")
	}
	if len(list) > maxCommands {
		return badRequest("BOT_COMMANDS_TOO_MUCH")
	}
	for _, e := range list {
		if n := utf8.RuneCountInString(e.Description); !commandForm.MatchString(e.Command) || n == 0 || n > maxDescription {
			return badRequest("BOT_COMMAND_INVALID")
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.menus == nil {
		s.menus = map[menuKey]json.RawMessage{}
	}
	s.menus[k] = c.params.Commands.v
	return yes
}

// Menus are the lists of commands that were set, as JSON, by scope and, behind a
// slash, language.
func (s *Server) Menus() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[string]string{}
	for _, k := range slices.Collect(maps.Keys(s.menus)) {
		out[k.scope+"/"+k.language] = string(s.menus[k])
	}
	return out
}
