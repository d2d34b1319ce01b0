package isolation_test

import (
	"bufio"
	"context"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"talaria/adapters/console"
	"talaria/core/chat"
	"talaria/gateway/app"
	"talaria/gateway/config"
)

// desk is somebody at the terminal of the running program.
type desk struct {
	t    *testing.T
	in   io.Writer
	out  *bufio.Scanner
	stop func()
}

// sitDown runs the program with a terminal alone, and its store in a folder.
func sitDown(t *testing.T, dir string) *desk {
	t.Helper()
	cfg, _, err := config.Load("", []string{"TALARIA_WEB_LISTEN=off", "TALARIA_STORAGE_URL=sqlite:" + filepath.Join(dir, "t.db")})
	if err != nil {
		t.Fatal(err)
	}
	typed, in := io.Pipe()
	shown, out := io.Pipe()
	log := slog.New(slog.DiscardHandler)
	over := make(chan error, 1)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	go func() {
		err := live(ctx, app.Options{Config: cfg, Log: log, Console: func(idle func(context.Context) error, blobs app.Blobs) chat.Adapter {
			return console.NewPipe(typed, out, console.Options{Idle: idle, OpenBlob: blobs, Folder: cfg.Storage.Local(), Log: log})
		}})
		_ = out.Close()
		over <- err
	}()
	return &desk{t, in, bufio.NewScanner(shown), func() {
		_ = in.Close()
		_, _ = io.Copy(io.Discard, shown)
		if err := <-over; err != nil {
			t.Error(err)
		}
		cancel()
	}}
}

// types types a line and reads until something fits.
func (d *desk) types(line, pattern string) []string {
	d.t.Helper()
	if _, err := io.WriteString(d.in, line+"\n"); err != nil {
		d.t.Fatal(err)
	}
	fits := regexp.MustCompile(pattern)
	for d.out.Scan() {
		if found := fits.FindStringSubmatch(d.out.Text()); found != nil {
			return found
		}
	}
	d.t.Fatalf("nothing like %q after %q", pattern, line)
	return nil
}

// An export was sent to the terminal, and what was typed at another time is in
// its history: both lie outside of the store.
func TestForgottenPersonLeavesNothingAtTheTerminal(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "history"), []byte("my word is "+mine+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := sitDown(t, dir)
	d.types("/memory add my codeword is "+mine, "Noted")
	d.types("/export", `about-me\.zip`)
	code := d.types("/forget me", `/forget me ([a-z0-9]{8})`)[1]
	d.types("/forget me "+code, "You are forgotten")
	d.stop()
	left := []string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), mine) || strings.HasSuffix(path, ".zip") {
			left = append(left, path)
		}
		return err
	})
	if err != nil || len(left) > 0 {
		t.Errorf("left in %v, %v", left, err)
	}
}
