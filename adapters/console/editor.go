package console

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

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
	// Remember adds a message to the history.
	Remember(message string)
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
			return strings.Join(lines, "\n"), nil
		}
		lines = append(lines, next)
	}
}

// editor is a lineReader over liner. Its history is the file's at every moment,
// so that who erases the file has erased the history, see [Erase].
type editor struct {
	state   *liner.State
	history string // path; empty: none is kept
	kept    error  // of the last line
}

// newEditor takes over the terminal until Close. A history that can't be read
// is an empty one.
func newEditor(history string, menu chat.Menu) *editor {
	e := &editor{state: liner.NewLiner(), history: history}
	e.state.SetCtrlCAborts(true)
	e.state.SetCompleter(func(typed string) []string { return complete(menu, typed) })
	if f, err := os.Open(history); err == nil {
		_, _ = e.state.ReadHistory(f)
		f.Close()
	}
	return e
}

// Line implements lineReader.
func (e *editor) Line(prompt string) (string, error) {
	if e.history != "" {
		e.follow()
	}
	text, err := e.state.Prompt(prompt)
	if errors.Is(err, liner.ErrPromptAborted) {
		return "", errInterrupted
	}
	return text, err
}

// Remember implements lineReader. A message of several lines can't be edited
// as one line and is left out.
func (e *editor) Remember(message string) {
	if strings.TrimSpace(message) == "" || strings.Contains(message, "\n") {
		return
	}
	e.state.AppendHistory(message)
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
func (e *editor) Close() error { return errors.Join(e.state.Close(), e.kept) }

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
