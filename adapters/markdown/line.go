package markdown

import (
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

// cut parts the line at a byte of its text. Blanks at the cut are dropped but
// in code, where they count.
func (ln line) cut(at int) (head, tail line) {
	head, tail = ln, ln
	tail.lead, head.file = ln.hang, nil
	head.spans, tail.spans = cutSpans(ln.spans, at)
	if ln.kind != literal {
		head.spans, tail.spans = trimRight(head.spans), trimLeft(tail.spans)
	}
	return head, tail
}

func cutSpans(spans []span, at int) (head, tail []span) {
	for i, s := range spans {
		if at >= len(s.text) {
			at -= len(s.text)
			continue
		}
		head = spans[:i:i]
		if at > 0 {
			left := s
			left.text, s.text = s.text[:at], s.text[at:]
			head = append(head, left)
		}
		return head, append([]span{s}, spans[i+1:]...)
	}
	return spans, nil
}

func trimLeft(spans []span) []span {
	for len(spans) > 0 {
		s := spans[0]
		s.text = strings.TrimLeftFunc(s.text, unicode.IsSpace)
		if s.text != "" {
			return append([]span{s}, spans[1:]...)
		}
		spans = spans[1:]
	}
	return nil
}

func trimRight(spans []span) []span {
	for n := len(spans); n > 0; n-- {
		s := spans[n-1]
		s.text = strings.TrimRightFunc(s.text, unicode.IsSpace)
		if s.text != "" {
			return append(spans[:n-1:n-1], s)
		}
	}
	return nil
}

// trimEdges drops blank lines at both ends, and blanks where the message
// begins and ends: platforms do the same, which would shift entities.
func trimEdges(lines []line) []line {
	for len(lines) > 0 && lines[0].kind == blank {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1].kind == blank {
		lines = lines[:len(lines)-1]
	}
	if len(lines) == 0 {
		return nil
	}
	if first := &lines[0]; first.kind != literal {
		first.spans = trimLeft(first.spans)
	}
	if last := &lines[len(lines)-1]; last.kind != literal {
		last.spans = trimRight(last.spans)
	}
	return lines
}
