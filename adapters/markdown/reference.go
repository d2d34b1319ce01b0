package markdown

import (
	"bytes"
	"iter"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// orphans keeps footnotes that nothing refers to, which goldmark drops: a
// model may well have written them as its list of sources.
type orphans struct{}

var _ parser.ASTTransformer = orphans{}

// Transform implements parser.ASTTransformer.
func (orphans) Transform(root *ast.Document, reader text.Reader, _ parser.Context) {
	if !bytes.Contains(reader.Source(), []byte("[^")) {
		return
	}
	for n := range descendants(root) {
		list, ok := n.(*extast.FootnoteList)
		if !ok {
			continue
		}
		for c := list.FirstChild(); c != nil; c = c.NextSibling() {
			if note, ok := c.(*extast.Footnote); ok && note.Index < 0 {
				list.Count++
				note.Index = list.Count
			}
		}
	}
}

// definition writes out the definition of a link that the answer does not use.
func (f *flattener) definition(n *ast.LinkReferenceDefinition) {
	if f.used == nil {
		f.used = usedLabels(f.root)
	}
	if f.used[util.ToLinkReference(n.Label)] {
		return
	}
	w := inliner{source: f.source, layout: f.layout}
	w.add("[" + unescape(n.Label) + "]: ")
	if url, ok := address(n.Destination); ok {
		w.bare(plainAddress(url), url)
	} else {
		w.add(inert(n.Destination))
	}
	if len(n.Title) > 0 {
		w.add(" " + unescape(n.Title))
	}
	f.prose(prose, tidy(w.spans, f.layout))
}

// usedLabels are those of the definitions that links refer to.
func usedLabels(root ast.Node) map[string]bool {
	used := map[string]bool{}
	for n := range descendants(root) {
		var ref *ast.ReferenceLink
		switch n := n.(type) {
		case *ast.Link:
			ref = n.Reference
		case *ast.Image:
			ref = n.Reference
		}
		if ref != nil {
			used[util.ToLinkReference(ref.Value)] = true
		}
	}
	return used
}

// descendants are all nodes below n.
func descendants(n ast.Node) iter.Seq[ast.Node] {
	return func(yield func(ast.Node) bool) { visit(n, yield) }
}

func visit(n ast.Node, yield func(ast.Node) bool) bool {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if !yield(c) || !visit(c, yield) {
			return false
		}
	}
	return true
}
