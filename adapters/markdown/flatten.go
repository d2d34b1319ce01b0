package markdown

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// layout is what platforms want differently of the same document.
type layout struct {
	bullet   string // of an unordered list, with its blank
	indent   int    // blanks for each level of a list
	headings int    // levels written as headings; deeper ones are bold lines
	emoji    bool   // make emoji of :codes:, which the platform does not
	files    bool   // write file names as code, which the platform would link
	// labels tells whether a link to url can hide behind a label.
	labels func(url string) bool
}

// rule stands for a thematic break.
const rule = "────────"

// flattener lays a document out as lines.
type flattener struct {
	layout layout
	root   ast.Node
	source []byte
	used   map[string]bool // labels of definitions that links refer to; nil before it is asked
	lines  []line
	quote  int
	block  int
	lead   string // what the next line begins with
	hang   string // what the lines after it begin with
}

func flatten(d document, l layout) []line {
	f := flattener{layout: l, root: d.root, source: d.source}
	f.blocks(d.root)
	return f.lines
}

// blocks lays out the children of a container, parted where they are in the
// source.
func (f *flattener) blocks(parent ast.Node) {
	start := len(f.lines)
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Type() == ast.TypeInline {
			continue // a way back from a footnote that ends with a list
		}
		before := len(f.lines)
		if before > start && parted(n) {
			f.lines = append(f.lines, line{kind: blank, quote: f.quote})
		}
		gap := len(f.lines)
		f.node(n)
		if len(f.lines) == gap {
			f.lines = f.lines[:before] // nothing to be parted from
		}
	}
}

// parted tells whether a blank line belongs before n. Goldmark does not know
// it of blocks that it made out of paragraphs.
func parted(n ast.Node) bool {
	switch n.Kind() {
	case ast.KindHeading, extast.KindTable, extast.KindFootnoteList:
		return true
	}
	return n.HasBlankPreviousLines()
}

func (f *flattener) node(n ast.Node) {
	f.block++
	switch n := n.(type) {
	case *ast.Heading:
		f.heading(n)
	case *ast.Paragraph, *ast.TextBlock:
		f.prose(prose, inline(n, f.source, f.layout, 0))
	case *ast.Blockquote:
		f.quoted(n)
	case *ast.List:
		f.list(n)
	case *ast.FencedCodeBlock:
		f.code(n, language(n.Language(f.source)))
	case *ast.CodeBlock:
		f.code(n, "")
	case *ast.ThematicBreak:
		f.prose(prose, []span{{text: rule}})
	case *extast.Table:
		f.table(n)
	case *extast.FootnoteList:
		f.footnotes(n)
	case *ast.LinkReferenceDefinition:
		f.definition(n)
	default:
		f.blocks(n)
	}
}

// quoted lays out a quote, at the margin even within a list.
func (f *flattener) quoted(n ast.Node) {
	hang := f.hang
	if strings.TrimSpace(f.lead) == "" {
		f.lead = ""
	}
	f.hang = ""
	f.quote++
	f.blocks(n)
	f.quote--
	f.hang = hang
	if strings.TrimSpace(f.lead) == "" {
		f.lead = hang
	}
}

// emit appends a line at the present place of the document.
func (f *flattener) emit(ln line) {
	ln.lead, ln.hang = f.lead, f.hang
	ln.quote, ln.block = f.quote, f.block
	f.lead = f.hang
	f.lines = append(f.lines, ln)
}

// prose emits the lines of a paragraph.
func (f *flattener) prose(k kind, spans []span) {
	start := 0
	for i, s := range spans {
		if s.text == newline {
			f.proseLine(k, spans[start:i:i])
			start = i + 1
		}
	}
	f.proseLine(k, spans[start:])
}

func (f *flattener) proseLine(k kind, spans []span) {
	spans = trimRight(trimLeft(spans))
	if len(spans) > 0 {
		f.emit(line{kind: k, spans: spans})
	}
}

func (f *flattener) heading(n *ast.Heading) {
	if n.Level > f.layout.headings {
		f.prose(heading, inline(n, f.source, f.layout, bold))
		return
	}
	lead := f.lead
	f.lead += strings.Repeat("#", n.Level) + " "
	before := len(f.lines)
	f.prose(heading, inline(n, f.source, f.layout, 0))
	if len(f.lines) == before {
		f.lead = lead
	}
}

func (f *flattener) list(n *ast.List) {
	number := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		if item.PreviousSibling() != nil && item.HasBlankPreviousLines() {
			f.lines = append(f.lines, line{kind: blank, quote: f.quote})
		}
		marker := f.layout.bullet
		if n.IsOrdered() {
			marker = strconv.Itoa(number) + string(n.Marker) + " "
			number++
		} else if box := checkBox(item); box != "" {
			marker = strings.TrimPrefix(marker, "• ") + box
		}
		f.item(item, marker)
	}
}

// item lays out an entry of a list behind its marker.
func (f *flattener) item(n ast.Node, marker string) {
	lead, hang := f.lead, f.hang
	f.lead, f.hang = lead+marker, hang+strings.Repeat(" ", f.layout.indent)
	f.blocks(n)
	f.flushLead()
	f.lead, f.hang = hang, hang
}

// flushLead emits a marker that nothing was written behind.
func (f *flattener) flushLead() {
	if strings.TrimSpace(f.lead) != "" {
		f.lead = strings.TrimRight(f.lead, " ")
		f.emit(line{})
	}
}

// checkBox is the box of a task, if the item is one.
func checkBox(item ast.Node) string {
	if item.FirstChild() == nil {
		return ""
	}
	box, ok := item.FirstChild().FirstChild().(*extast.TaskCheckBox)
	switch {
	case !ok:
		return ""
	case box.IsChecked:
		return "☑ "
	}
	return "☐ "
}

func (f *flattener) footnotes(n *extast.FootnoteList) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if note, ok := c.(*extast.Footnote); ok {
			f.item(note, "["+strconv.Itoa(note.Index)+"] ")
		}
	}
}

// code emits a code block. It begins at the margin even within a list: it is
// there to be copied.
func (f *flattener) code(n ast.Node, lang string) {
	f.flushLead()
	segments := n.Lines()
	lines := make([]line, 0, segments.Len())
	for i := range segments.Len() {
		s := segments.At(i)
		text := strings.TrimSuffix(string(s.Value(f.source)), newline)
		lines = append(lines, line{kind: literal, lang: lang, whole: true, spans: textSpans(text)})
	}
	f.literal(lines)
}

// literal emits lines as they are, without empty ones at the ends.
func (f *flattener) literal(lines []line) {
	for len(lines) > 0 && strings.TrimSpace(lines[0].text()) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1].text()) == "" {
		lines = lines[:len(lines)-1]
	}
	for _, ln := range lines {
		ln.quote, ln.block = f.quote, f.block
		f.lines = append(f.lines, ln)
	}
}

func textSpans(text string) []span {
	if text == "" {
		return nil
	}
	return []span{{text: text}}
}

// maxLanguage is the most bytes of a code block's language. The name is
// written again in every message that the block goes on in.
const maxLanguage = 32

// language is the name after a fence, if it is one.
func language(info []byte) string {
	if len(info) > maxLanguage {
		return ""
	}
	for _, c := range info {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && strings.IndexByte("+-#._", c) < 0 {
			return ""
		}
	}
	return string(info)
}
