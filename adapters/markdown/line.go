package markdown

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// style is a set of ways to write text.
type style uint8

const (
	bold style = 1 << iota
	italic
	underline
	strike
	code // never together with another one: no platform shows both
)

// allStyles is the order in which styles that last equally long are nested.
var allStyles = [...]style{bold, italic, underline, strike, code}

// span is a piece of text in one style. Its text has no line end.
type span struct {
	text  string
	style style
	url   string // where it leads; a link may have several spans
	auto  bool   // the text is the address itself
}

// atom tells whether a message must not end inside the span.
func (s span) atom() bool { return s.url != "" || s.style&code != 0 }

// kind is what a line is part of.
type kind uint8

const (
	prose kind = iota
	heading
	blank   // between blocks; never first or last in a message
	literal // of a code block, or of a table set in columns
)

// line is what the document is laid out as, for all platforms alike: a line of
// text that knows what has to be written around it. Any run of lines can be
// made a message of its own, which is why nothing is ever left open.
type line struct {
	kind  kind
	lead  string // indentation, bullet and number before the text
	hang  string // stands in for lead where the rest of a cut line goes on
	spans []span
	quote int    // how many quotes the line is in
	block int    // the same for all lines of a block
	whole bool   // the block should not be cut
	lang  string // of a code block
	head  []line // of a table: to be written above rows that go on in a new message
	file  *File  // attached below this line, which ends its message
}

func (ln line) text() string {
	if len(ln.spans) == 1 {
		return ln.spans[0].text
	}
	var b strings.Builder
	for _, s := range ln.spans {
		b.WriteString(s.text)
	}
	return b.String()
}

// size is a lower bound of what the line takes on any platform.
func (ln line) size() int {
	n := utf8.RuneCountInString(ln.lead)
	for _, s := range ln.spans {
		n += utf8.RuneCountInString(s.text)
	}
	return n
}

// size is a lower bound of what lines take on any platform.
func size(lines []line) int {
	n := 0
	for _, ln := range lines {
		n += ln.size() + 1
	}
	return n
}

// byteLen is about how many bytes the lines take.
func byteLen(lines []line) int {
	n := 0
	for _, ln := range lines {
		n += len(ln.lead) + 1
		for _, s := range ln.spans {
			n += len(s.text)
		}
	}
	return n
}

// before is the line up to a byte of its text. Blanks at the cut are dropped
// but in code, where they count.
func (ln line) before(at int) line {
	i, at := ln.find(at)
	spans := ln.spans[:i:i]
	if at > 0 {
		s := ln.spans[i]
		s.text = s.text[:at]
		spans = append(spans, s)
	}
	if ln.kind != literal {
		spans = trimRight(spans)
	}
	ln.spans, ln.file = spans, nil
	return ln
}

// after is the rest of the line.
func (ln line) after(at int) line {
	i, at := ln.find(at)
	spans := slices.Clone(ln.spans[i:])
	if at > 0 {
		spans[0].text = spans[0].text[at:]
	}
	if ln.kind != literal {
		spans = trimLeft(spans)
	}
	ln.spans, ln.lead = spans, ln.hang
	return ln
}

// find gives the span that a byte of the text is in, and where in it.
func (ln line) find(at int) (int, int) {
	for i, s := range ln.spans {
		if at < len(s.text) {
			return i, at
		}
		at -= len(s.text)
	}
	return len(ln.spans), 0
}

// trimLeft drops blanks at the beginning, without touching the spans given.
func trimLeft(spans []span) []span {
	for i, s := range spans {
		text := strings.TrimLeftFunc(s.text, unicode.IsSpace)
		switch {
		case text == "":
			continue
		case text == s.text:
			return spans[i:]
		}
		s.text = text
		return append([]span{s}, spans[i+1:]...)
	}
	return nil
}

// trimRight drops blanks at the end, without touching the spans given.
func trimRight(spans []span) []span {
	for n := len(spans); n > 0; n-- {
		s := spans[n-1]
		text := strings.TrimRightFunc(s.text, unicode.IsSpace)
		switch {
		case text == "":
			continue
		case text == s.text:
			return spans[:n:n]
		}
		s.text = text
		return append(spans[:n-1:n-1], s)
	}
	return nil
}

// trimBlank drops blank lines at both ends.
func trimBlank(lines []line) []line {
	for len(lines) > 0 && lines[0].kind == blank {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1].kind == blank {
		lines = lines[:len(lines)-1]
	}
	return lines
}
