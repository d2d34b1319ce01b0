package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"talaria/adapters/fake/discord"
	"talaria/adapters/fake/slack"
	fake "talaria/adapters/fake/telegram"
)

// direct makes a call to the simulated platform, as somebody else with the
// token would.
func direct(t *testing.T, s *fake.Server, method, body string) []string {
	resp, err := http.Post(s.URL()+"/bot"+s.Token()+"/"+method, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return nil
}

func TestSetupDiscord(t *testing.T) {
	// A real token begins with the bot's id in Base64.
	token := base64.RawStdEncoding.EncodeToString([]byte(discord.BotID)) + ".of.novalue"
	s := discord.New(t, discord.Options{NoRates: true, Token: token})
	for name, c := range map[string]struct {
		token  string
		want   string
		failed error
	}{
		"all is well":      {token, "the bot may read messages", nil},
		"no token":         {"", "no token is set yet", nil},
		"token is refused": {token + "x", "reset the token in the developer portal", errReported},
	} {
		t.Run(name, func(t *testing.T) {
			p, out := new(process), new(bytes.Buffer)
			p.out, p.err = out, out
			p.environ = []string{"TALARIA_ADAPTERS_DISCORD_TOKEN=" + c.token, "TALARIA_ADAPTERS_DISCORD_API_URL=" + s.URL()}
			if err := invite(t.Context(), p, nil); !errors.Is(err, c.failed) {
				t.Errorf("came to %v", err)
			}
			link := "client_id=" + discord.BotID + "&"
			if c.token == "" {
				link = "the link by which the bot is invited"
			}
			for _, want := range []string{link, c.want} {
				if !strings.Contains(out.String(), want) {
					t.Errorf("does not say %q:\n%s", want, out)
				}
			}
		})
	}
}

func TestSetupSlack(t *testing.T) {
	s := slack.New(t, slack.Options{NoLimits: true})
	tokens := []string{"TALARIA_ADAPTERS_SLACK_BOT_TOKEN=" + s.BotToken(), "TALARIA_ADAPTERS_SLACK_APP_TOKEN=" + s.AppToken()}
	for name, c := range map[string]struct {
		environ []string
		want    string
		failed  bool
	}{
		"no token":        {nil, "no token is set yet", false},
		"half of them":    {tokens[:1], "", true},
		"all is well":     {tokens, "the app token may open sockets", false},
		"one is refused":  {[]string{tokens[0], "TALARIA_ADAPTERS_SLACK_APP_TOKEN=xapp-other"}, "FAILED", true},
		"of another kind": {[]string{"TALARIA_ADAPTERS_SLACK_BOT_TOKEN=xapp-1", tokens[1]}, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			p, manifest, told := new(process), new(bytes.Buffer), new(bytes.Buffer)
			p.out, p.err = manifest, told
			p.environ = slices.Concat(c.environ, []string{"TALARIA_ADAPTERS_SLACK_API_URL=" + s.URL()})
			if err := setupSlackCommand().run(t.Context(), p, nil); (err != nil) != c.failed {
				t.Errorf("came to %v", err)
			}
			if !json.Valid(manifest.Bytes()) {
				t.Errorf("no manifest: %s", manifest)
			}
			for _, want := range []string{"From a manifest", c.want} {
				if !strings.Contains(told.String(), want) {
					t.Errorf("does not say %q:\n%s", want, told)
				}
			}
		})
	}
}

func TestSetupTelegram(t *testing.T) {
	const other = "http://127.0.0.1:1/hooks/elsewhere"
	for name, c := range map[string]struct {
		privacy   bool
		configure func(s *fake.Server) []string
		want      []string
		wrong     bool
	}{
		"no token": {false, func(*fake.Server) []string { return nil }, []string{"/newbot", "/setprivacy", "no token is set yet"}, false},
		"all is well": {false, func(*fake.Server) []string { return nil },
			[]string{"the token is that of @" + fake.BotName, "privacy mode is off", "no webhook is set"}, false},
		"privacy": {true, func(*fake.Server) []string { return nil }, []string{"note", "no mentions", "-> if it is to hear mentions, use /setprivacy"}, false},
		"token is refused": {false, func(*fake.Server) []string { return []string{"TALARIA_ADAPTERS_TELEGRAM_TOKEN=42:WRONG"} },
			[]string{"FAILED", "-> get a new token from @BotFather"}, true},
		"another's webhook": {false, func(s *fake.Server) []string { return direct(t, s, "setWebhook", `{"url":"`+other+`"}`) },
			[]string{"FAILED", "a webhook at 127.0.0.1:1", "give this bot a token of its own"}, true},
		"webhook to be set": {false, func(*fake.Server) []string {
			return []string{
				"TALARIA_ADAPTERS_TELEGRAM_MODE=webhook", "TALARIA_ADAPTERS_TELEGRAM_WEBHOOK_URL=https://bot.example.org/hooks/telegram",
				"TALARIA_ADAPTERS_TELEGRAM_WEBHOOK_SECRET=" + strings.Repeat("s", 32),
			}
		}, []string{"the webhook is not set yet"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := fake.New(t, fake.Options{Privacy: c.privacy})
			p, out := new(process), new(bytes.Buffer)
			p.out, p.err = out, out
			if name != "no token" {
				p.environ = append([]string{"TALARIA_ADAPTERS_TELEGRAM_TOKEN=" + s.Token(), "TALARIA_ADAPTERS_TELEGRAM_API_URL=" + s.URL()}, c.configure(s)...)
			}
			err := setupTelegram(t.Context(), p, nil)
			if c.wrong != errors.Is(err, errReported) || !c.wrong && err != nil {
				t.Errorf("came to %v", err)
			}
			for _, want := range c.want {
				if !strings.Contains(out.String(), want) {
					t.Errorf("does not say %q:\n%s", want, out)
				}
			}
			if strings.Contains(out.String(), s.Token()[strings.IndexByte(s.Token(), ':')+1:]) {
				t.Error("shows the token")
			}
		})
	}
}
