package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"talaria/core/chat"
)

// editPace is the least time between two edits of a growing answer: faster
// than anybody reads, slow enough not to flicker.
const editPace = 60 * time.Millisecond

// stopTime is how long somebody who leaves waits until the answer that they gave
// up is stopped: else they would be told of it the next time.
const stopTime = 2 * time.Second

// TerminalOptions are what only a terminal needs.
type TerminalOptions struct {
	Options
	// Interrupts gets a value for every Ctrl-C that is pressed while no line
	// is being read. The process's own signal handling feeds it.
	Interrupts <-chan struct{}
	// Greeting is shown first. Empty: none.
	Greeting string
	// Say puts what the terminal says by itself into the language of whoever sits
	// there. It is given formats of package fmt. nil: they stay in English.
	Say func(english string, args ...any) string
	// LogLines are what of the log comes to this terminal. nil: none does.
	LogLines *LogWriter
}

// Terminal is a console for a person.
type Terminal struct {
	o      TerminalOptions
	typist *typist
	screen *screen
	menu   chat.Menu
	reader lineReader                 // while Run runs
	open   func() (lineReader, error) // takes the terminal over
}

// NewTerminal uses the process's standard input and output, which must be a
// terminal (see Supported).
func NewTerminal(o TerminalOptions) *Terminal {
	t := newTerminal(o, os.Stdout, terminalSize)
	t.open = func() (lineReader, error) { return newEditor(os.Stdin, os.Stdout, historyIn(o.Folder), t.menu) }
	return t
}

func newTerminal(o TerminalOptions, w io.Writer, size func() (int, int)) *Terminal {
	if o.Say == nil {
		o.Say = fmt.Sprintf
	}
	return &Terminal{o: o, typist: newTypist(o.Language), screen: &screen{w: w, size: size}}
}

// Supported reports whether standard input and output are a terminal that can
// be drawn on.
func Supported() bool {
	return term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stdout.Fd())) && os.Getenv("TERM") != "dumb"
}

// Fallbacks for a terminal that does not tell its size.
const (
	usualColumns = 80
	usualRows    = 24
)

func terminalSize() (columns, rows int) {
	columns, rows, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil || columns < 1 || rows < 1 {
		return usualColumns, usualRows
	}
	return columns, rows
}

// Platform implements chat.Adapter.
func (t *Terminal) Platform() string { return Platform }

// Limits implements chat.Adapter.
func (t *Terminal) Limits() chat.Limits { return limits() }

// Render implements chat.Adapter.
func (t *Terminal) Render(p chat.Post) []chat.Part { return render(p, true) }

// UseMenu implements chat.MenuHolder: the commands that can be completed.
func (t *Terminal) UseMenu(m chat.Menu) { t.menu = m }

// Run reads messages and hands them over until the person leaves or ctx ends.
func (t *Terminal) Run(ctx context.Context, h chat.Handler) (err error) {
	if t.reader, err = t.open(); err != nil {
		return err
	}
	defer t.close()
	if t.o.LogLines != nil {
		t.o.LogLines.show(t.screen)
		defer t.o.LogLines.show(nil)
	}
	if t.o.Greeting != "" {
		t.screen.note(t.o.Greeting)
	}
	for ctx.Err() == nil {
		text, err := t.read(ctx)
		switch {
		case errors.Is(err, io.EOF), ctx.Err() != nil:
			t.screen.leave()
			return nil
		case errors.Is(err, errInterrupted):
			return nil
		case err != nil:
			return err
		case strings.TrimSpace(text) == "":
			continue
		case leaves(text):
			return nil
		}
		if first, last, wrong := t.typist.noButton(text); wrong {
			t.screen.note(t.o.Say("No button has the number %s; type one from %d to %d, or what you want to say.", strings.TrimSpace(text), first, last))
			continue
		}
		if !t.converse(ctx, h, text) {
			return nil
		}
	}
	return nil
}

// leaves reports whether somebody who typed this wants to leave: people try the
// words of other programs.
func leaves(text string) bool {
	return slices.Contains([]string{"exit", "quit", "/exit", "/quit", "退出", "/退出"}, strings.ToLower(strings.TrimSpace(text)))
}

