package app_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"talaria/core/chat"
	"talaria/gateway/app"
	"talaria/gateway/config"
	"talaria/gateway/trigger"
)

func TestASignedWebhookRunsOnceWithItsOwnersRights(t *testing.T) {
	const secret = "a secret of more than 32 characters"
	b := newBot(t)
	owner := config.Person{Identity: chat.Identity{Platform: "telegram", ID: "1"}}
	b.config.Scheduler.Triggers = map[string]*config.Trigger{
		"deploy": {Secret: config.NewSecret(secret), Owner: owner, Say: "Deployed."},
		"other":  {Secret: config.NewSecret(secret), Owner: config.Person{Identity: chat.Identity{Platform: "telegram", ID: "77"}}, Say: "Never."},
	}
	a, err := app.New(t.Context(), app.Options{Config: b.config, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	over := make(chan error, 1)
	go func() { over <- a.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-over; err != nil {
			t.Errorf("the program ended with %v", err)
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	b.telegram.Say(admin, admin, "hello")
	hears(t, b.telegram, admin, ".")
	call := func(name, body string, at time.Time) int {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
		r.Header.Set(trigger.Header, sign(secret, at, body))
		w := httptest.NewRecorder()
		a.Hooks()["trigger/"+name].ServeHTTP(w, r)
		return w.Code
	}
	now := time.Now()
	for range 3 {
		if got := call("deploy", `version "1.2"`, now); got != http.StatusAccepted {
			t.Fatalf("answered %d", got)
		}
	}
	hears(t, b.telegram, admin, `(?s)^Deployed\..*webhook deploy.*version "1.2"`)
	call("deploy", "second", now)
	hears(t, b.telegram, admin, "second")
	if n := strings.Count(strings.Join(said(b.telegram, admin), "\n"), `version "1.2"`); n != 1 {
		t.Errorf("a call that was repeated was told %d times", n)
	}
	if got := call("other", "x", now); got != http.StatusForbidden {
		t.Errorf("a trigger of somebody unknown is answered by %d", got)
	}
}

// sign is the header of a call, made as its sender makes it.
func sign(secret string, at time.Time, body string) string {
	h := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(h, "%d.%s", at.Unix(), body)
	return fmt.Sprintf("t=%d,v1=%x", at.Unix(), h.Sum(nil))
}
