package console

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
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

// Left implements lineReader.
func (Typed) Left() <-chan struct{} { return nil }

// Remember implements lineReader.
func (Typed) Remember(string) {}

// Close implements lineReader.
func (Typed) Close() error { return nil }

// NewTestTerminal is a Terminal that reads from typed and draws on w.
func NewTestTerminal(o TerminalOptions, typed lineReader, w io.Writer, columns, rows int) *Terminal {
	t := newTerminal(o, w, func() (int, int) { return columns, rows })
	t.open = func() (lineReader, error) { return typed, nil }
	return t
}

// TypedAhead is a Typed whose person presses Ctrl-D while they wait.
type TypedAhead struct {
	Typed
	Leave chan struct{}
}

// Left implements lineReader.
func (t TypedAhead) Left() <-chan struct{} { return t.Leave }

// ReadMessage reads one message from typed.
func ReadMessage(typed Typed) (string, error) { return readMessage(typed) }

// Pasted is what the editor's keys become of what a terminal sends in pieces.
func Pasted(pieces ...string) string {
	var p pastes
	var out strings.Builder
	for _, piece := range pieces {
		out.Write(p.keys([]byte(piece)))
	}
	return out.String()
}

// Written is the text of an editor's line.
var Written = written

// Read returns the messages that an editor reads of what a terminal sends, and
// what it wrote to the terminal.
func Read(sent string) (messages []string, wrote string, err error) {
	var out strings.Builder
	e, err := newEditor(strings.NewReader(sent), &out, "", chat.Menu{})
	if err != nil {
		return nil, "", err
	}
	for {
		text, err := readMessage(e)
		if err != nil {
			err = e.Close()
			return messages, out.String(), err
		}
		messages = append(messages, text)
	}
}

// Keyboard is a keyboard whose editor wants lines one by one.
type Keyboard struct {
	k    *keyboard
	keys *bufio.Reader
}

// NewKeyboard has what is typed come from in.
func NewKeyboard(in io.Reader) (*Keyboard, error) {
	r, w, err := os.Pipe()
	k := &Keyboard{newKeyboard(w), bufio.NewReader(r)}
	go k.k.listen(in)
	return k, err
}

// Line is the next line that an editor gets.
func (k *Keyboard) Line() (string, error) {
	k.k.want()
	return k.keys.ReadString('\n')
}

// Left tells of Ctrl-D.
func (k *Keyboard) Left() <-chan struct{} { return k.k.left }

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
	e, err := newEditor(strings.NewReader(""), io.Discard, historyIn(folder), chat.Menu{})
	if err != nil {
		return "", err
	}
	for _, l := range lines {
		e.Remember(l)
	}
	do()
	e.follow()
	var b strings.Builder
	_, err = e.state.WriteHistory(&b)
	return b.String(), errors.Join(err, e.Close())
}
