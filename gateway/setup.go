package main

import (
	"context"
	"encoding/base64"
	"flag"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"talaria/adapters/slack"
	"talaria/core/chat"
	"talaria/gateway/app"
	"talaria/gateway/config"
	"talaria/gateway/doctor"
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
	return command{
		name: "setup discord", run: invite,
		help: "Print the link that invites the configured Discord bot, and check its token and intents; exit status 1 where something is wrong.",
	}
}

func invite(ctx context.Context, p *process, _ []string) error {
	cfg, err := p.load()
	if err != nil {
		return err
	}
	id, err := discordID(cfg.Adapters.Discord.Token)
	if err != nil {
		return usageError{err}
	}
	fmt.Fprintf(p.out, "https://discord.com/oauth2/authorize?client_id=%s&scope=bot%%20applications.commands&permissions=%d\n", id, invitePermissions)
	fmt.Fprint(p.out, "\nOpen it and choose a server. In the developer portal, under Bot, Message Content Intent must be on.\n\n")
	return p.checkAccount(ctx, cfg, "discord")
}

// setupTime bounds what is asked of a platform.
const setupTime = 30 * time.Second

// checkAccount has a platform asked about the configured account, and tells
// what was found.
func (p *process) checkAccount(ctx context.Context, cfg config.Config, platform string) error {
	all, err := app.Adapters(cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, setupTime)
	defer cancel()
	well := true
	for _, a := range all {
		checker, can := a.(chat.Checker)
		if a.Platform() != platform || !can {
			continue
		}
		for _, f := range checker.Check(ctx) {
			p.tell(doctor.Result{Part: platform, Finding: f})
			well = well && f.OK
		}
	}
	if !well {
		return errReported
	}
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
