package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// dialect is what differs between the platforms that mark text up with
// characters.
type dialect interface {
	// mark is what stands at both ends of a style; "" where there is none.
	mark(s style) string
	// joint tells whether a mark beside r needs a zero-width space in between
	// to be taken for a mark.
	joint(mark string, r rune) bool
	// begin looks at a line before it is written.
	begin(p *pen, spans []span)
	// text writes text that must show as it is.
	text(p *pen, s string)
	// code writes a code span.
	code(p *pen, s string)
	// link writes a link.
	link(p *pen, s span)
	// fence opens a code block.
	fence(lang string) string
	// literal writes a line of a code block.
	literal(p *pen, s string)
	// flatCode tells that code blocks within quotes are written as code spans.
	flatCode() bool
}

// pen writes lines in a dialect.
type pen struct {
	dialect dialect
	out     []byte
	styles  nest
	start   int    // where the text of the present line begins in out
	next    rune   // what follows the text being written; 0 at the end of a line
	live    string // characters that would be taken for marks in the present line
}

// writeLines gives the text of a message.
func writeLines(d dialect, lines []line) string {
	p := pen{dialect: d, start: -1, out: make([]byte, 0, byteLen(lines)*9/8)}
	p.lines(lines)
	return string(p.out)
}

// lines writes a message.
func (p *pen) lines(lines []line) {
	open := -1 // index of a line in the code block that is open
	for i, ln := range lines {
		fenced := ln.kind == literal && !(ln.quote > 0 && p.dialect.flatCode())
		if open >= 0 && (!fenced || ln.block != lines[open].block) {
			p.line(lines[open].quote, "```")
			open = -1
		}
		if fenced && open < 0 {
			p.line(ln.quote, p.dialect.fence(ln.lang))
		}
		switch {
		case fenced:
			p.line(ln.quote, "")
			p.dialect.literal(p, ln.text())
			open = i
		case ln.kind == literal:
			p.line(ln.quote, "")
			p.code(ln.text())
		default:
			p.line(ln.quote, ln.lead)
			p.spans(ln.spans)
		}
	}
	if open >= 0 {
		p.line(lines[open].quote, "```")
	}
}

// line begins a line.
func (p *pen) line(quote int, lead string) {
	if p.start >= 0 {
		p.out = append(p.out, '\n')
	}
	p.out = append(p.out, quotePrefix(quote)...)
	p.out = append(p.out, lead...)
	p.start = len(p.out)
}

// quotePrefix marks a quoted line. Platforms know no quotes in quotes.
func quotePrefix(depth int) string {
	if depth == 0 {
		return ""
	}
	return "> " + strings.Repeat("│ ", depth-1)
}

// spans writes the text of a line, and closes whatever it opened.
func (p *pen) spans(spans []span) {
	p.dialect.begin(p, spans)
	for i := 0; i < len(spans); {
		s, n := spans[i], 1
		for s.url != "" && i+n < len(spans) && spans[i+n].url == s.url {
			s.style &= spans[i+n].style
			n++
		}
		s.text = spanText(spans[i : i+n])
		i += n
		p.next, _ = utf8.DecodeRuneInString(s.text)
		p.restyle(s.style&^code, spans[i:])
		p.next = 0
		if i < len(spans) {
			p.next, _ = utf8.DecodeRuneInString(spans[i].text)
		}
		switch {
		case s.url != "":
			p.dialect.link(p, s)
		case s.style&code != 0:
			p.code(s.text)
		default:
			p.dialect.text(p, s.text)
		}
	}
	p.next = 0
	p.restyle(0, nil)
}

// restyle closes and opens marks for what comes next.
func (p *pen) restyle(want style, following []span) {
	closing, opening := p.styles.change(want, following)
	closed, opened := p.marks(closing), p.marks(opening)
	p.out = append(p.out, strings.Join(closed, "")...)
	next := p.next
	if len(opened) > 0 {
		next = rune(opened[0][0])
	}
	if n := len(closed); n > 0 && next != 0 && p.dialect.joint(closed[n-1], next) {
		p.out = append(p.out, zeroWidth...)
	}
	if len(opened) > 0 && p.dialect.joint(opened[0], p.last()) {
		p.out = append(p.out, zeroWidth...)
	}
	p.out = append(p.out, strings.Join(opened, "")...)
}

// marks are those that the dialect has for the styles.
func (p *pen) marks(styles []style) []string {
	var marks []string
	for _, s := range styles {
		if m := p.dialect.mark(s); m != "" {
			marks = append(marks, m)
		}
	}
	return marks
}

// code writes a code span, apart from the words around it.
func (p *pen) code(s string) {
	if strings.TrimSpace(s) == "" {
		p.dialect.text(p, s)
		return
	}
	if p.dialect.joint("`", p.last()) {
		p.out = append(p.out, zeroWidth...)
	}
	p.dialect.code(p, s)
	if p.next != 0 && p.dialect.joint("`", p.next) {
		p.out = append(p.out, zeroWidth...)
	}
}

// last is the last character of the present line, a blank at its beginning.
func (p *pen) last() rune {
	if len(p.out) == p.start {
		return ' '
	}
	r, _ := utf8.DecodeLastRune(p.out)
	return r
}

// isWord tells whether r is a letter or a digit in ASCII.
func isWord(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// around gives the characters before and after the one at i in s, where s is
// what is being written now.
func (p *pen) around(s string, i, size int) (before, after rune) {
	before, after = p.last(), p.next
	if i+size < len(s) {
		after, _ = utf8.DecodeRuneInString(s[i+size:])
	}
	if after == 0 {
		after = ' '
	}
	return before, after
}

func isBlank(r rune) bool { return unicode.IsSpace(r) || r == '\u200b' }
