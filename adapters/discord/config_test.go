package discord_test

import (
	"encoding/base64"
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
		"no token's form":   {Token: "very-secret-part"},
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
	if got := newAdapter(t, discord.Config{Token: "odd-one", APIURL: "http://127.0.0.1:1"}, nil).Exclusive(); strings.Contains(got, "odd-one") || len(got) < 20 {
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
