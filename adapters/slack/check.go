package slack

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"talaria/core/chat"

	"github.com/slack-go/slack"
)

// scopes are what the bot token needs (docs.slack.dev/reference/scopes), with
// what is missed without each.
var scopes = map[string]string{
	"chat:write":        "it can't answer",
	"app_mentions:read": "it doesn't hear when it is mentioned",
	"channels:history":  "it doesn't hear what is said in channels, nor see whether its answer arrived",
	"groups:history":    "it doesn't hear what is said in private channels",
	"channels:read":     "it doesn't know channels by their names, nor who may read them",
	"groups:read":       "it doesn't know private channels by their names, nor who is in them",
	"im:history":        "it doesn't hear direct messages",
	"mpim:history":      "it doesn't hear conversations of several people",
	"im:write":          "it can't write to somebody first",
	"users:read":        "it can't tell members from guests, nor see names",
	"files:read":        "it can't read files",
	"files:write":       "it can't send files",
	"reactions:read":    "it doesn't see reactions",
	"commands":          "it has no slash command",
	"assistant:write":   "it is not in Slack's place for assistants, and suggests nothing there",
}

// Check implements chat.Checker.
func (a *Adapter) Check(ctx context.Context) []chat.Finding {
	var who *slack.AuthTestResponse
	x, err := a.client.call(ctx, "auth.test", func(ctx context.Context, api *slack.Client) (err error) {
		who, err = api.AuthTestContext(ctx)
		return err
	})
	if err != nil {
		return []chat.Finding{unreached(err, "bot_token")}
	}
	findings := []chat.Finding{
		{OK: true, What: fmt.Sprintf("the bot token is that of %s (%s) in the workspace %s (%s)", who.User, who.UserID, who.Team, who.TeamID)},
	}
	findings = append(findings, missingScopes(x.Header.Get("X-OAuth-Scopes"))...)
	if a.cfg.Mode == Socket {
		findings = append(findings, a.checkSocket(ctx)...)
	}
	return append(findings, a.checkRunning()...)
}

func unreached(err error, key string) chat.Finding {
	f := chat.Finding{What: err.Error(), Remedy: "see whether Slack can be reached"}
	if chat.KindOf(err) == chat.NotAllowed {
		f.Remedy = "install the app into the workspace again and set adapters.slack." + key + ", or see whether adapters.slack.api_url is right"
	}
	return f
}

// missingScopes reads the header in which Slack lists what a token may do.
func missingScopes(header string) []chat.Finding {
	if header == "" {
		return nil
	}
	have := map[string]bool{}
	for s := range strings.SplitSeq(header, ",") {
		have[strings.TrimSpace(s)] = true
	}
	var findings []chat.Finding
	for _, s := range slices.Sorted(maps.Keys(scopes)) {
		if !have[s] {
			findings = append(findings, chat.Finding{
				What:   "the bot token lacks the scope " + s + ": " + scopes[s],
				Remedy: "add it under OAuth & Permissions of your app and install the app again",
			})
		}
	}
	return findings
}

// checkSocket asks for an address to connect to, and does not use it.
func (a *Adapter) checkSocket(ctx context.Context) []chat.Finding {
	_, err := a.client.call(ctx, "apps.connections.open", func(ctx context.Context, api *slack.Client) error {
		_, _, err := api.StartSocketModeContext(ctx)
		return err
	})
	if err != nil {
		return []chat.Finding{unreached(err, "app_token")}
	}
	return []chat.Finding{{OK: true, What: "the app token may open sockets"}}
}

// checkRunning tells what Run has met.
func (a *Adapter) checkRunning() []chat.Finding {
	a.posting.RLock()
	defer a.posting.RUnlock()
	if a.receiving == nil {
		return nil
	}
	return a.receiving.intake.drops.Findings()
}
