package discord

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"talaria/core/chat"
	"talaria/core/text"

	"github.com/bwmarrin/discordgo"
)

// Limits of commands
// (discord.com/developers/docs/interactions/application-commands).
const (
	maxCommands    = 100  // an application's, in all servers
	maxOptions     = 25   // of a command or a sub-command, and choices of an option
	maxCommandName = 32   // characters, of an option too
	maxDescription = 100  // characters
	maxChoice      = 100  // characters of a choice's name, and of its value
	maxCommandSize = 8000 // characters of all names, descriptions and values of a command
)

// isCommandName reports whether Discord takes s as the name of a command or an
// option: lower-case letters and those of scripts without case, digits, - and _.
func isCommandName(s string) bool {
	n := utf8.RuneCountInString(s)
	return n > 0 && n <= maxCommandName && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '-' && r != '_' && !unicode.In(r, unicode.Ll, unicode.Lo, unicode.N)
	})
}

// command is an application command, cut down to what is registered here.
type command struct {
	Name        string            `json:"name"`
	Type        int               `json:"type"`
	Description string            `json:"description"`
	Told        map[string]string `json:"description_localizations,omitempty"` // by locale
	Options     []commandOption   `json:"options,omitempty"`
}

// locales are Discord's for a language (discord.com/developers/docs/reference#locales);
// of one that isn't here, the code is the locale.
var locales = map[string][]string{"zh": {"zh-CN", "zh-TW"}, "en": {"en-GB", "en-US"}, "es": {"es-ES", "es-419"}, "pt": {"pt-BR"}, "sv": {"sv-SE"}}

// commandOption is a value or, with options of its own, a sub-command.
type commandOption struct {
	Type        int             `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Required    bool            `json:"required,omitempty"`
	Completed   bool            `json:"autocomplete,omitempty"`
	Choices     []optionChoice  `json:"choices,omitempty"`
	Options     []commandOption `json:"options,omitempty"`
}

// optionChoice is one thing that an option can be.
type optionChoice struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// textOption is the type of an option that takes any text. All are of it: what
// is entered is read like what is typed.
const textOption = 3

// UseMenu implements chat.MenuHolder. What Discord doesn't take can still be
// typed.
func (a *Adapter) UseMenu(m chat.Menu) {
	a.menu, a.commands = []command{}, map[string]chat.MenuCommand{}
	for _, c := range m.Commands {
		_, collides := a.commands[c.Name]
		if collides || !isCommandName(c.Name) || c.Description == "" || len(a.menu) == maxCommands {
			a.log.Warn("command not shown in the menu", "platform", Platform, "command", c.Name, "collides", collides, "limit", maxCommands)
			continue
		}
		c = fitted(c)
		a.menu, a.commands[c.Name] = append(a.menu, newCommand(c)), c
	}
}

// fitted is a command in a form that Discord takes. One that has a part which
// it doesn't takes as one text what would be typed after it.
func fitted(c chat.MenuCommand) chat.MenuCommand {
	if len(c.Verbs) > maxOptions {
		c.Verbs = append(slices.Clone(c.Verbs[:maxOptions-1]), remaining(c.Verbs[maxOptions-1:]))
	}
	if made := newCommand(c); allTaken(made.Options, true) && made.size() <= maxCommandSize {
		return c
	}
	return chat.MenuCommand{Name: c.Name, Description: c.Description, Told: c.Told, Options: []chat.MenuOption{freeText}}
}

var freeText = chat.MenuOption{Name: freeArguments, Description: "What would be typed after the command"}

// remaining is the sub-command for the verbs that get none of their own.
func remaining(verbs []chat.MenuVerb) chat.MenuVerb {
	verb := chat.MenuOption{Name: "verb", Description: "What to do", Required: true}
	for _, v := range verbs {
		verb.Choices = append(verb.Choices, v.Name)
	}
	return chat.MenuVerb{Name: "more", Description: "More that it can do", Unsaid: true, Options: []chat.MenuOption{verb, freeText}}
}

func newCommand(c chat.MenuCommand) command {
	made := command{Name: c.Name, Type: chatInput, Description: text.Clip(c.Description, maxDescription), Told: localized(c.Told), Options: newOptions(c.Options)}
	for _, v := range c.Verbs {
		made.Options = append(made.Options, commandOption{
			Type: subCommand, Name: v.Name, Description: text.Clip(v.Description, maxDescription), Options: newOptions(v.Options),
		})
	}
	return made
}

// localized are descriptions by locale instead of language.
func localized(told map[string]string) map[string]string {
	made := map[string]string{}
	for language, words := range told {
		named, ok := locales[language]
		if !ok {
			named = []string{language}
		}
		for _, l := range named {
			made[l] = text.Clip(words, maxDescription)
		}
	}
	return made
}

func newOptions(options []chat.MenuOption) (made []commandOption) {
	for _, o := range options {
		option := commandOption{
			Type: textOption, Name: o.Name, Description: text.Clip(o.Description, maxDescription), Required: o.Required,
			Completed: o.Completed && len(o.Choices) == 0,
		}
		for _, c := range o.Choices {
			option.Choices = append(option.Choices, optionChoice{c, c})
		}
		made = append(made, option)
	}
	return made
}

// allTaken reports whether Discord takes the options. Sub-commands stand
// beside no values, and required values before others.
func allTaken(options []commandOption, outer bool) bool {
	names, optional := map[string]bool{}, false
	for _, o := range options {
		value := o.Type == textOption
		if names[o.Name] || !isCommandName(o.Name) || o.Description == "" || len(o.Choices) > maxOptions ||
			o.Required && optional || !value && !outer || value != (options[0].Type == textOption) || !allTaken(o.Options, false) {
			return false
		}
		names[o.Name] = true
		optional = optional || !o.Required
		for _, c := range o.Choices {
			if n := utf8.RuneCountInString(c.Name); n == 0 || n > maxChoice {
				return false
			}
		}
	}
	return len(options) <= maxOptions
}

// size is what Discord counts of a command.
func (c command) size() int {
	n := utf8.RuneCountInString(c.Name) + utf8.RuneCountInString(c.Description)
	for _, o := range c.Options {
		n += command{Name: o.Name, Description: o.Description, Options: o.Options}.size()
		for _, choice := range o.Choices {
			n += utf8.RuneCountInString(choice.Value)
		}
	}
	return n
}

// register puts the commands in place where they differ: an application may
// make 200 of them a day.
func (a *Adapter) register(ctx context.Context, app string) error {
	if a.menu == nil {
		return nil
	}
	url := discordgo.EndpointApplicationGlobalCommands(app)
	var there []command
	if err := a.client.call(ctx, request{op: "getCommands", method: http.MethodGet, url: url + "?with_localizations=true"}, &there); err != nil {
		return err
	}
	if bytes.Equal(inOrder(there), inOrder(a.menu)) {
		return nil
	}
	return a.client.call(ctx, request{op: "putCommands", method: http.MethodPut, url: url, body: a.menu}, nil)
}

// inOrder writes commands so that equal ones are equal.
func inOrder(commands []command) []byte {
	data, _ := json.Marshal(slices.SortedFunc(slices.Values(commands), func(a, b command) int { return cmp.Compare(a.Name, b.Name) }))
	return data
}
