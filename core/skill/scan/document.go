package scan

import "strings"

// partKind is what a part of a document is to its reader.
type partKind int

const (
	paragraph partKind = iota
	item               // of a list, or a quotation
	title
	frontMatter
	code
)

// part is a stretch of a document of one kind.
type part struct {
	kind   partKind
	lang   string // of code
	text   string
	line   int  // of its first line, from 1
	hidden bool // not shown to people who read the document
}

// splitter cuts a document into parts, line by line. It knows of Markdown what
// matters here: fences, indented code, headings, lists, comments.
type splitter struct {
	parts []part
	open  *part // being filled
	body  strings.Builder
	fence string // what closes the open fence
}

// parts cuts a document. Every line of it is in exactly one part.
func parts(text string) []part {
	var s splitter
	n, blank := 0, true
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\r\n")
		s.line(line, n, blank)
		blank = strings.TrimSpace(line) == ""
	}
	s.close()
	return s.parts
}

func (s *splitter) line(line string, n int, afterBlank bool) {
	trimmed := strings.TrimSpace(line)
	switch {
	case s.fence != "":
		s.fenced(line, trimmed)
	case n == 1 && trimmed == "---":
		s.begin(part{kind: frontMatter, line: n}, "")
		s.fence = "---"
	case s.open != nil && s.open.hidden:
		s.comment(line, n)
	case strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~"):
		run := len(trimmed) - len(strings.TrimLeft(trimmed, trimmed[:1]))
		info := strings.FieldsFunc(trimmed[run:], func(r rune) bool { return strings.ContainsRune(" {},.:", r) })
		s.begin(part{kind: code, line: n + 1}, "")
		if s.fence = trimmed[:run]; len(info) > 0 {
			s.open.lang = info[0]
		}
	case strings.HasPrefix(trimmed, "<!--"), strings.HasPrefix(trimmed, "[//]:"), strings.HasPrefix(trimmed, "[comment]:"):
		s.begin(part{kind: paragraph, line: n, hidden: true}, "")
		s.comment(line, n)
	case trimmed == "":
		s.close()
	case strings.HasPrefix(trimmed, "#"):
		s.begin(part{kind: title, line: n}, trimmed)
		s.close()
	case isItem(trimmed):
		s.begin(part{kind: item, line: n}, trimmed)
	case afterBlank && (strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")), s.open != nil && s.open.kind == code:
		s.indented(line, n)
	default:
		s.text(line, n)
	}
}

// fenced takes a line of a fence or of the front matter.
func (s *splitter) fenced(line, trimmed string) {
	if strings.HasPrefix(trimmed, s.fence) && strings.Trim(trimmed, s.fence[:1]) == "" {
		s.close()
		return
	}
	s.body.WriteString(line + "\n")
}

// comment takes a line of a comment, which ends with its line if it is no
// HTML. Text behind the end is for readers again.
func (s *splitter) comment(line string, n int) {
	inside, rest, ended := strings.Cut(line, "-->")
	s.body.WriteString(strings.Replace(inside, "<!--", "", 1) + "\n")
	if ended || s.open.line == n && strings.HasPrefix(strings.TrimSpace(line), "[") {
		s.close()
		if strings.TrimSpace(rest) != "" {
			s.text(rest, n)
		}
	}
}

func (s *splitter) indented(line string, n int) {
	if s.open == nil || s.open.kind != code {
		s.begin(part{kind: code, line: n}, "")
	}
	s.body.WriteString(line + "\n")
}

// text adds a line to the paragraph or list item that is open, or opens one.
// Comments within the line become parts of their own.
func (s *splitter) text(line string, n int) {
	if s.open == nil || s.open.kind > item {
		s.begin(part{kind: paragraph, line: n}, "")
	}
	for {
		before, rest, found := strings.Cut(line, "<!--")
		if !found || strings.Count(before, "`")%2 == 1 {
			s.body.WriteString(line + "\n")
			return
		}
		inside, after, ended := strings.Cut(rest, "-->")
		s.body.WriteString(before)
		if !ended {
			s.begin(part{kind: paragraph, line: n, hidden: true}, inside)
			return
		}
		s.parts = append(s.parts, part{kind: paragraph, line: n, hidden: true, text: inside})
		line = after
	}
}

func (s *splitter) begin(p part, text string) {
	s.close()
	if text != "" {
		s.body.WriteString(text + "\n")
	}
	s.open = &p
}

func (s *splitter) close() {
	if s.open != nil && s.body.Len() > 0 {
		s.open.text = s.body.String()
		s.parts = append(s.parts, *s.open)
	}
	s.open, s.fence = nil, ""
	s.body.Reset()
}

// isItem reports whether a line opens a list item or is a quotation.
func isItem(line string) bool {
	if strings.HasPrefix(line, ">") {
		return true
	}
	rest := strings.TrimLeft(line, "0123456789")
	if rest != line && len(line)-len(rest) <= 3 {
		return strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")
	}
	return strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "+ ") || strings.HasPrefix(line, "|")
}
