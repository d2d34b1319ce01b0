package markdown

import (
	"bytes"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Bounds that keep parsing linear whatever a model writes. No answer meant to
// be read comes near them; what is beyond is shown as the text it is.
const (
	maxDepth   = 16   // quotes and lists inside each other
	maxColumns = 24   // of a table
	maxRows    = 1000 // of a table
	maxMarks   = 4000 // marks, brackets and back-ticks in one paragraph
)

// document is a parsed answer. The nodes refer to the source.
type document struct {
	root   ast.Node
	source []byte
}

func parse(md string) document {
	source := []byte(md)
	return document{gfm().Parse(text.NewReader(source)), source}
}

// gfm builds the parser once; it may be used by many at the same time.
var gfm = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewSetextHeadingParser(), 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(shallow{parser.NewListParser()}, 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(shallow{parser.NewBlockquoteParser()}, 800),
			util.Prioritized(shallow{extension.NewFootnoteBlockParser()}, 999),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(
			util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
			util.Prioritized(bounded{parser.NewCodeSpanParser()}, 100),
			util.Prioritized(bounded{extension.NewFootnoteParser()}, 101),
			util.Prioritized(bounded{parser.NewLinkParser()}, 200),
			util.Prioritized(bounded{parser.NewAutoLinkParser()}, 300),
			util.Prioritized(bounded{tagParser{}}, 400),
			util.Prioritized(bounded{markParser{}}, 500),
			util.Prioritized(addressParser{}, 600),
		),
		parser.WithParagraphTransformers(
			util.Prioritized(parser.LinkReferenceParagraphTransformer, 100),
			util.Prioritized(modestTable{extension.NewTableParagraphTransformer()}, 200),
		),
		parser.WithASTTransformers(
			util.Prioritized(extension.NewTableASTTransformer(), 0),
			util.Prioritized(orphans{}, 998),
			util.Prioritized(extension.NewFootnoteASTTransformer(), 999),
		),
	)
})

// shallow keeps a container from opening at more than maxDepth: a blank line
// is shown to every open container, so deep nesting makes parsing quadratic.
type shallow struct{ parser.BlockParser }

func (s shallow) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		if n.Kind() != ast.KindListItem {
			depth++
		}
	}
	if depth > maxDepth {
		return nil, parser.NoChildren
	}
	return s.BlockParser.Open(parent, reader, pc)
}

// bounded stops asking an inline parser when a block has had too many of its
// characters. Each mark or bracket may cost a look at all the others, or at
// the rest of the line; so in a long line it counts for more.
type bounded struct{ parser.InlineParser }

// inlineCount is how often bounded parsers were asked in a block.
type inlineCount struct {
	block ast.Node
	n     int
}

var inlineCountKey = parser.NewContextKey()

func (b bounded) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	count, _ := pc.Get(inlineCountKey).(*inlineCount)
	if count == nil || count.block != parent {
		count = &inlineCount{block: parent}
		pc.Set(inlineCountKey, count)
	}
	line, _ := block.PeekLine()
	if count.n += 1 + len(line)/2048; count.n > maxMarks {
		return nil
	}
	return b.InlineParser.Parse(parent, block, pc)
}

// CloseBlock implements parser.CloseBlocker for parsers that do.
func (b bounded) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	if c, ok := b.InlineParser.(parser.CloseBlocker); ok {
		c.CloseBlock(parent, block, pc)
	}
}

// modestTable leaves a paragraph alone that would become a huge table: short
// rows are filled up to the width of the header, so few bytes make many cells.
type modestTable struct{ parser.ParagraphTransformer }

func (t modestTable) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines := node.Lines()
	if lines.Len() < 2 || lines.Len() > maxRows {
		return
	}
	bars := false
	for i := range lines.Len() {
		row := lines.At(i)
		n := bytes.Count(row.Value(reader.Source()), []byte{'|'})
		if n > maxColumns {
			return
		}
		bars = bars || n > 0
	}
	if bars {
		t.ParagraphTransformer.Transform(node, reader, pc)
	}
}
