package control_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"talaria/gateway/control"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var quiet = slog.New(slog.DiscardHandler)

// serve answers on a socket until the returned function, or the test, ends it.
func serve(t *testing.T, path string, h control.Handler) (stop func()) {
	t.Helper()
	s, err := control.Listen(t.Context(), path, h, quiet)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	stop = func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		done <- nil
	}
	t.Cleanup(stop)
	return stop
}

func dial(t *testing.T, path string) *control.Client {
	t.Helper()
	c, err := control.Dial(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

type greeting struct{ Name string }

func greet(_ context.Context, r control.Request) (any, error) {
	var g greeting
	if err := r.Decode(&g); err != nil {
		return nil, err
	}
	if r.Verb != "greet" {
		return nil, errors.New("no such verb")
	}
	return "hello " + g.Name, nil
}

func TestCall(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.sock")
	serve(t, path, greet)
	c := dial(t, path)
	for _, name := range []string{"Anna", "Łukasz", strings.Repeat("x", 1<<20)} {
		var got string
		if err := c.Call(t.Context(), "greet", greeting{name}, &got); err != nil || got != "hello "+name {
			t.Errorf("answer of %d bytes, error %v", len(got), err)
		}
	}
	err := c.Call(t.Context(), "dance", greeting{}, nil)
	if refused, ok := errors.AsType[*control.RefusedError](err); !ok || refused.Text != "no such verb" {
		t.Errorf("error = %v", err)
	}
	if err := c.Call(t.Context(), "greet", greeting{"again"}, nil); err != nil {
		t.Errorf("after a refusal: %v", err)
	}
}

func TestSocketIsForTheSameUser(t *testing.T) {
	path := filepath.Join(t.TempDir(), "dir", "t.sock")
	serve(t, path, greet)
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, error %v", info.Mode(), err)
	}
}

func TestNobodyListens(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.sock")
	if _, err := control.Dial(t.Context(), path); !errors.Is(err, control.ErrNotRunning) {
		t.Errorf("error = %v", err)
	}
}

func TestSocketInUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.sock")
	serve(t, path, greet)
	if _, err := control.Listen(t.Context(), path, greet, quiet); !errors.Is(err, control.ErrInUse) {
		t.Errorf("error = %v", err)
	}
}

func TestSocketOfADeadProcessIsReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.sock")
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	if err != nil {
		t.Fatal(err)
	}
	dead.SetUnlinkOnClose(false)
	dead.Close()
	serve(t, path, greet)
	if err := dial(t, path).Call(t.Context(), "greet", greeting{}, nil); err != nil {
		t.Error(err)
	}
}

func TestFileThatIsNoSocketIsLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.sock")
	if err := os.WriteFile(path, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := control.Listen(t.Context(), path, greet, quiet); err == nil {
		s.Close()
		t.Error("took a path that holds a file")
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "precious" {
		t.Errorf("the file holds %q, error %v", data, err)
	}
}

func TestSocketIsGoneAfterServing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.sock")
	serve(t, path, greet)()
	if _, err := control.Dial(t.Context(), path); !errors.Is(err, control.ErrNotRunning) {
		t.Errorf("error = %v", err)
	}
}

func TestLongPath(t *testing.T) {
	t.Setenv("TMPDIR", "/tmp")
	path := filepath.Join(t.TempDir(), strings.Repeat("d", 120), "t.sock")
	serve(t, path, greet)
	if err := dial(t, path).Call(t.Context(), "greet", greeting{}, nil); err != nil {
		t.Error(err)
	}
}

// waiting is a handler that tells when it began and returns when its context
// ends.
func waiting(begun, ended chan<- struct{}) control.Handler {
	return func(ctx context.Context, _ control.Request) (any, error) {
		begun <- struct{}{}
		<-ctx.Done()
		ended <- struct{}{}
		return nil, ctx.Err()
	}
}

func TestRequestEndsWhenTheAskerGoesAway(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.sock")
	begun, ended := make(chan struct{}), make(chan struct{})
	serve(t, path, waiting(begun, ended))
	ctx, cancel := context.WithCancel(t.Context())
	c := dial(t, path)
	asked := make(chan error, 1)
	go func() { asked <- c.Call(ctx, "wait", nil, nil) }()
	<-begun
	cancel()
	if err := <-asked; !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v", err)
	}
	c.Close()
	<-ended
}

func TestRequestEndsWhenTheServerStops(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.sock")
	begun, ended := make(chan struct{}), make(chan struct{}, 1)
	stop := serve(t, path, waiting(begun, ended))
	c := dial(t, path)
	asked := make(chan error, 1)
	go func() { asked <- c.Call(t.Context(), "wait", nil, nil) }()
	<-begun
	stop()
	<-ended
	if err := <-asked; err == nil {
		t.Error("a request that was cut off was no error")
	}
}

func TestWhatIsNoRequestEndsTheConnection(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.sock")
	serve(t, path, greet)
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Write([]byte("GET / HTTP/1.1\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	if n, err := c.Read(make([]byte, 1)); err == nil {
		t.Errorf("read %d bytes of an answer", n)
	}
}
