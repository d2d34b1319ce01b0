package isolation_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	fake "talaria/adapters/fake/telegram"
	"talaria/core/model/modeltest"
	"talaria/gateway/app"
	"talaria/gateway/config"
	"talaria/storage"
	"talaria/storage/redis/redistest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// long reports whether the long forms were asked for.
func long() bool { return os.Getenv("TALARIA_TORTURE") != "" }

// onBothStores runs a test on an embedded store and on a Redis server.
func onBothStores(t *testing.T, f func(t *testing.T, storeURL string)) {
	t.Run("sqlite", func(t *testing.T) { f(t, "sqlite:"+filepath.Join(t.TempDir(), "t.db")) })
	t.Run("redis", func(t *testing.T) { f(t, redistest.Start(t, redistest.Options{}).URL()) })
}

// world is the running program with what surrounds it.
type world struct {
	t        *testing.T
	cfg      config.Config
	telegram *fake.Server
	log      *journal
	stop     func()
}

// journal is what the program logged.
type journal struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.all.Write(p)
}

func (j *journal) holds(words string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return bytes.Contains(j.all.Bytes(), []byte(words))
}

// admin may let the bot into groups.
const admin = 1

// newWorld runs the program, with more variables where these are given.
// Everybody may talk to it.
func newWorld(t *testing.T, storeURL string, script modeltest.Script, more ...string) *world {
	t.Helper()
	w := &world{t: t, telegram: fake.New(t, fake.Options{NoFlood: true}), log: &journal{}}
	model := modeltest.Start(script, modeltest.Options{Keep: -1})
	t.Cleanup(model.Close)
	cfg, _, err := config.Load("", append([]string{
		"TALARIA_ADAPTERS_TELEGRAM_TOKEN=" + w.telegram.Token(), "TALARIA_ADAPTERS_TELEGRAM_API_URL=" + w.telegram.URL(),
		"TALARIA_ADAPTERS_TELEGRAM_PEOPLE=*", "TALARIA_ADAPTERS_TELEGRAM_DELIVERY=plain", "TALARIA_PEOPLE_ADMINS=telegram:1",
		"TALARIA_WEB_LISTEN=off", "TALARIA_STORAGE_URL=" + storeURL, "TALARIA_STORAGE_DIR=" + t.TempDir(),
		"TALARIA_MODEL_PROVIDER=openai", "TALARIA_MODEL_BASE_URL=" + model.URL() + "/v1", "TALARIA_MODEL_API_KEY=scripted",
		"TALARIA_MODEL_NAME=scripted", "TALARIA_LIMITS_DAILY_TOKENS_PER_PERSON=0",
	}, more...))
	if err != nil {
		t.Fatal(err)
	}
	w.cfg = cfg
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan error, 1)
	log := slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	go func() { over <- live(ctx, app.Options{Config: cfg, Log: log}) }()
	w.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-over; err != nil {
			t.Errorf("the program ended with %v", err)
		}
	})
	t.Cleanup(w.stop)
	return w
}

// store opens the program's store beside it.
func (w *world) store() *storage.Store {
	w.t.Helper()
	s, err := app.OpenStore(w.t.Context(), w.cfg.Storage)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = s.Close() })
	return s
}

// hears waits until the bot has said something that fits in a chat, not
// counting the first so many messages.
func (w *world) hears(chat int64, after int, pattern string) string {
	w.t.Helper()
	fits := regexp.MustCompile(pattern)
	ctx, cancel := context.WithTimeout(w.t.Context(), 3*time.Minute)
	defer cancel()
	var found string
	err := w.telegram.Await(ctx, func() bool {
		for _, m := range w.said(chat, after) {
			if fits.MatchString(m) {
				found = m
			}
		}
		return found != ""
	})
	if err != nil {
		w.t.Fatalf("nothing like %q was said in chat %d; said: %q", pattern, chat, w.said(chat, 0))
	}
	return found
}

// asks says something and waits for the next answer that fits.
func (w *world) asks(user, chat int64, text, pattern string) string {
	w.t.Helper()
	n := len(w.said(chat, 0))
	w.telegram.Say(user, chat, text)
	return w.hears(chat, n, pattern)
}

func (w *world) said(chat int64, after int) (texts []string) {
	for n, m := range w.telegram.Sent(chat) {
		if n >= after {
			texts = append(texts, m.Text)
		}
	}
	return texts
}

// live puts the program together, runs it until ctx ends, and takes it apart.
func live(ctx context.Context, o app.Options) error {
	a, err := app.New(ctx, o)
	if err != nil {
		return err
	}
	return errors.Join(a.Run(ctx), a.Close())
}
