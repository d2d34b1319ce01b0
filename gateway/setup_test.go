package main

import (
	"bytes"
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"testing"

	"talaria/adapters/fake/discord"
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
		"token is refused": {token + "x", "reset the token in the developer portal", errReported},
	} {
		t.Run(name, func(t *testing.T) {
			p, out := new(process), new(bytes.Buffer)
			p.out, p.err = out, out
			p.environ = []string{"TALARIA_ADAPTERS_DISCORD_TOKEN=" + c.token, "TALARIA_ADAPTERS_DISCORD_API_URL=" + s.URL()}
			if err := invite(t.Context(), p, nil); !errors.Is(err, c.failed) {
				t.Errorf("came to %v", err)
			}
			for _, want := range []string{"client_id=" + discord.BotID + "&", c.want} {
				if !strings.Contains(out.String(), want) {
					t.Errorf("does not say %q:\n%s", want, out)
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
