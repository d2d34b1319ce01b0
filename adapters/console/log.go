package console

import (
	"io"
	"strings"
	"sync"
)

// LogWriter puts a program's log beside a conversation on the same terminal: as
// lines of their own above the prompt while a [Terminal] runs, and straight to
// the writer below it before and after.
type LogWriter struct {
	mu     sync.Mutex // guards the rest
	below  io.Writer
	screen *screen // while a conversation is on
}

// NewLogWriter writes to below while there is no conversation.
func NewLogWriter(below io.Writer) *LogWriter { return &LogWriter{below: below} }

// Write implements io.Writer for whole lines, as log handlers write them.
func (l *LogWriter) Write(lines []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.screen == nil {
		return l.below.Write(lines)
	}
	l.screen.note(strings.TrimRight(string(lines), "\n"))
	return len(lines), nil
}

// show has lines put on a screen; nil: on none any more.
func (l *LogWriter) show(s *screen) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.screen = s
}
