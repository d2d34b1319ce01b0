package slack_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	simulator "talaria/adapters/fake/slack"
	"talaria/adapters/slack"
	"talaria/core/chat"

	goslack "github.com/slack-go/slack"
)

func TestTheManifestHasWhatTheAdapterNeeds(t *testing.T) {
	menu := chat.Menu{Commands: []chat.MenuCommand{{Name: "stop"}, {Name: "brief"}}}
	for _, address := range []string{"", "https://bot.example/hooks/slack"} {
		var m goslack.Manifest
		if err := json.Unmarshal(slack.Manifest(menu, address), &m); err != nil {
			t.Fatal(err)
		}
		if m.Settings.SocketModeEnabled != (address == "") || m.Settings.EventSubscriptions.RequestUrl != address ||
			m.Settings.Interactivity.RequestUrl != address || m.Features.SlashCommands[0].Url != address {
			t.Errorf("addresses of %+v", m)
		}
		if c := m.Features.SlashCommands[0]; c.Command != "/talaria" || c.UsageHint != "stop | brief" {
			t.Errorf("command %+v", c)
		}
		for _, event := range []string{"app_home_opened", "assistant_thread_started", "assistant_thread_context_changed"} {
			if !slices.Contains(m.Settings.EventSubscriptions.BotEvents, event) {
				t.Errorf("events %v", m.Settings.EventSubscriptions.BotEvents)
			}
		}
		if !m.Features.AppHome.HomeTabEnabled || m.Features.AssistantView == nil || m.Features.AssistantView.AssistantDescription == "" ||
			!slices.Contains(m.OAuthConfig.Scopes.Bot, "assistant:write") {
			t.Errorf("features %+v", m.Features)
		}
		if !slices.Contains(m.OAuthConfig.Scopes.Bot, "chat:write") || len(m.OAuthConfig.Scopes.User) != 0 {
			t.Errorf("scopes %v", m.OAuthConfig.Scopes)
		}
	}
}

// An app made of the manifest has no finding about its scopes.
func TestTheManifestSatisfiesTheCheck(t *testing.T) {
	var m goslack.Manifest
	if err := json.Unmarshal(slack.Manifest(chat.Menu{}, ""), &m); err != nil {
		t.Fatal(err)
	}
	r := newRig(t, setup{opts: simulator.Options{Scopes: strings.Join(m.OAuthConfig.Scopes.Bot, ",")}})
	for _, f := range r.Adapter.Check(r.Ctx) {
		if !f.OK {
			t.Errorf("finding: %+v", f)
		}
	}
}
