package isolation_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	fake "talaria/adapters/fake/telegram"
	"talaria/core/model/modeltest"
	"talaria/gateway/app"
	"talaria/storage"
	"talaria/storage/teststore"
)

// The canaries are words that stand nowhere by chance.
const (
	mine   = "zanzibarquokka"
	others = "timbuktuocelot"
)

const (
	leaver = 7
	stayer = 8
	group  = -1005551
)

// parting has two people tell the bot their canaries in every way there is.
func parting(t *testing.T, storeURL string) *world {
	w := newWorld(t, storeURL, func(r modeltest.Request) modeltest.Answer {
		if strings.Contains(r.LastUser(), "write") && len(r.Results()) == 0 {
			return modeltest.Use(modeltest.Call{Name: "files_write", Args: `{"name":"note.txt","text":` + quoted(r.LastUser()) + `}`})
		}
		return modeltest.Text("echo: ", r.LastUser())
	})
	w.telegram.Group(group, admin, leaver, stayer)
	w.asks(admin, group, "/settings here on", "full members")
	for user, canary := range map[int64]string{leaver: mine, stayer: others} {
		w.asks(user, user, "my word is "+canary, canary)
		w.asks(user, user, "write "+canary, "echo")
		w.asks(user, user, "/memory add my codeword is "+canary, "Noted")
		w.asks(user, user, "/whoami language "+canary, canary)
		w.asks(user, group, "@"+fake.BotName+" in public "+canary, canary)
		w.asks(user, group, "/memory@"+fake.BotName+" add the public codeword is "+canary, "Noted")
	}
	return w
}

func quoted(s string) string { return `"` + strings.ReplaceAll(s, "\n", " ") + `"` }

func TestForgottenPeopleLeaveNothing(t *testing.T) {
	onBothStores(t, func(t *testing.T, storeURL string) {
		w := parting(t, storeURL)
		s := w.store()
		var backup bytes.Buffer
		if _, err := storage.Backup(t.Context(), s, &backup); err != nil {
			t.Fatal(err)
		}
		if !holds(t, backup.Bytes(), mine) {
			t.Fatal("the test looks in the wrong place: the canary is nowhere")
		}

		w.asks(leaver, group, "/forget@"+fake.BotName+" me", "direct conversation")
		w.asks(leaver, leaver, "/forget me notthecode", "not good")
		code := regexp.MustCompile(`/forget me (\S+?)(?:$|\s|` + "`" + `)`).FindStringSubmatch(w.asks(leaver, leaver, "/forget me", "/forget me [a-z0-9]{8}"))[1]
		began := time.Now()
		w.asks(leaver, leaver, "/forget me "+code, "You are forgotten")
		for found := places(t, w, s); len(found) > 0; found = places(t, w, s) {
			if time.Since(began) > 3*time.Minute {
				t.Fatalf("three minutes later the canary is still in %v: %v", found, collections(t, s))
			}
			pause(t)
		}
		t.Logf("gone after %v", time.Since(began))
		w.asks(leaver, leaver, "/forget me "+code, "done its work: you were forgotten")

		w.asks(stayer, stayer, "/search "+others, others)
		w.asks(stayer, group, "/search@"+fake.BotName+" public "+others, others)
		w.asks(stayer, stayer, "/search "+mine, "Nothing was found")
		w.stop()
		if w.log.holds(mine) {
			t.Error("the canary is in the log")
		}
		restored(t, s, backup.Bytes())
	})
}

// pause gives the program's own work some time; what is waited for is the
// state of the store, which nobody announces.
func pause(t *testing.T) {
	select {
	case <-t.Context().Done():
	case <-time.After(100 * time.Millisecond):
	}
}

// collections are the collections and logs that the canary is still in.
func collections(t *testing.T, s *storage.Store) (found []string) {
	t.Helper()
	for shard := range storage.Shards {
		err := s.Dump(t.Context(), storage.Shard(shard), func(r storage.Record) error {
			if bytes.Contains(r.Blob, []byte(mine)) {
				found = append(found, r.Kind+" "+r.Data["collection"]+" "+r.Key)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// places says where the canary still is.
func places(t *testing.T, w *world, s *storage.Store) (found []string) {
	t.Helper()
	var backup bytes.Buffer
	if _, err := storage.Backup(t.Context(), s, &backup); err != nil {
		t.Fatal(err)
	}
	if holds(t, backup.Bytes(), mine) {
		found = append(found, "the store's content")
	}
	if path, ok := w.cfg.Storage.SQLite(); ok {
		for _, f := range files(t, filepath.Dir(path)) {
			if data, err := os.ReadFile(f); err != nil || bytes.Contains(data, []byte(mine)) {
				found = append(found, f)
			}
		}
		return found
	}
	return append(found, keys(t, w.cfg.Storage.URL.Reveal())...)
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// keys are the Redis keys whose dump, uncompressed, holds the canary.
func keys(t *testing.T, url string) (found []string) {
	t.Helper()
	o, err := goredis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	c := goredis.NewClient(o)
	defer c.Close()
	if err := c.ConfigSet(t.Context(), "rdbcompression", "no").Err(); err != nil {
		t.Fatal(err)
	}
	all := c.Scan(t.Context(), 0, "*", 1000).Iterator()
	for all.Next(t.Context()) {
		dump, err := c.Dump(t.Context(), all.Val()).Result()
		if err == nil && (strings.Contains(dump, mine) || strings.Contains(all.Val(), mine)) {
			found = append(found, all.Val())
		}
	}
	if err := all.Err(); err != nil {
		t.Fatal(err)
	}
	return found
}

// holds reports whether a backup holds a canary: as text, or encoded.
func holds(t *testing.T, backup []byte, canary string) bool {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(backup))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(data, []byte(canary)) {
		return true
	}
	for _, spelling := range base64Of(canary) {
		if bytes.Contains(data, []byte(spelling)) {
			return true
		}
	}
	return false
}

// restored puts a backup from before into a new store, as the operator does,
// and looks for the canary there.
func restored(t *testing.T, from *storage.Store, backup []byte) {
	t.Helper()
	dir := t.TempDir()
	s := teststore.Open(t, filepath.Join(dir, "new.db"), 0)
	if err := storage.CopyTombstones(t.Context(), from, s); err != nil {
		t.Fatal(err)
	}
	report, err := storage.Restore(t.Context(), s, bytes.NewReader(backup), nil)
	if err != nil {
		t.Fatal(err)
	}
	n, err := app.ForgetAgain(context.Background(), s, report)
	if err != nil || n != 1 {
		t.Errorf("forgotten again: %d people, %v", n, err)
	}
	var after bytes.Buffer
	if _, err := storage.Backup(t.Context(), s, &after); err != nil {
		t.Fatal(err)
	}
	if holds(t, after.Bytes(), mine) {
		t.Error("the backup brought the canary back")
	}
	if !holds(t, after.Bytes(), others) {
		t.Error("what another person said is gone too")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, f := range files(t, dir) {
		if data, err := os.ReadFile(f); err != nil || bytes.Contains(data, []byte(mine)) {
			t.Errorf("the canary is in %s (%v)", filepath.Base(f), err)
		}
	}
}
