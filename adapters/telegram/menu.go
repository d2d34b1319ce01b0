package telegram

import (
	"cmp"
	"context"
	"maps"
	"regexp"
	"slices"

	tele "gopkg.in/telebot.v3"

	"talaria/core/chat"
	"talaria/core/text"
)

// Limits of the menu (core.telegram.org/bots/api#setmycommands).
const (
	maxCommands    = 100
	maxDescription = 256 // characters
)

var menuName = regexp.MustCompile(`^[a-z0-9_]{1,32}$`)

// menuFor is whom a list of commands is shown to. Of the lists that fit, the
// one of the narrowest scope counts, and within it that of the person's
// language (core.telegram.org/bots/api#determining-list-of-commands).
type menuFor struct {
	Scope    menuScope `json:"scope"`
	Language string    `json:"language_code,omitempty"` // ISO 639-1; empty for all others
}

type menuScope struct {
	Type string `json:"type"`
}

// The scopes in use: what needs a direct conversation is left out in groups.
var (
	everywhere = menuScope{"default"}
	inGroups   = menuScope{"all_group_chats"}
)

// UseMenu implements chat.MenuHolder. What Telegram doesn't take can still be
// typed.
func (a *Adapter) UseMenu(m chat.Menu) {
	a.menus = map[menuFor][]tele.Command{}
	languages := map[string]bool{"": true}
	for _, c := range m.Commands {
		for l := range maps.Keys(c.Told) {
			languages[l] = true
		}
	}
	for _, c := range m.Commands {
		if !menuName.MatchString(c.Name) || c.Description == "" || len(a.menus[menuFor{Scope: everywhere}]) == maxCommands {
			a.log.Warn("command not shown in the menu", "platform", Platform, "command", c.Name, "limit", maxCommands)
			continue
		}
		for l := range languages {
			shown := tele.Command{Text: c.Name, Description: summary(c, l)}
			a.list(menuFor{everywhere, l}, shown)
			if !c.Direct {
				a.list(menuFor{inGroups, l}, shown)
			}
		}
	}
}

// list puts a command into a menu, at its end.
func (a *Adapter) list(in menuFor, c tele.Command) { a.menus[in] = append(a.menus[in], c) }

// summary is what is said of a command to people of a language.
func summary(c chat.MenuCommand, language string) string {
	return text.Clip(cmp.Or(c.Told[language], c.Description), maxDescription)
}

// register puts the menus in place where they differ.
func (a *Adapter) register(ctx context.Context) error {
	for whom, commands := range a.menus {
		var there []tele.Command
		if err := a.client.call(ctx, "getMyCommands", whom, &there); err != nil {
			return err
		}
		if slices.Equal(there, commands) {
			continue
		}
		set := struct {
			menuFor
			Commands []tele.Command `json:"commands"`
		}{whom, commands}
		if err := a.client.call(ctx, "setMyCommands", set, nil); err != nil {
			return err
		}
	}
	return nil
}
