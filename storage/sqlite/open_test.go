package sqlite_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"talaria/storage"
	"talaria/storage/sqlite"
)

var shard = storage.Shard(1)

// put is a batch with one document.
func put(key, value string) storage.Ops {
	return storage.Ops{Partition: shard, Ops: []storage.Op{{Put: &storage.PutOp{
		Ref: storage.Ref{Collection: "c", Key: key}, Value: []byte(value), Expect: storage.Any}}}}
}

func write(t testing.TB, d *sqlite.Driver, ops storage.Ops) {
	t.Helper()
	if _, err := d.Apply(t.Context(), ops); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, d *sqlite.Driver, key string) string {
	t.Helper()
	docs, err := d.Get(t.Context(), shard, storage.Ref{Collection: "c", Key: key})
	if err != nil || len(docs) != 1 {
		t.Fatalf("%d documents %q, %v", len(docs), key, err)
	}
	return string(docs[0].Value)
}

// files are the names in a folder.
func files(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestNewStoreIsOneFileForItsOwnerAlone(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "store.db")
	d := open(t, path, sqlite.Options{})
	write(t, d, put("k", "v"))
	for _, name := range files(t, dir) {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != 0o600 {
			t.Errorf("%s has mode %v", name, info.Mode())
		}
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"store.db"}, files(t, dir)); diff != "" {
		t.Error("after closing:", diff)
	}
}

func TestAwkwardPaths(t *testing.T) {
	for _, name := range []string{"with space.db", "a?b.db", "a#b.db", "a%41b.db", "日本.db", "file:x.db", "a&b=c.db", "-wal"} {
		dir := t.TempDir()
		d := open(t, filepath.Join(dir, name), sqlite.Options{})
		write(t, d, put("k", name))
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{name}, files(t, dir)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if got := read(t, open(t, filepath.Join(dir, name), sqlite.Options{}), "k"); got != name {
			t.Errorf("%s holds %q", name, got)
		}
	}
}

func TestRelativePath(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, open(t, "store.db", sqlite.Options{}), put("k", "v"))
	if _, err := os.Stat("store.db"); err != nil {
		t.Error(err)
	}
}

func TestWhatCantBeOpenedIsNamedWithARemedy(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	newer := filepath.Join(dir, "newer.db")
	script(t, newer, "PRAGMA user_version = 99")
	foreign := filepath.Join(dir, "foreign.db")
	script(t, foreign, "PRAGMA application_id = 7")
	file("lost.db-wal", "what is left of a store")

	for name, c := range map[string]struct {
		path   string
		want   error
		remedy string
	}{
		"folder missing":         {filepath.Join(dir, "none", "store.db"), storage.ErrUnavailable, "make the folder"},
		"a folder":               {dir, storage.ErrInvalid, "name a file"},
		"a file as a folder":     {filepath.Join(file("plain", "x"), "store.db"), storage.ErrUnavailable, "plain"},
		"empty file":             {file("empty.db", ""), storage.ErrCorrupt, "restore a backup"},
		"text":                   {file("text.db", strings.Repeat("Dear diary, ", 1000)), storage.ErrCorrupt, "restore a backup"},
		"log without its file":   {filepath.Join(dir, "lost.db"), storage.ErrCorrupt, "restore a backup"},
		"another database":       {foreign, storage.ErrInvalid, "name another file"},
		"one of a newer version": {newer, storage.ErrInvalid, "newer version"},
	} {
		before := files(t, dir)
		_, err := sqlite.Open(t.Context(), c.path, sqlite.Options{})
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.remedy) || !strings.Contains(err.Error(), filepath.Base(c.path)) {
			t.Errorf("%s: %v, want %v with %q", name, err, c.want, c.remedy)
		}
		if strings.Count(err.Error(), c.want.Error()) != 1 {
			t.Errorf("%s: what is wrong is not told once: %v", name, err)
		}
		if diff := cmp.Diff(before, files(t, dir)); diff != "" {
			t.Errorf("%s: files changed: %s", name, diff)
		}
	}
}