// close gives the terminal back.
func (t *Terminal) close() {
	if err := t.reader.Close(); err != nil {
		t.o.Log.Warn("console history not kept", "error", err)
	}
}

// read asks for one message. A first Ctrl-C throws away what was typed, a
// second one right after is errInterrupted.
func (t *Terminal) read(ctx context.Context) (string, error) {
	text, err := t.readOnce(ctx)
	if !errors.Is(err, errInterrupted) {
		return text, err
	}
	t.screen.note(t.o.Say("Ctrl-C again to leave"))
	return t.readOnce(ctx)
}

func (t *Terminal) readOnce(ctx context.Context) (string, error) {
	t.screen.asking(true)
	defer t.screen.asking(false)
	read := make(chan line, 1)
	go func() {
		text, err := readMessage(t.reader)
		read <- line{text, err}
	}()
	select {
	case l := <-read:
		return l.text, l.err
	case <-t.reader.Left(): // right after the answer
		return "", io.EOF
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// converse hands a message over and waits until all is answered. It returns
// false when the person leaves meanwhile.
func (t *Terminal) converse(ctx context.Context, h chat.Handler, text string) bool {
	if err := deliver(ctx, h, t.typist.event(text)); err != nil {
		t.screen.note(t.o.Say("I could not keep this message, so nothing comes of it. Please send it again (the arrow up brings it back). %s", err))
		return true
	}
	waiting, cancel := context.WithCancel(ctx)
	idle := make(chan error, 1)
	go func() { defer close(idle); idle <- t.o.Idle(waiting) }()
	defer func() { cancel(); <-idle }()
	stopped, leaving := false, false
	for {
		select {
		case err := <-idle:
			if err != nil && ctx.Err() == nil {
				t.screen.note(err.Error())
			}
			return !leaving
		case <-t.reader.Left():
			if leaving {
				t.giveUp(ctx, h, idle)
				return false
			}
			leaving = true
			t.screen.note(t.o.Say("leaving after this answer; Ctrl-D again to leave now"))
		case <-t.o.Interrupts:
			if stopped {
				return false
			}
			stopped = true
			t.screen.note(t.o.Say("stopping; Ctrl-C again to leave"))
			t.stop(ctx, h)
		}
	}
}

// giveUp has the turn under way stopped, and waits a little until it is.
func (t *Terminal) giveUp(ctx context.Context, h chat.Handler, idle <-chan error) {
	t.stop(ctx, h)
	select {
	case <-idle:
	case <-time.After(stopTime):
	}
}

// stop asks for the end of the turn under way.
func (t *Terminal) stop(ctx context.Context, h chat.Handler) {
	if err := h.Handle(ctx, t.typist.event("/stop")); err != nil && ctx.Err() == nil {
		t.screen.note(err.Error())
	}
}

// Send implements chat.Adapter.
func (t *Terminal) Send(ctx context.Context, d chat.Delivery) (chat.Receipt, error) {
	msg, err := t.o.unpack(ctx, "write", d)
	if err != nil {
		return chat.Receipt{}, err
	}
	id, first := t.typist.shown(msg.Buttons)
	if err := t.screen.show(id, msg.numbered(first)); err != nil {
		return chat.Receipt{}, &chat.Error{Kind: chat.Gone, Op: "write", Err: err}
	}
	return chat.Receipt{Message: id, At: time.Now().UTC()}, nil
}

// Edit implements chat.Editor: in place while the message is the last one,
// below the others after that.
func (t *Terminal) Edit(ctx context.Context, d chat.Delivery) (chat.Receipt, error) {
	msg, err := t.o.unpack(ctx, "rewrite", d)
	if err != nil {
		return chat.Receipt{}, err
	}
	first := t.typist.edited(d.Message, msg.Buttons)
	if err := t.screen.replace(d.Message, msg.numbered(first)); err != nil {
		return chat.Receipt{}, &chat.Error{Kind: chat.Gone, Op: "rewrite", Err: err}
	}
	return chat.Receipt{Message: d.Message, At: time.Now().UTC()}, nil
}

// Typing implements chat.Typer.
func (t *Terminal) Typing(context.Context, chat.Address) error { return t.screen.work() }
