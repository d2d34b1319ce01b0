package main

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"talaria/gateway/config"
)

func TestLogHoldsNoSecret(t *testing.T) {
	const token, password = `12345:"AA/BB+CC`, "pass word&1"
	for _, format := range []string{"text", "json"} {
		cfg := config.Default()
		cfg.Log.Format = format
		cfg.Adapters.Telegram.Token = config.NewSecret(token)
		cfg.Storage.URL = config.NewSecret("redis://" + url.UserPassword("u", password).String() + "@127.0.0.1/0")
		var out bytes.Buffer
		log := newLogger(cfg, &out)
		log.Error("call "+token, "err", fmt.Errorf("post https://api/bot%s/x: %w", url.PathEscape(token), errors.New(password)), token, 1)
		for _, part := range []string{"AA/BB", "AA%2FBB", "pass word", "pass+word"} {
			if strings.Contains(out.String(), part) {
				t.Errorf("%s: the log holds %q:\n%s", format, part, out.String())
			}
		}
		if !strings.Contains(out.String(), "***") {
			t.Errorf("%s: the record is missing:\n%s", format, out.String())
		}
	}
}

func TestLogLevel(t *testing.T) {
	cfg := config.Default()
	cfg.Log.Level = "warn"
	var out bytes.Buffer
	log := newLogger(cfg, &out)
	log.Info("quiet")
	log.Warn("loud")
	if got := out.String(); strings.Contains(got, "quiet") || !strings.Contains(got, "loud") {
		t.Errorf("log:\n%s", got)
	}
}

func TestAnotherWebPortThanTheDefaultIsToldWithItsKey(t *testing.T) {
	cfg := config.Default()
	cfg.Adapters.Discord.Token = config.NewSecret("a.b.c")
	var out bytes.Buffer
	l := &listeners{cfg: cfg, log: newLogger(cfg, &out)}
	l.tellOtherPort(t.Context(), "127.0.0.1:4711")
	for _, part := range []string{"level=WARN", cfg.Web.Listen, "127.0.0.1:4711", "[web] listen"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("%q is not in %s", part, out.String())
		}
	}
}