// script makes a store and runs statements on it.
func script(t *testing.T, path, query string) {
	t.Helper()
	d := open(t, path, sqlite.Options{})
	if err := d.Script(t.Context(), query); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestManyMakeOneStoreAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			d, err := sqlite.Open(t.Context(), path, sqlite.Options{})
			if err != nil {
				t.Error(err)
				return
			}
			defer d.Close()
			_, err = d.Apply(t.Context(), storage.Ops{Partition: shard, Ops: []storage.Op{
				{Append: &storage.AppendOp{Log: "l", Values: [][]byte{nil}}}}})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	entries, err := open(t, path, sqlite.Options{}).ReadLog(t.Context(), shard, "l", 0, 100)
	if err != nil || len(entries) != 8 {
		t.Errorf("%d entries, %v", len(entries), err)
	}
}

func TestTwoDriversOnOneFileSeeAndFenceEachOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	first, second := open(t, path, sqlite.Options{}), open(t, path, sqlite.Options{})
	write(t, first, put("k", "v"))
	if got := read(t, second, "k"); got != "v" {
		t.Error(got)
	}
	fence, err := first.Acquire(t.Context(), shard, "first", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := second.Acquire(t.Context(), shard, "second", time.Hour); !errors.Is(err, storage.ErrHeld) {
		t.Error(err)
	}
	if err := second.Release(t.Context(), fence); err != nil {
		t.Fatal(err)
	}
	ops := put("k", "w")
	ops.Fence = &fence
	if _, err := first.Apply(t.Context(), ops); !errors.Is(err, storage.ErrFenced) {
		t.Error(err)
	}
}

func TestTwoDriversWriteOneFileSideBySide(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	var wg sync.WaitGroup
	for range 2 {
		d := open(t, path, sqlite.Options{})
		for range 4 {
			wg.Go(func() {
				for range 25 {
					if _, err := d.Apply(t.Context(), storage.Ops{Partition: shard, Durable: true, Ops: []storage.Op{
						{Append: &storage.AppendOp{Log: "l", Values: [][]byte{nil}}}}}); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
	}
	wg.Wait()
	entries, err := open(t, path, sqlite.Options{}).TailLog(t.Context(), shard, "l", 1)
	if err != nil || len(entries) != 1 || entries[0].Offset != 200 {
		t.Errorf("%v, %v", entries, err)
	}
}

func TestClockOffsetMovesLeases(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	now, later := open(t, path, sqlite.Options{}), open(t, path, sqlite.Options{ClockOffset: time.Hour})
	if _, err := now.Acquire(t.Context(), shard, "a", time.Minute); err != nil {
		t.Fatal(err)
	}
	if _, err := later.Acquire(t.Context(), shard, "b", time.Minute); err != nil {
		t.Error("an hour later:", err)
	}
}

func TestMemoryStoresAreApart(t *testing.T) {
	first, second := open(t, ":memory:", sqlite.Options{}), open(t, ":memory:", sqlite.Options{})
	write(t, first, put("k", "v"))
	docs, err := second.Get(t.Context(), shard, storage.Ref{Collection: "c", Key: "k"})
	if err != nil || len(docs) != 0 {
		t.Error(docs, err)
	}
}

func TestMemoryStoreServesManyAtOnce(t *testing.T) {
	d := open(t, ":memory:", sqlite.Options{})
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range 20 {
				if _, err := d.Apply(t.Context(), put("k", "v")); err != nil {
					t.Error(err)
				}
				if _, err := d.Get(t.Context(), shard, storage.Ref{Collection: "c", Key: "k"}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

// Simulations run the whole program under a clock of their own.
func TestMemoryStoreRunsUnderSimulatedTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, err := sqlite.Open(t.Context(), ":memory:", sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		if _, err := d.Acquire(t.Context(), shard, "a", time.Hour); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Hour)
		if _, err := d.Lease(t.Context(), shard); !errors.Is(err, storage.ErrNotFound) {
			t.Error("the lease did not expire:", err)
		}
	})
}

func TestMemoryStoreSaysThatNothingLasts(t *testing.T) {
	text, full, err := open(t, ":memory:", sqlite.Options{}).Durability(t.Context())
	if err != nil || full || !strings.Contains(text, "nothing survives") {
		t.Error(text, full, err)
	}
}
