package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"talaria/storage"
	"talaria/storage/sqlite"
)

func TestStoreIsCheckedBackedUpAndRestored(t *testing.T) {
	from, to := newShell(t), newShell(t)
	if _, stderr, code := from.run("doctor"); code != 0 { // makes the store
		t.Fatal(stderr)
	}
	out, _, code := from.run("store", "check")
	if code != 0 || !strings.HasSuffix(out, "state       sound\n") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	file := filepath.Join(from.dir, "backup")
	if out, stderr, code := from.run("store", "backup", file); code != 0 || !strings.HasPrefix(out, file+": ") {
		t.Errorf("exit code %d: %s%s", code, out, stderr)
	}
	if out, stderr, code := to.run("store", "restore", file); code != 0 || !strings.Contains(out, "talaria store live") {
		t.Errorf("exit code %d: %s%s", code, out, stderr)
	}
	if _, stderr, code := to.run("store", "restore", file); code != 1 || !strings.Contains(stderr, "the store is not empty; name a new one") {
		t.Errorf("restored over a store: exit code %d: %s", code, stderr)
	}
	for _, looks := range [][]string{{"doctor"}, {"store", "check"}} {
		if out, _, code := to.run(looks...); code != 0 || !strings.Contains(out, "talaria store live") {
			t.Errorf("%v does not tell: exit code %d:\n%s", looks, code, out)
		}
	}
	if _, stderr, code := to.run("store", "live"); code != 0 {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

func TestDamagedStoreIsTold(t *testing.T) {
	s := newShell(t)
	s.write("t.db", strings.Repeat("no database ", 1000))
	_, stderr, code := s.run("store", "check")
	if code != 1 || !strings.Contains(stderr, "t.db") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

func TestStoreCommandsTellWhatHelps(t *testing.T) {
	s := newShell(t)
	if _, stderr, code := s.run("doctor"); code != 0 { // makes the store
		t.Fatal(stderr)
	}
	there := s.write("there.backup", "one of yesterday")
	empty := s.write("empty.db", "")
	at := func(path string) *shell {
		return &shell{t: t, dir: s.dir, environ: append(s.environ, "TALARIA_STORAGE_URL=sqlite:"+path)}
	}
	none := filepath.Join(s.dir, "none", "t.db")
	for name, c := range map[string]struct {
		shell *shell
		args  []string
		code  int
		want  string // how the one line on standard error begins
	}{
		"no store": {at(none), []string{"store", "check"}, 1,
			"there is no store at " + none + "; name the bot's in [storage] url or TALARIA_STORAGE_URL, or run talaria in the folder where the bot runs"},
		"an empty file": {at(empty), []string{"store", "check"}, 1,
			`open store "` + empty + `": store damaged: the file is empty; stop`},
		"a folder": {at(s.dir), []string{"store", "check"}, 1,
			`open store "` + s.dir + `": refused: it is a folder; name a file`},
		"a file where the folder should be": {at(filepath.Join(there, "t.db")), []string{"store", "check"}, 1,
			"make the data folder: mkdir " + there + ": not a directory; let the user who runs Talaria write there, or name another place in [storage] url"},
		"a backup over a file": {s, []string{"store", "backup", there}, 1,
			"back up: " + there + " is there already; name a file that is not, or move that one away"},
		"a backup into no folder": {s, []string{"store", "backup", none}, 1,
			"back up: open " + none + ": no such file or directory; name a file in a folder that is there and that you may write to"},
		"no backup": {s, []string{"store", "restore", none}, 2,
			"restore: open " + none + ": no such file or directory; name a file that talaria store backup wrote"},
	} {
		_, stderr, code := c.shell.run(c.args...)
		if want := "talaria: " + c.want; code != c.code || !strings.HasPrefix(stderr, want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: exit code %d, told\n%swant\n%s", name, code, stderr, want)
		}
	}
	if left, err := os.ReadFile(there); err != nil || string(left) != "one of yesterday" {
		t.Errorf("the file that was there is %q: %v", left, err)
	}
}

func TestAHalfRestoredStoreIsToldAndMended(t *testing.T) {
	from, to := newShell(t), newShell(t)
	from.run("doctor") // makes the store
	file := filepath.Join(from.dir, "backup")
	if _, stderr, code := from.run("store", "backup", file); code != 0 {
		t.Fatal(stderr)
	}
	halfRestore(t, file, filepath.Join(to.dir, "t.db"))

	const remedy = "talaria store restore FILE --again"
	for _, args := range [][]string{{"store", "check"}, {"doctor"}, {"store", "live"}, {"serve"}, {"store", "restore", file}} {
		if out, stderr, code := to.run(args...); code != 1 || !strings.Contains(out+stderr, "did not finish") || !strings.Contains(out+stderr, remedy) {
			t.Errorf("%v: exit code %d: %s%s", args, code, out, stderr)
		}
	}
	for _, args := range [][]string{{"store", "restore", file, "--again"}, {"store", "check"}, {"store", "live"}, {"doctor"}} {
		if out, stderr, code := to.run(args...); code != 0 {
			t.Errorf("%v: exit code %d: %s%s", args, code, out, stderr)
		}
	}
}

// halfRestore leaves a store as a restore that was killed does.
func halfRestore(t *testing.T, file, path string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	d, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, killed := storage.New(d), errors.New("killed")
	defer s.Close()
	if _, err := storage.Restore(t.Context(), s, bytes.NewReader(data), func(storage.Report) error { return killed }); !errors.Is(err, killed) {
		t.Fatal(err)
	}
}
