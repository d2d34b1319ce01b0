package discord

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// The rules of commands
// (discord.com/developers/docs/interactions/application-commands).
const (
	maxCommands      = 100
	maxCommandSize   = 8000 // characters of all names, descriptions and values of a command
	maxOptions       = 25   // and choices
	maxChoice        = 100  // characters of a choice's name and value
	subCommand       = 1
	subCommandGroup  = 2
	stringOption     = 3
	autocompleteType = 4 // of an interaction
)

// commandName is what a command and an option may be called; letters that have
// a lower case are to be in it.
var commandName = regexp.MustCompile(`^[-_'\p{L}\p{N}\p{Devanagari}\p{Thai}]{1,32}$`)

// Command is a registered command, or an option of one.
type Command struct {
	Type         int               `json:"type"`
	Name         string            `json:"name"`
	Description  string            `json:"description"`
	Localized    map[string]string `json:"description_localizations,omitempty"`
	Required     bool              `json:"required"`
	Autocomplete bool              `json:"autocomplete"`
	Choices      []map[string]any  `json:"choices"`
	Options      []Command         `json:"options"`
}

// getCommands tells localizations only to who asks for them
// (discord.com/developers/docs/interactions/application-commands#get-global-application-commands).
func (s *Server) getCommands(c *call) reply {
	if c.URL.Query().Get("with_localizations") == "true" {
		return ok(s.commands)
	}
	var list []map[string]any
	_ = json.Unmarshal(s.commands, &list) // it was read when it was taken
	for _, e := range list {
		delete(e, "description_localizations")
	}
	return ok(list)
}

// putCommands replaces all commands.
func (s *Server) putCommands(c *call) reply {
	var list []Command
	if json.Unmarshal(c.body.raw, &list) != nil {
		return invalidForm("commands")
	}
	if len(list) > maxCommands {
		return refuse(http.StatusBadRequest, 30032, "Maximum number of application commands reached (100)")
	}
	names := map[string]bool{}
	for _, e := range list {
		switch {
		case names[e.Name]:
			return invalidForm("APPLICATION_COMMANDS_DUPLICATE_NAME " + e.Name)
		case !e.valid() || e.size() > maxCommandSize:
			return invalidForm("command " + e.Name)
		}
		names[e.Name] = true
	}
	s.commands = c.body.raw
	return ok(s.commands)
}

// locales are some of those that descriptions may be given for
// (discord.com/developers/docs/reference#locales).
var locales = map[string]bool{
	"de": true, "en-GB": true, "en-US": true, "es-ES": true, "es-419": true, "fr": true, "it": true, "ja": true, "ko": true, "pl": true,
	"pt-BR": true, "ru": true, "sv-SE": true, "tr": true, "uk": true, "vi": true, "zh-CN": true, "zh-TW": true,
}

func (c Command) valid() bool {
	for locale, text := range c.Localized {
		if !locales[locale] || text == "" || length(text) > 100 {
			return false
		}
	}
	return commandName.MatchString(c.Name) && c.Name == strings.ToLower(c.Name) && c.Description != "" && length(c.Description) <= 100 &&
		len(c.Options) <= maxOptions && validOptions(c.Options)
}

// validOptions: sub-commands stand beside no values, names are there once,
// required values come first, and what has choices is not completed.
func validOptions(options []Command) bool {
	names, optional := map[string]bool{}, false
	for _, o := range options {
		holds := o.Type == subCommand || o.Type == subCommandGroup
		switch {
		case !o.valid() || names[o.Name] || o.Type == 0,
			holds != (options[0].Type == subCommand || options[0].Type == subCommandGroup),
			!holds && len(o.Options) > 0,
			o.Type == subCommand && slices.ContainsFunc(o.Options, func(i Command) bool { return i.Type <= subCommandGroup }),
			o.Required && optional,
			o.Autocomplete && (len(o.Choices) > 0 || o.Type < stringOption),
			len(o.Choices) > maxOptions || !validChoices(o.Choices):
			return false
		}
		names[o.Name], optional = true, optional || !o.Required
	}
	return true
}

func validChoices(all []map[string]any) bool {
	for _, c := range all {
		name, _ := c["name"].(string)
		value, isText := c["value"].(string)
		if name == "" || length(name) > maxChoice || isText && (value == "" || length(value) > maxChoice) {
			return false
		}
	}
	return true
}

func (c Command) size() int {
	n := length(c.Name) + length(c.Description)
	for _, o := range c.Options {
		n += o.size()
	}
	for _, choice := range c.Choices {
		if value, isText := choice["value"].(string); isText {
			n += length(value)
		}
	}
	return n
}

// Menu are the registered commands.
func (s *Server) Menu() []Command {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []Command
	_ = json.Unmarshal(s.commands, &list) // it was read when it was taken
	return list
}

// Type has a person type into an option of a command, or of a sub-command
// unless verb is empty, and returns the token of the interaction. Discord asks
// only about options that were registered as completed; of others the token is
// empty.
func (s *Server) Type(user, channel, name, verb, option, typed string) string {
	if !s.completed(name, verb, option) {
		return ""
	}
	options := []any{map[string]any{"type": stringOption, "name": option, "value": typed, "focused": true}}
	if verb != "" {
		options = []any{map[string]any{"type": subCommand, "name": verb, "options": options}}
	}
	return s.Interact(user, channel, map[string]any{
		"type": autocompleteType, "data": map[string]any{"id": "1", "name": name, "type": 1, "options": options},
	})
}

func (s *Server) completed(path ...string) bool {
	here := s.Menu()
	var found Command
	for _, name := range path {
		if name == "" {
			continue
		}
		n := slices.IndexFunc(here, func(c Command) bool { return c.Name == name })
		if n < 0 {
			return false
		}
		found, here = here[n], here[n].Options
	}
	return found.Autocomplete
}

// Completions are the names of the choices that an interaction was answered
// with, false until it was.
func (s *Server) Completions(token string) ([]string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.interactions[token]
	if i == nil || i.answered.IsZero() {
		return nil, false
	}
	var names []string
	for _, c := range i.choices {
		name, _ := c["name"].(string)
		names = append(names, name)
	}
	return names, true
}
