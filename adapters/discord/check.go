package discord

import (
	"context"
	"fmt"

	"talaria/core/chat"
)

// Flags of an application that has the intent to read messages, fully or
// because it is in fewer than a hundred servers
// (discord.com/developers/docs/resources/application#application-object-application-flags).
const (
	messageContent        = 1 << 18
	messageContentLimited = 1 << 19
)

// fewSessions is when the day's rest of new gateway sessions is worth a word.
// At none, Discord resets the bot's token.
const fewSessions = 50

// Check implements chat.Checker.
func (a *Adapter) Check(ctx context.Context) []chat.Finding {
	me, err := a.me(ctx)
	if err != nil {
		remedy := "see whether Discord can be reached"
		if chat.KindOf(err) == chat.NotAllowed {
			remedy = "reset the token in the developer portal under Bot and set adapters.discord.token"
		}
		return []chat.Finding{{What: err.Error(), Remedy: remedy}}
	}
	findings := []chat.Finding{{OK: true, What: "the token is that of " + me.name()}}
	findings = append(findings, a.checkIntents(ctx), a.checkSessions(ctx))
	return append(findings, a.checkRunning()...)
}

func (a *Adapter) checkIntents(ctx context.Context) chat.Finding {
	app, err := a.about(ctx)
	switch {
	case err != nil:
		return chat.Finding{What: err.Error(), Remedy: "try again"}
	case app.Flags&(messageContent|messageContentLimited) == 0:
		return chat.Finding{
			What:   "the bot may not read messages: Discord would refuse its connection",
			Remedy: "turn on Message Content Intent in the developer portal under Bot",
		}
	}
	return chat.Finding{OK: true, What: "the bot may read messages"}
}

func (a *Adapter) checkSessions(ctx context.Context) chat.Finding {
	info, err := (&gateway{client: a.client}).info(ctx)
	if err != nil {
		return chat.Finding{What: err.Error(), Remedy: "try again"}
	}
	f := chat.Finding{OK: true, What: fmt.Sprintf("%d of %d gateway sessions are left for today", info.Limit.Remaining, info.Limit.Total)}
	if info.Limit.Total > 0 && info.Limit.Remaining < fewSessions {
		f.OK, f.Remedy = false, "see in the log why the bot connects so often, and whether another program uses its token"
	}
	return f
}

// checkRunning tells what Run and the calls have met.
func (a *Adapter) checkRunning() []chat.Finding {
	var findings []chat.Finding
	if n := a.client.pace.invalidCalls(); n > invalidBudget/10 {
		findings = append(findings, chat.Finding{
			What:   fmt.Sprintf("%d calls were refused within %s; at ten thousand Discord shuts the bot out", n, invalidWindow),
			Remedy: "see in the log which calls, and give the bot the rights that it lacks",
		})
	}
	a.mu.Lock()
	in := a.intake
	a.mu.Unlock()
	if in == nil {
		return findings
	}
	return append(findings, in.drops.Findings()...)
}
