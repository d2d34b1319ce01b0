package telegram

import (
	"context"
	"fmt"
	"net/url"
	"slices"

	"talaria/core/chat"

	tele "gopkg.in/telebot.v3"
)

// Check implements chat.Checker.
func (a *Adapter) Check(ctx context.Context) []chat.Finding {
	var me tele.User
	if err := a.client.call(ctx, "getMe", struct{}{}, &me); err != nil {
		remedy := "see whether the server of the Bot API can be reached"
		if chat.KindOf(err) == chat.NotAllowed {
			remedy = "get a new token from @BotFather and set adapters.telegram.token, or see whether adapters.telegram.api_url is right"
		}
		return []chat.Finding{{What: err.Error(), Remedy: remedy}}
	}
	findings := []chat.Finding{{OK: true, What: "the token is that of @" + me.Username}, privacy(me)}
	if !me.CanJoinGroups {
		findings = append(findings, chat.Finding{
			OK: true, What: "the bot can't be added to groups", Remedy: "if it is to serve groups, use /setjoingroups at @BotFather",
		})
	}
	findings = append(findings, a.checkWebhook(ctx)...)
	return append(findings, a.checkRunning()...)
}

// privacy tells what is heard in groups
// (core.telegram.org/bots/features#privacy-mode).
func privacy(me tele.User) chat.Finding {
	if me.CanReadMessages {
		return chat.Finding{OK: true, What: "privacy mode is off: the bot hears everything said in its groups"}
	}
	return chat.Finding{
		OK: true, What: "privacy mode is on: in groups the bot hears only commands and replies to it, no mentions, unless it is an administrator",
		Remedy: "if it is to hear mentions, use /setprivacy at @BotFather and add the bot to its groups again",
	}
}

func (a *Adapter) checkWebhook(ctx context.Context) []chat.Finding {
	var info webhookInfo
	if err := a.client.call(ctx, "getWebhookInfo", struct{}{}, &info); err != nil {
		return []chat.Finding{{What: err.Error(), Remedy: "try again"}}
	}
	findings := []chat.Finding{a.webhookState(info)}
	if a.cfg.Mode == Webhook && a.cfg.APIURL == DefaultURL && !reachable(a.cfg.WebhookURL) {
		findings = append(findings, chat.Finding{
			What:   "Telegram posts to no address such as webhook_url",
			Remedy: "give webhook_url as https, on port 443, 80, 88 or 8443",
		})
	}
	if info.LastError != "" {
		findings = append(findings, chat.Finding{
			What:   fmt.Sprintf("the last delivery to the webhook failed (%s), updates that wait: %d", info.LastError, info.Pending),
			Remedy: "see whether webhook_url leads to this bot",
		})
	}
	return findings
}

// webhookState holds where updates go against the configuration.
func (a *Adapter) webhookState(info webhookInfo) chat.Finding {
	switch {
	case info.URL != "" && (a.cfg.Mode == Poll || info.URL != a.cfg.WebhookURL):
		return chat.Finding{
			What:   "updates go to a webhook at " + info.host(),
			Remedy: "if that was this bot, put its address into webhook_url and the next start removes it; if it is another one, give this bot a token of its own",
		}
	case a.cfg.Mode == Poll:
		return chat.Finding{OK: true, What: "updates are polled for, and no webhook is set"}
	case info.URL == "":
		return chat.Finding{OK: true, What: "the webhook is not set yet; the bot sets it when it starts"}
	}
	return chat.Finding{OK: true, What: "updates go to the webhook of the configuration"}
}

// reachable reports whether Telegram posts to an address
// (core.telegram.org/bots/api#setwebhook).
func reachable(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "https" && slices.Contains([]string{"", "443", "80", "88", "8443"}, u.Port())
}

// checkRunning tells what Run has met.
func (a *Adapter) checkRunning() []chat.Finding {
	var findings []chat.Finding
	if n := len(a.parked.list()); n > 0 {
		findings = append(findings, chat.Finding{
			What:   fmt.Sprintf("events that could not be kept and are parked: %d", n),
			Remedy: "see the log for the reason; they are tried again every " + parkedRetry.String(),
		})
	}
	a.posting.RLock()
	defer a.posting.RUnlock()
	if a.receiving == nil {
		return findings
	}
	if p := a.receiving.poller; p != nil && p.conflict.Load() {
		findings = append(findings, chat.Finding{
			What:   "another program polls with this bot's token: each gets only a part of the messages",
			Remedy: "stop the other one, or revoke the token at @BotFather",
		})
	}
	return append(findings, a.receiving.intake.drops.Findings()...)
}
