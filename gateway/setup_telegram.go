package main

import (
	"context"
	"fmt"
)

// botFather is what is done at Telegram, in words for people
// (core.telegram.org/bots/features#botfather).
const botFather = `A bot is made in a chat with @BotFather (https://t.me/BotFather):

  1. Send /newbot, choose a name, and a user name that ends in "bot".
  2. Put the token that it gives you into the environment, or into config.toml:
       export TALARIA_ADAPTERS_TELEGRAM_TOKEN=123456:ABC...
  3. To have the bot hear all that is said in its groups, not only commands and
     replies to it: /setprivacy, choose the bot, Disable. Then add it to its groups
     again.
  4. For groups, /setjoingroups must be on; it is from the start.

The menu of commands is put in place when the bot starts; /setcommands is not needed.
Run this again to have the settings checked.

`

// setupTelegramCommand says how a bot is made, and looks at the one there is.
func setupTelegramCommand() command {
	return command{
		name: "setup telegram", run: setupTelegram,
		help: "Say how a Telegram bot is made, and check the configured one; exit status 1 where something is wrong.",
	}
}

func setupTelegram(ctx context.Context, p *process, _ []string) error {
	cfg, err := p.load()
	if err != nil {
		return err
	}
	fmt.Fprint(p.out, botFather)
	return p.checkAccount(ctx, p.out, cfg, account{"telegram", cfg.Adapters.Telegram.Token, "adapters.telegram.token", "TALARIA_ADAPTERS_TELEGRAM_TOKEN"})
}
