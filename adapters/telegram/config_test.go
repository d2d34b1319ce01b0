package telegram_test

import (
	"encoding/json"
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

func TestNormalizeSaysWhatEventsComeTo(t *testing.T) {
	line := `{"id":"n1","platform":"telegram","context":{"self":{"id":"42","name":"helper_bot"},"active_threads":["-100#7"]},"events":[
	 {"update_id":1,"message":{"message_id":5,"date":1,"chat":{"id":-100,"type":"supergroup"},"from":{"id":9},"message_thread_id":7,"is_topic_message":true,"text":"go on"}},
	 {"update_id":2,"message":{"message_id":6,"date":1,"chat":{"id":-100,"type":"supergroup"},"from":{"id":42,"is_bot":true},"text":"me"}}]}`
	out, err := telegram.Normalize([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"id":"n1"`, `"addressed_by":"thread"`, `"dedupe_key":"telegram:-100:5"`, `{"event":1,"reason":"own_message"}`} {
		if !strings.Contains(string(data), part) {
			t.Errorf("no %s in %s", part, data)
		}
	}
	if _, err := telegram.Normalize([]byte("{")); err == nil {
		t.Error("no error for what is no JSON")
	}
}
