package torture

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	fake "talaria/adapters/fake/telegram"
	"talaria/core/model/modeltest"
)

// TestSecretsReachNothing runs the program through good and bad days with
// marked secrets, and then looks for them, in any common spelling, in
// everything that it wrote.
func TestSecretsReachNothing(t *testing.T) {
	const key = "CANARY-model-key-5f1c9"
	refused := 0
	script := func(r modeltest.Request) modeltest.Answer {
		if strings.Contains(r.LastUser(), "w2.") && refused < 3 {
			refused++
			return modeltest.Answer{Fault: modeltest.Unauthorized}
		}
		return modeltest.Text("echo: ", r.LastUser())
	}
	w := newWorld(t, "sqlite", fake.Options{NoFlood: true}, script)
	w.env = append(w.env, "TALARIA_MODEL_API_KEY="+key, "TALARIA_LOG_LEVEL=debug")
	p := w.serve()
	w.say(1000)
	w.say(1001) // the model refuses the key
	w.spoke(1000, 1)
	w.spoke(1001, 1)
	w.telegram.Break(fake.Fault{Method: "sendMessage", Times: 2, Code: 500, Description: "Internal Server Error"})
	w.say(1000)
	w.spoke(1000, 2)
	p.kill()
	p = w.serve()
	w.say(1000)
	w.spoke(1000, 3)
	w.telegram.Close() // the platform is gone: every call fails with its URL in the error
	p.stop()

	token := w.telegram.Token()
	_, secret, _ := strings.Cut(token, ":")
	for _, canary := range []string{key, secret} {
		for _, spelling := range spellings(canary) {
			lookFor(t, w.dir, spelling)
		}
	}
	for _, m := range append(w.telegram.Messages(1000), w.telegram.Messages(1001)...) {
		if strings.Contains(m.Text, key) || strings.Contains(m.Text, secret) {
			t.Errorf("a secret was said: %q", m.Text)
		}
	}
}

// spoke waits until the bot has said a number of things in a chat.
func (w *world) spoke(chat int64, n int) {
	w.tb.Helper()
	ctx, cancel := context.WithTimeout(w.tb.Context(), 3*time.Minute)
	defer cancel()
	err := w.telegram.Await(ctx, func() bool {
		said := 0
		for _, m := range w.telegram.Sent(chat) {
			if m.Text != "…" {
				said++
			}
		}
		return said >= n
	})
	if err != nil {
		w.tb.Fatalf("the bot did not say %d things in chat %d: %v\n%s", n, chat, err, w.lastLog())
	}
}

// spellings are the forms in which a secret may slip out.
func spellings(s string) []string {
	return []string{
		s, url.QueryEscape(s), url.PathEscape(s), hex.EncodeToString([]byte(s)),
		strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(s)), "="),
		base64.RawURLEncoding.EncodeToString([]byte(s)),
	}
}

func lookFor(t *testing.T, dir, spelling string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(spelling)) {
			t.Errorf("%s holds a secret, spelled %q", filepath.Base(path), spelling)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
