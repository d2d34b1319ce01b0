package console

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"talaria/core/chat"
)

// Typed is what a test's person types; a closed channel is the end of input.
type Typed chan string

// Interrupt in a Typed is Ctrl-C.
const Interrupt = "\x03"

// Line implements lineReader.
func (t Typed) Line(string) (string, error) {
	text, ok := <-t
	switch {
	case !ok:
		return "", io.EOF
	case text == Interrupt:
		return "", errInterrupted
	}
	return text, nil
}

// Remember implements lineReader.
func (Typed) Remember(string) {}

// Close implements lineReader.
func (Typed) Close() error { return nil }

// NewTestTerminal is a Terminal that reads from typed and draws on w.
func NewTestTerminal(o TerminalOptions, typed Typed, w io.Writer, columns, rows int) *Terminal {
	t := newTerminal(o, w, func() (int, int) { return columns, rows })
	t.open = func() lineReader { return typed }
	return t
}

// ReadMessage reads one message from typed.
func ReadMessage(typed Typed) (string, error) { return readMessage(typed) }

// Complete is the completion of commands.
var Complete = complete

// Count is how many messages have an id.
func (p *Pipe) Count() int {
	p.typist.mu.Lock()
	defer p.typist.mu.Unlock()
	return p.typist.count
}

// ID is the id of the n-th message, counted from 1.
func (p *Pipe) ID(n int) string { return fmt.Sprintf("%s-%d", p.typist.run, n) }

// History is what an editor whose history lies in a folder offers after lines were
// typed and do was done.
func History(folder string, do func(), lines ...string) (string, error) {
	e := newEditor(historyIn(folder), chat.Menu{})
	for _, l := range lines {
		e.Remember(l)
	}
	do()
	e.follow()
	var b strings.Builder
	_, err := e.state.WriteHistory(&b)
	return b.String(), errors.Join(err, e.Close())
}
