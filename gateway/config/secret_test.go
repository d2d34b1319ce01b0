package config_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"talaria/gateway/config"
)

const canary = "canary-3141592653"

type holder struct {
	Shown  config.Secret
	hidden config.Secret
}

func TestSecretIsNeverWrittenOut(t *testing.T) {
	s := config.NewSecret(canary)
	h := holder{Shown: s, hidden: s}
	var written bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%T"} {
		fmt.Fprintf(&written, verb+verb+verb+"\n", s, h, &h)
	}
	cfg := config.Default()
	cfg.Adapters.Telegram.Token = s
	for _, marshal := range []func(any) ([]byte, error){json.Marshal, toml.Marshal} {
		out, err := marshal(cfg)
		if err != nil {
			t.Fatal(err)
		}
		written.Write(out)
	}
	for _, h := range []slog.Handler{slog.NewTextHandler(&written, nil), slog.NewJSONHandler(&written, nil)} {
		slog.New(h).Info("x", "secret", s, "config", cfg)
	}
	if strings.Contains(written.String(), canary) || strings.Contains(written.String(), fmt.Sprintf("%x", canary)) {
		t.Errorf("the secret was written out:\n%s", written.String())
	}
	if s.Reveal() != canary {
		t.Errorf("Reveal = %q", s.Reveal())
	}
}

func TestUnsetSecretIsEmpty(t *testing.T) {
	s := config.NewSecret("")
	if s.IsSet() || s.Reveal() != "" || s.String() != "" {
		t.Errorf("IsSet %v, Reveal %q, String %q", s.IsSet(), s.Reveal(), s.String())
	}
}

func TestProblemsHoldNoSecret(t *testing.T) {
	for _, doc := range []string{
		"[adapters.telegram]\ntoken = \"" + canary + " x\"",
		"[storage]\nurl = \"postgres://u:" + canary + "@h/d\"",
		"[model]\nprovider = \"openai\"\nbase_url = \"ftp://u:" + canary + "@h\"\nname = \"n\"",
		"[adapters.discord]\ntoken = [\"" + canary + "\"]",
	} {
		_, _, err := config.Parse("x.toml", []byte(doc))
		if err == nil || strings.Contains(err.Error(), canary) {
			t.Errorf("error = %v", err)
		}
	}
}

func TestStoreIsShownWithoutItsPassword(t *testing.T) {
	for _, url := range []string{"redis://u:" + canary + "@h:1/0", "redis://u:%" + canary + "@h"} {
		shown := config.Storage{URL: config.NewSecret(url)}.Shown()
		if shown == "" || strings.Contains(shown, canary) {
			t.Errorf("shown as %q", shown)
		}
	}
}
