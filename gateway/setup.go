package main

import (
	"context"
	"encoding/base64"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"talaria/adapters/slack"
	"talaria/core/chat"
	"talaria/gateway/app"
	"talaria/gateway/config"
	"talaria/gateway/doctor"
)

// slackSteps is what is done with the manifest, in words for people.
const slackSteps = `
At https://api.slack.com/apps choose Create New App, From a manifest, and paste what
stands above. Then:

  1. Install it to your workspace. Under OAuth & Permissions is the bot token:
       export TALARIA_ADAPTERS_SLACK_BOT_TOKEN=xoxb-...
  2. Under Basic Information make an app-level token with connections:write:
       export TALARIA_ADAPTERS_SLACK_APP_TOKEN=xapp-...
     For mode = "http", take the signing secret there instead:
       export TALARIA_ADAPTERS_SLACK_SIGNING_SECRET=...

Run this again to have the tokens and their scopes checked.

`

// setupSlackCommand prints what an app on Slack is made from.
func setupSlackCommand() command {
	var address string
	return command{
		name: "setup slack",
		help: "Print the manifest that a Slack app is made from and, on standard error, what to do with it, and check the configured app; exit status 1 where something is wrong.",
		flags: func(f *flag.FlagSet) {
			f.StringVar(&address, "address", "", "public `URL` of /hooks/slack, for mode = \"http\"; without it the app uses Socket Mode")
		},
		run: func(ctx context.Context, p *process, _ []string) error {
			if _, err := fmt.Fprintln(p.out, string(slack.Manifest(app.Menu(), address))); err != nil {
				return err
			}
			fmt.Fprint(p.err, slackSteps)
			cfg, err := p.load()
			if err != nil {
				return err
			}
			return p.checkAccount(ctx, p.err, cfg, account{"slack", cfg.Adapters.Slack.BotToken, "adapters.slack.bot_token", "TALARIA_ADAPTERS_SLACK_BOT_TOKEN"})
		},
	}
}

// portal is what is done at Discord, in words for people.
const portal = `A bot is made in the developer portal (https://discord.com/developers/applications):

  1. New Application; then, under Bot, Reset Token, and put the token that it gives
     you into the environment, or into config.toml:
       export TALARIA_ADAPTERS_DISCORD_TOKEN=...
  2. Under Bot, turn on Message Content Intent.
`

// invitePermissions are View Channels, Send Messages, Attach Files, Read
// Message History and Send Messages in Threads: the least that the bot needs
// (discord.com/developers/docs/topics/permissions).
const invitePermissions = 1<<10 | 1<<11 | 1<<15 | 1<<16 | 1<<38

// setupDiscordCommand prints the link by which the bot is invited.
func setupDiscordCommand() command {
	return command{
		name: "setup discord", run: invite,
		help: "Say how a Discord bot is made, print the link that invites the configured one, and check its token and intents; exit status 1 where something is wrong.",
	}
}

func invite(ctx context.Context, p *process, _ []string) error {
	cfg, err := p.load()
	if err != nil {
		return err
	}
	fmt.Fprint(p.out, portal)
	token := cfg.Adapters.Discord.Token
	if !token.IsSet() {
		fmt.Fprint(p.out, "  3. Run this again: it prints the link by which the bot is invited to a server, and\n     checks the token and the intent.\n\n")
	} else {
		id, err := discordID(token)
		if err != nil {
			return err
		}
		fmt.Fprintf(p.out, "  3. Open this and choose a server:\n     https://discord.com/oauth2/authorize?client_id=%s&scope=bot%%20applications.commands&permissions=%d\n\n", id, invitePermissions)
	}
	return p.checkAccount(ctx, p.out, cfg, account{"discord", token, "adapters.discord.token", "TALARIA_ADAPTERS_DISCORD_TOKEN"})
}

// setupTime bounds what is asked of a platform.
const setupTime = 30 * time.Second

// account is what a platform knows the bot by.
type account struct {
	platform    string
	token       config.Secret
	key, envVar string // where the token is set
}

// checkAccount has a platform asked about the configured account, and tells
// what was found.
func (p *process) checkAccount(ctx context.Context, out io.Writer, cfg config.Config, of account) error {
	if !of.token.IsSet() {
		tell(out, doctor.Result{Part: of.platform, Finding: chat.Finding{
			OK: true, What: "no token is set yet", Remedy: fmt.Sprintf("set %s (%s)", of.key, of.envVar),
		}})
		return nil
	}
	all, err := app.Adapters(cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, setupTime)
	defer cancel()
	well := true
	for _, a := range all {
		checker, can := a.(chat.Checker)
		if a.Platform() != of.platform || !can {
			continue
		}
		for _, f := range checker.Check(ctx) {
			tell(out, doctor.Result{Part: of.platform, Finding: f})
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
		return "", fmt.Errorf("adapters.discord.token is not of the form that the developer portal gives under Bot (three parts with a dot between); copy it anew")
	}
	return string(id), nil
}
