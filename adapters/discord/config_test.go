package discord_test

import (
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"talaria/adapters/discord"
)

func TestSetUpMistakesAreToldWithoutSecrets(t *testing.T) {
	for name, cfg := range map[string]discord.Config{
		"no token":          {},
		"two words":         {Token: "very-secret-part and more"},
		"api_url":           {Token: "very-secret-part", APIURL: "localhost"},
		"api_url with user": {Token: "very-secret-part", APIURL: "http://me:very-secret-part@localhost"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := discord.New(cfg, slog.New(slog.DiscardHandler))
			if err == nil || strings.Contains(err.Error(), "very-secret-part") {
				t.Errorf("New: %v", err)
			}
		})
	}
}

func TestExclusiveNamesTheBot(t *testing.T) {
	token := base64.RawStdEncoding.EncodeToString([]byte("1200000000000000001")) + ".abc.def"
	a := newAdapter(t, discord.Config{Token: "Bot " + token}, nil)
	if got := a.Exclusive(); got != "discord:1200000000000000001" {
		t.Errorf("lease %q", got)
	}
	if got := newAdapter(t, discord.Config{Token: "odd-one"}, nil).Exclusive(); strings.Contains(got, "odd-one") || len(got) < 20 {
		t.Errorf("lease %q", got)
	}
}

func TestAPIURLStandsForDiscordOrItsAPI(t *testing.T) {
	for given, want := range map[string]string{
		"": "/api/v9/users/@me", "/": "/api/v9/users/@me", "/api": "/api/v9/users/@me", "/api/v10/": "/api/v10/users/@me", "/x": "/x/users/@me",
	} {
		seen := make(chan string, 9)
		transport := transportFunc(func(r *http.Request) (*http.Response, error) {
			seen <- r.URL.Path
			return &http.Response{StatusCode: http.StatusNotFound, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
		})
		a := newAdapter(t, discord.Config{Token: "a.b.c", APIURL: "http://127.0.0.1:1" + given, Transport: transport}, nil)
		a.Check(t.Context())
		if got := <-seen; got != want {
			t.Errorf("%q leads to %q, not %q", given, got, want)
		}
	}
}

type transportFunc func(*http.Request) (*http.Response, error)

func (f transportFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestNormalizeSaysWhatEventsComeTo(t *testing.T) {
	line := `{"id":"n1","platform":"discord","context":{"self":{"id":"42"},"active_threads":["1/5#7"],"channels":{"7":{"type":11,"parent_id":"5"}}},"events":[
	 {"t":"MESSAGE_CREATE","s":1,"d":{"id":"90","channel_id":"7","guild_id":"1","content":"go on","author":{"id":"9"}}},
	 {"t":"MESSAGE_CREATE","s":2,"d":{"id":"91","channel_id":"7","guild_id":"1","content":"me","author":{"id":"42","bot":true}}}]}`
	out, err := discord.Normalize([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"id":"n1"`, `"addressed_by":"thread"`, `"chat":"1/5","thread":"7"`, `"dedupe_key":"discord:90"`, `{"event":1,"reason":"own_message"}`} {
		if !strings.Contains(string(data), part) {
			t.Errorf("no %s in %s", part, data)
		}
	}
	if _, err := discord.Normalize([]byte("{")); err == nil {
		t.Error("no error for what is no JSON")
	}
}
