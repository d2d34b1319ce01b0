package markdown

import (
	"unicode"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markParser reads the marks of emphasis and strike-through. It differs from
// CommonMark where a mark stands beside Chinese, Japanese or Korean text:
// those are written without spaces, so their punctuation does not keep a mark
// from opening or closing. One tilde is no mark; it means "about".
type markParser struct{}

var _ parser.InlineParser = markParser{}

// Trigger implements parser.InlineParser.
func (markParser) Trigger() []byte { return []byte{'*', '_', '~'} }

// Parse implements parser.InlineParser.
func (markParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	c := line[0]
	n := 1
	for n < len(line) && line[n] == c {
		n++
	}
	if c == '~' && (n != 2 || before == '~') {
		return nil
	}
	after := ' '
	if n < len(line) {
		after = util.ToRune(line, n)
	}
	left, right := flanking(before, after), flanking(after, before)
	canOpen, canClose := left, right
	if c == '_' {
		canOpen = left && (!right || util.IsPunctRune(before))
		canClose = right && (!left || util.IsPunctRune(after))
	}
	d := parser.NewDelimiter(canOpen, canClose, n, c, marks(c))
	d.Segment = segment.WithStop(segment.Start + n)
	block.Advance(n)
	pc.PushDelimiter(d)
	return d
}

// flanking tells whether a mark between outer and inner leans on inner.
func flanking(outer, inner rune) bool {
	if util.IsSpaceRune(inner) {
		return false
	}
	plain := !util.IsPunctRune(inner) || isCJK(inner)
	return plain || util.IsSpaceRune(outer) || util.IsPunctRune(outer) || isCJK(outer)
}

// isCJK tells whether r belongs to a script written without spaces, or is
// punctuation of one.
func isCJK(r rune) bool {
	if r < 0x1100 {
		return false
	}
	return r >= 0x2E80 && r <= 0x303F || r >= 0xFE30 && r <= 0xFE4F || r >= 0xFF00 && r <= 0xFFEF ||
		unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo, unicode.Yi)
}

// marks makes the node for a matched pair of the character.
type marks byte

// IsDelimiter implements parser.DelimiterProcessor.
func (m marks) IsDelimiter(b byte) bool { return b == byte(m) }

// CanOpenCloser implements parser.DelimiterProcessor.
func (m marks) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

// OnMatch implements parser.DelimiterProcessor.
func (m marks) OnMatch(consumes int) ast.Node {
	if m == '~' {
		return extast.NewStrikethrough()
	}
	return ast.NewEmphasis(consumes)
}
