package console

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/rivo/uniseg"
)

const (
	eraseBelow = "\r\x1b[J"
	dim        = "\x1b[2m"
	plain      = "\x1b[0m"
	prompt     = "> "
)

// screen writes messages one below the other and can replace the last one. It
// is safe for concurrent use.
type screen struct {
	w    io.Writer
	size func() (columns, rows int)

	mu        sync.Mutex // guards the rest
	last      string     // id of the message at the bottom, while it can be replaced
	lines     []string   // as it is shown
	working   bool       // the bottom line says that an answer is on its way
	prompting bool       // the bottom line is the prompt
}

// show writes a message below everything else.
func (s *screen) show(id, text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.append(id, text)
}

// replace puts a message's new text in its place, if it is the last one, or
// else shows it below.
func (s *screen) replace(id, text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	lines := strings.Split(text, "\n")
	columns, rows := s.size()
	same := 0
	for same < min(len(lines), len(s.lines)) && lines[same] == s.lines[same] {
		same++
	}
	up := 0
	for _, l := range s.lines[same:] {
		up += height(l, columns)
	}
	if id != s.last || s.prompting || up >= rows {
		return s.append(id, text)
	}
	back := ""
	if up > 0 {
		back = fmt.Sprintf("\x1b[%dA", up)
	}
	err := s.write(back + eraseBelow + joined(lines[same:]))
	s.lines = lines
	return err
}

func (s *screen) append(id, text string) error {
	lines := strings.Split(text, "\n")
	err := s.write(joined(lines))
	s.last, s.lines = id, lines
	return err
}

// write puts text where the prompt or the sign of work was, and a prompt that
// was there below it.
func (s *screen) write(text string) error {
	if s.working || s.prompting {
		text = eraseBelow + text
	}
	if s.prompting {
		text += prompt
	}
	s.working = false
	_, err := io.WriteString(s.w, text)
	return err
}

// work shows that an answer is on its way, unless one is growing already.
func (s *screen) work() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.working || s.prompting || s.last != "" {
		return nil
	}
	s.working = true
	_, err := io.WriteString(s.w, dim+"…"+plain)
	return err
}

// asking says whether the bottom line is a prompt now. What is above it can't
// be replaced any more.
func (s *screen) asking(now bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now && s.working {
		_, _ = io.WriteString(s.w, eraseBelow)
	}
	s.prompting, s.working = now, false
	s.last, s.lines = "", nil
}

// leave ends the line of the prompt, which nobody answered.
func (s *screen) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = io.WriteString(s.w, "\n")
}

// note writes a line of this package's own.
func (s *screen) note(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.append("", dim+text+plain) // a terminal that is gone ends the reading, too
}

func joined(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// height is how many rows a line takes in a terminal that wraps.
func height(line string, columns int) int {
	rows, column := 1, 0
	graphemes := uniseg.NewGraphemes(withoutStyle(line))
	for graphemes.Next() {
		w := graphemes.Width()
		if column+w > columns {
			rows, column = rows+1, 0
		}
		column += w
	}
	return rows
}

// withoutStyle drops the escape sequences that styles are made of.
func withoutStyle(line string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(line, "\x1b[")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		_, line, _ = strings.Cut(rest, "m")
	}
}
