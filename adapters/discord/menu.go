package discord

import (
	"context"
	"net/http"
	"regexp"
	"slices"

	"talaria/core/chat"

	"github.com/bwmarrin/discordgo"
)

// Limits of commands
// (discord.com/developers/docs/interactions/application-commands).
const (
	maxCommands    = 100 // an application's, in all servers
	maxDescription = 100
)

var commandName = regexp.MustCompile(`^[-_\p{Ll}\p{Lo}\p{N}]{1,32}$`)

// command is an application command, cut down to what is registered here.
type command struct {
	Name        string          `json:"name"`
	Type        int             `json:"type"`
	Description string          `json:"description"`
	Options     []commandOption `json:"options"`
}

type commandOption struct {
	Type        int    `json:"type"`
	Name        string `json:"name"`
	Description string `json:"description"`
}

// textOption is the type of an option that takes any text.
const textOption = 3

// UseMenu implements chat.MenuHolder. Each command takes what would be typed
// after it as one text. What Discord doesn't take can still be typed.
func (a *Adapter) UseMenu(m chat.Menu) {
	a.menu = []command{}
	for _, c := range m.Commands {
		if !commandName.MatchString(c.Name) || c.Description == "" || len(a.menu) == maxCommands {
			a.log.Warn("command not shown in the menu", "platform", Platform, "command", c.Name, "limit", maxCommands)
			continue
		}
		a.menu = append(a.menu, command{
			Name: c.Name, Type: chatInput, Description: cut(c.Description, maxDescription),
			Options: []commandOption{{textOption, freeArguments, "What would be typed after the command"}},
		})
	}
}

// register puts the commands in place where they differ: an application may
// make 200 of them a day.
func (a *Adapter) register(ctx context.Context, app string) error {
	if a.menu == nil {
		return nil
	}
	url := discordgo.EndpointApplicationGlobalCommands(app)
	var there []command
	if err := a.client.call(ctx, request{op: "getCommands", method: http.MethodGet, url: url}, &there); err != nil {
		return err
	}
	if slices.EqualFunc(byName(there), byName(a.menu), command.equal) {
		return nil
	}
	return a.client.call(ctx, request{op: "putCommands", method: http.MethodPut, url: url, body: a.menu}, nil)
}

func byName(commands []command) []command {
	return slices.SortedFunc(slices.Values(commands), func(a, b command) int {
		switch {
		case a.Name < b.Name:
			return -1
		case a.Name > b.Name:
			return 1
		}
		return 0
	})
}

func (c command) equal(o command) bool {
	return c.Name == o.Name && c.Type == o.Type && c.Description == o.Description && slices.Equal(c.Options, o.Options)
}
