package console

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/peterh/liner"

	"talaria/core/chat"
)

// errInterrupted: Ctrl-C was pressed while a line was being typed.
var errInterrupted = errors.New("interrupted")

const (
	morePrompt = ". "
	fence      = `"""`
)

// lineReader reads single lines from a person.
type lineReader interface {
	// Line returns io.EOF at the end of input, or errInterrupted.
	Line(prompt string) (string, error)
	// Left tells of a Ctrl-D that was pressed on an empty line while no Line
	// was under way.
	Left() <-chan struct{}
	// Remember adds a message to the history.
	Remember(message string)
	// Close ends a Line that is under way like the end of input.
	Close() error
}

// readMessage reads one message: a line, lines that end with "\", or the
// lines between two of """.
func readMessage(r lineReader) (string, error) {
	text, err := r.Line(prompt)
	if err != nil {
		return "", err
	}
	if strings.TrimSpace(text) == fence {
		return readBlock(r)
	}
	for strings.HasSuffix(text, `\`) {
		next, err := r.Line(morePrompt)
		if err != nil {
			return "", err
		}
		text = strings.TrimSuffix(text, `\`) + "\n" + next
	}
	r.Remember(text)
	return text, nil
}

func readBlock(r lineReader) (string, error) {
	var lines []string
	for {
		next, err := r.Line(morePrompt)
		if err != nil {
			return "", err
		}
		if strings.TrimSpace(next) == fence {
			text := strings.Join(lines, "\n")
			r.Remember(text)
			return text, nil
		}
		lines = append(lines, next)
	}
}

// editor is a lineReader over liner. Its history is the file's at every moment,
// so that who erases the file has erased the history, see [Erase].
type editor struct {
	keys    *keyboard
	out     io.Writer // the terminal
	history string    // path; empty: none is kept
	kept    error     // of the last line

	reading sync.Mutex // held while a line is read
	state   *liner.State
	typed   *os.File // what state reads
}

// newEditor takes over the terminal until Close: what is typed there comes from
// in. A history that can't be read is an empty one.
func newEditor(in io.Reader, out io.Writer, history string, menu chat.Menu) (*editor, error) {
	typed, keys, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("take over the terminal: %w", err)
	}
	e := &editor{keys: newKeyboard(keys), out: out, history: history, state: newLiner(typed), typed: typed}
	e.state.SetCtrlCAborts(true)
	e.state.SetMultiLineMode(true)
	e.state.SetCompleter(func(typed string) []string { return complete(menu, typed) })
	if f, err := os.Open(history); err == nil {
		_, _ = e.state.ReadHistory(f)
		f.Close()
	}
	_, _ = io.WriteString(out, bracketsOn) // a terminal that is gone ends the reading, too
	go e.keys.listen(in)
	return e, nil
}

// newLiner makes a liner that reads keys from a file, and not from the terminal
// that it sets up: it reads what os.Stdin is when it is made.
func newLiner(keys *os.File) *liner.State {
	defer func(stdin *os.File) { os.Stdin = stdin }(os.Stdin)
	os.Stdin = keys
	return liner.NewLiner()
}

// Line implements lineReader.
func (e *editor) Line(prompt string) (string, error) {
	e.reading.Lock()
	defer e.reading.Unlock()
	if e.history != "" {
		e.follow()
	}
	e.keys.want()
	text, err := e.state.Prompt(prompt)
	if errors.Is(err, liner.ErrPromptAborted) {
		return "", errInterrupted
	}
	return written(text), err
}

// Left implements lineReader.
func (e *editor) Left() <-chan struct{} { return e.keys.left }

// Remember implements lineReader.
func (e *editor) Remember(message string) {
	if strings.TrimSpace(message) == "" {
		return
	}
	e.state.AppendHistory(pictured(message))
	e.kept = e.save()
}

// follow drops what the file no longer holds: who erased it meant these lines
// too.
func (e *editor) follow() {
	if _, err := os.Stat(e.history); errors.Is(err, fs.ErrNotExist) {
		e.state.ClearHistory()
	}
}

// Close gives the terminal back. It returns why the last line was not kept.
func (e *editor) Close() error {
	_ = e.keys.editor.Close() // it is closed already at the end of input
	e.reading.Lock()          // liner sets the terminal's mode once more when a line ends
	defer e.reading.Unlock()
	_, _ = io.WriteString(e.out, bracketsOff)
	return errors.Join(e.state.Close(), e.typed.Close(), e.kept)
}

// save keeps the history for its owner alone.
func (e *editor) save() error {
	if e.history == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(e.history), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(e.history, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = e.state.WriteHistory(f)
	return errors.Join(err, f.Close())
}

// complete returns the commands that begin with what was typed.
func complete(menu chat.Menu, typed string) []string {
	name, ok := strings.CutPrefix(typed, "/")
	if !ok {
		return nil
	}
	var out []string
	for _, c := range menu.Commands {
		if strings.HasPrefix(c.Name, strings.ToLower(name)) {
			out = append(out, "/"+c.Name+" ")
		}
	}
	return out
}
