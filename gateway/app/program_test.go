package app_test

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"talaria/gateway/app"
	"talaria/gateway/config"
	"talaria/storage"
	"talaria/storage/teststore"
)

// loop is somebody who talks to the program.
type loop struct {
	*testing.T
	private
	platform string
	from     int // what was said before is not heard again
}

// program is run from one day to the next on one store, by several people who
// talk to it at the same time, each on a platform of their own.
type program struct {
	url     string
	environ []string
	people  map[string]*loop
}

// newProgram is one for a person on each of some platforms.
func newProgram(t *testing.T, platforms map[string]func(t *testing.T) private, environ ...string) *program {
	p := &program{url: "sqlite:" + filepath.Join(t.TempDir(), "t.db"), people: map[string]*loop{}}
	p.environ = append(environ, "TALARIA_WEB_LISTEN=off", "TALARIA_STORAGE_URL="+p.url, "TALARIA_LEARNING_REFLECTION_QUIET=1s")
	var admins []string
	for name, open := range platforms {
		l := &loop{private: open(t), platform: name}
		p.people[name] = l
		p.environ, admins = append(p.environ, l.environ...), append(admins, l.admin)
	}
	p.environ = append(p.environ, "TALARIA_PEOPLE_ADMINS="+strings.Join(admins, ","))
	return p
}

// day runs the program as long as everybody's part takes, so long after the
// first day.
func (p *program) day(t *testing.T, name string, later time.Duration, part func(l *loop)) {
	t.Helper()
	if t.Failed() {
		return // of what the days before did not do
	}
	cfg, _, err := config.Load("", p.environ)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	over, ready := make(chan error, 1), make(chan struct{})
	go func() {
		over <- live(ctx, app.Options{Config: cfg, Log: slog.New(slog.DiscardHandler), ClockAhead: later, Ready: func() { close(ready) }})
	}()
	defer func() {
		stop()
		if err := <-over; err != nil {
			t.Errorf("the program ended with %v", err)
		}
	}()
	<-ready
	t.Run(name, func(t *testing.T) {
		for platform, l := range p.people {
			t.Run(platform, func(t *testing.T) {
				t.Parallel()
				l.T = t
				if l.up != nil {
					if err := l.await(ctx, l.up); err != nil {
						t.Fatal(err)
					}
				}
				part(l)
				for _, b := range l.breaches() {
					t.Error(b)
				}
			})
		}
	})
}

// then is the store some time after the first day.
func (p *program) then(t *testing.T, later time.Duration, use func(s *storage.Store)) {
	t.Helper()
	s := teststore.Open(t, strings.TrimPrefix(p.url, "sqlite:"), later)
	defer s.Close()
	use(s)
}

// hears waits for something new from the bot and returns which message it is.
func (l *loop) hears(pattern string) int {
	l.Helper()
	fits := regexp.MustCompile("(?s)" + pattern)
	ctx, cancel := context.WithTimeout(l.Context(), 3*time.Minute)
	defer cancel()
	found := -1
	err := l.await(ctx, func() bool {
		for n, text := range l.said() {
			if n >= l.from && fits.MatchString(text) {
				found = n
			}
		}
		return found >= 0
	})
	if err != nil {
		l.Fatalf("nothing like %q was said; said:\n%s", pattern, strings.Join(l.said(), "\n----\n"))
	}
	return found
}

// presses presses a button under the latest message that fits.
func (l *loop) presses(pattern, label, becomes string) {
	l.Helper()
	l.from = l.hears(pattern)
	l.press(l.from, label)
	l.hears(becomes)
}

// asks says something and waits for what is answered.
func (l *loop) asks(text, pattern string) {
	l.Helper()
	l.from = len(l.said())
	l.say(text)
	l.hears(pattern)
}

func (l *loop) orders(line, pattern string) {
	l.Helper()
	l.from = len(l.said())
	l.command(line)
	l.hears(pattern)
}

// live puts the program together, runs it until ctx ends, and takes it apart.
func live(ctx context.Context, o app.Options) error {
	a, err := app.New(ctx, o)
	if err != nil {
		return err
	}
	return errors.Join(a.Run(ctx), a.Close())
}
