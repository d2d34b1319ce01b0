package main

import (
	"context"
	"encoding/base64"
	"flag"
	"fmt"
	"strings"

	"talaria/adapters/slack"
	"talaria/gateway/app"
	"talaria/gateway/config"
)

// setupSlackCommand prints what an app on Slack is made from.
func setupSlackCommand() command {
	var address string
	return command{
		name: "setup slack", help: "Print the manifest that a Slack app is made from.",
		flags: func(f *flag.FlagSet) {
			f.StringVar(&address, "address", "", "public `URL` of /hooks/slack, for mode = \"http\"; without it the app uses Socket Mode")
		},
		run: func(_ context.Context, p *process, _ []string) error {
			_, err := fmt.Fprintln(p.out, string(slack.Manifest(app.Menu(), address)))
			return err
		},
	}
}

// invitePermissions are View Channels, Send Messages, Attach Files, Read
// Message History and Send Messages in Threads: the least that the bot needs
// (discord.com/developers/docs/topics/permissions).
const invitePermissions = 1<<10 | 1<<11 | 1<<15 | 1<<16 | 1<<38

// setupDiscordCommand prints the link by which the bot is invited.
func setupDiscordCommand() command {
	return command{name: "setup discord", help: "Print the link that invites the configured Discord bot.", run: invite}
}

func invite(_ context.Context, p *process, _ []string) error {
	cfg, err := p.load()
	if err != nil {
		return err
	}
	id, err := discordID(cfg.Adapters.Discord.Token)
	if err != nil {
		return usageError{err}
	}
	fmt.Fprintf(p.out, "https://discord.com/oauth2/authorize?client_id=%s&scope=bot%%20applications.commands&permissions=%d\n", id, invitePermissions)
	fmt.Fprintln(p.out, "\nOpen it and choose a server. In the developer portal, under Bot, Message Content Intent must be on.")
	return nil
}

// discordID is the bot's id, which its token begins with.
func discordID(token config.Secret) (string, error) {
	first, _, _ := strings.Cut(strings.TrimPrefix(token.Reveal(), "Bot "), ".")
	id, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(first, "="))
	if err != nil || len(id) == 0 || strings.Trim(string(id), "0123456789") != "" {
		return "", fmt.Errorf("set adapters.discord.token (TALARIA_ADAPTERS_DISCORD_TOKEN) to the token that the developer portal gives under Bot")
	}
	return string(id), nil
}
