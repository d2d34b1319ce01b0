package markdown

import (
	"strconv"
	"strings"
)

// Plain is an answer without any markup, for transcripts.
func Plain(md string) string {
	return plainText(flatten(parse(clean(md)), terminalLayout))
}

// Terminal is an answer for a terminal. Without color there are no escape
// sequences at all, as when the output is a file. Lines are left to the
// terminal to wrap.
func Terminal(md string, color bool) string {
	w := textWriter{color: color, indent: "    "}
	return w.lines(flatten(parse(clean(md)), terminalLayout))
}

var terminalLayout = layout{bullet: "• ", indent: 2, emoji: true, labels: anyAddress}

// plainText is what a reader sees of lines.
func plainText(lines []line) string {
	var w textWriter
	return w.lines(lines)
}

// textWriter writes lines for people to read as they are.
type textWriter struct {
	strings.Builder
	color  bool
	indent string // before a line of code
}

func (w *textWriter) lines(lines []line) string {
	for i, ln := range lines {
		if i > 0 {
			w.WriteByte('\n')
		}
		w.WriteString(strings.Repeat("> ", ln.quote))
		if ln.kind == literal {
			w.WriteString(w.indent)
			w.piece(ln.text(), code)
			continue
		}
		w.WriteString(ln.lead)
		w.spans(ln.spans)
	}
	return w.String()
}

func (w *textWriter) spans(spans []span) {
	for i, s := range spans {
		w.piece(s.text, s.style)
		last := i+1 == len(spans) || spans[i+1].url != s.url
		if s.url != "" && !s.auto && last {
			w.WriteString(" (" + plainAddress(s.url) + ")")
		}
	}
}

// sgr are the terminal's numbers for styles.
var sgr = map[style]int{bold: 1, italic: 3, underline: 4, strike: 9, code: 36}

func (w *textWriter) piece(text string, s style) {
	if !w.color || s == 0 || text == "" {
		w.WriteString(text)
		return
	}
	for _, one := range allStyles {
		if s&one != 0 {
			w.WriteString("\x1b[" + strconv.Itoa(sgr[one]) + "m")
		}
	}
	w.WriteString(text + "\x1b[0m")
}
