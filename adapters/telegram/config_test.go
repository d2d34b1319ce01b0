package telegram_test

import (
	"log/slog"
	"strings"
	"testing"

	"talaria/adapters/telegram"
)

func TestSetUpMistakesAreToldWithoutSecrets(t *testing.T) {
	const token = "12345:very-secret-part"
	for name, cfg := range map[string]telegram.Config{
		"no token":          {},
		"token of no form":  {Token: "very-secret-part"},
		"api_url":           {Token: token, APIURL: "localhost"},
		"api_url with user": {Token: token, APIURL: "http://me:very-secret-part@localhost"},
		"mode":              {Token: token, Mode: "socket"},
		"delivery":          {Token: token, Delivery: "fast"},
		"no secret":         {Token: token, Mode: telegram.Webhook, WebhookURL: "https://a.example/x"},
		"odd secret":        {Token: token, Mode: telegram.Webhook, WebhookURL: "https://a.example/x", WebhookSecret: "very-secret-part!"},
		"no webhook_url":    {Token: token, Mode: telegram.Webhook, WebhookSecret: secret},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := telegram.New(cfg, slog.New(slog.DiscardHandler))
			if err == nil || strings.Contains(err.Error(), "very-secret-part") {
				t.Errorf("New: %v", err)
			}
		})
	}
}

func TestExclusiveNamesTheBot(t *testing.T) {
	a := newAdapter(t, telegram.Config{Token: "12345:abc"}, slog.New(slog.DiscardHandler))
	if got := a.Exclusive(); got != "telegram:12345" {
		t.Errorf("lease %q", got)
	}
}
