package markdown

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// tag is an HTML tag or comment within a text. There are no HTML blocks: a
// model that writes <details> expects the Markdown inside to be read, and
// whatever is not one of the few known tags is shown as text.
type tag struct {
	ast.BaseInline
	name    string // lower case; "!" for a comment
	closing bool
	href    []byte
	raw     string
}

var kindTag = ast.NewNodeKind("Tag")

// Kind implements ast.Node.
func (t *tag) Kind() ast.NodeKind { return kindTag }

// Dump implements ast.Node.
func (t *tag) Dump(source []byte, level int) { ast.DumpHelper(t, source, level, nil, nil) }

// styleTags are the tags that stand for a style.
var styleTags = map[string]style{
	"b": bold, "strong": bold, "summary": bold,
	"i": italic, "em": italic,
	"u": underline, "ins": underline,
	"s": strike, "del": strike, "strike": strike,
	"code": code, "kbd": code, "samp": code, "tt": code,
}

// silentTags mean nothing in a chat. The ones that could be a type parameter
// in prose ("List<p>") vanish in pairs only.
var silentTags = map[string]bool{
	"a": true, "p": true, "div": true, "span": true, "center": true,
	"sub": true, "sup": true, "small": true, "big": true, "font": true,
}

// maxTag is the most bytes of a tag, so that an open "<" costs no more.
const maxTag = 1024

var (
	tagPattern  = regexp.MustCompile(`^</?([A-Za-z][A-Za-z0-9-]{0,20})(?:\s[^<>]*)?/?>`)
	hrefPattern = regexp.MustCompile(`(?i)\shref\s*=\s*(?:"([^"]*)"|'([^']*)')`)
)

// tagParser reads tags. It keeps within one line.
type tagParser struct{}

var _ parser.InlineParser = tagParser{}

// Trigger implements parser.InlineParser.
func (tagParser) Trigger() []byte { return []byte{'<'} }

// Parse implements parser.InlineParser.
func (tagParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	line = line[:min(len(line), maxTag)]
	if bytes.HasPrefix(line, []byte("<!--")) {
		end := bytes.Index(line, []byte("-->"))
		if end < 0 {
			return nil
		}
		block.Advance(end + len("-->"))
		return &tag{name: "!"}
	}
	m := tagPattern.FindSubmatch(line)
	if m == nil {
		return nil
	}
	block.Advance(len(m[0]))
	t := &tag{name: strings.ToLower(string(m[1])), closing: line[1] == '/', raw: string(m[0])}
	if t.name == "a" {
		if h := hrefPattern.FindSubmatch(m[0]); h != nil {
			t.href = append(h[1], h[2]...)
		}
	}
	return t
}
