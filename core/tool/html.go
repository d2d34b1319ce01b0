package tool

import (
	"fmt"
	"io"
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// page is what a reader gets of an HTML document.
type page struct {
	title string
	text  string
	links []string // absolute, in the order in which they stand
}

// readable turns HTML into plain text with Markdown's headings, lists and
// links. What a reader would not see is left out, since hiding text is how
// pages talk to machines. It never fails: there is no HTML that browsers refuse.
func readable(r io.Reader, base *url.URL) page {
	doc, err := html.Parse(r)
	if err != nil {
		return page{}
	}
	w := &htmlWriter{base: base}
	if t := find(doc, atom.Title); t != nil {
		w.page.title = strings.Join(strings.Fields(textOf(t)), " ")
	}
	w.write(content(doc))
	w.page.text = tidy(w.b.String())
	return w.page
}

// content is the part of a document that says something: what it declares as
// its main part, if that holds anything.
func content(doc *html.Node) *html.Node {
	for _, a := range []atom.Atom{atom.Main, atom.Article, atom.Body} {
		if n := find(doc, a); n != nil && len(textOf(n)) > 200 {
			return n
		}
	}
	return doc
}

func find(n *html.Node, a atom.Atom) *html.Node {
	for d := range n.Descendants() {
		if d.DataAtom == a {
			return d
		}
	}
	return nil
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

type htmlWriter struct {
	base *url.URL
	page page
	b    strings.Builder
	pre  bool
}

// unseen are elements without text for readers.
var unseen = map[atom.Atom]bool{
	atom.Head: true, atom.Script: true, atom.Style: true, atom.Noscript: true, atom.Template: true, atom.Svg: true,
	atom.Iframe: true, atom.Object: true, atom.Embed: true, atom.Canvas: true, atom.Select: true, atom.Button: true,
	atom.Nav: true, atom.Dialog: true, atom.Textarea: true,
}

// block are elements that stand on lines of their own, with what begins them.
var block = map[atom.Atom]string{
	atom.P: "\n\n", atom.Div: "\n", atom.Section: "\n\n", atom.Article: "\n\n", atom.Header: "\n", atom.Footer: "\n",
	atom.Ul: "\n", atom.Ol: "\n", atom.Li: "\n- ", atom.Dl: "\n", atom.Dt: "\n", atom.Dd: "\n  ", atom.Table: "\n\n", atom.Tr: "\n",
	atom.Td: " | ", atom.Th: " | ", atom.Blockquote: "\n\n> ", atom.Hr: "\n\n---\n\n", atom.Br: "\n", atom.Figure: "\n", atom.Figcaption: "\n",
	atom.H1: "\n\n# ", atom.H2: "\n\n## ", atom.H3: "\n\n### ", atom.H4: "\n\n#### ", atom.H5: "\n\n##### ", atom.H6: "\n\n###### ",
	atom.Pre: "\n\n```\n",
}

// after ends those blocks that what follows must not run into.
var after = map[atom.Atom]string{
	atom.P: "\n\n", atom.H1: "\n\n", atom.H2: "\n\n", atom.H3: "\n\n", atom.H4: "\n\n", atom.H5: "\n\n", atom.H6: "\n\n",
	atom.Div: "\n", atom.Li: "\n", atom.Table: "\n\n", atom.Blockquote: "\n\n", atom.Ul: "\n", atom.Ol: "\n", atom.Pre: "\n```\n\n",
}

// write goes down the tree. The parser bounds its depth.
func (w *htmlWriter) write(n *html.Node) {
	switch {
	case n.Type == html.TextNode:
		w.text(n.Data)
		return
	case n.Type == html.ElementNode && (unseen[n.DataAtom] || hidden(n)):
		return
	case n.DataAtom == atom.A:
		w.link(n)
		return
	case n.DataAtom == atom.Img:
		if alt := strings.TrimSpace(attribute(n, "alt")); alt != "" {
			fmt.Fprintf(&w.b, "[picture: %s]", alt)
		}
		return
	}
	before := w.pre
	w.pre = w.pre || n.DataAtom == atom.Pre
	w.b.WriteString(block[n.DataAtom])
	w.children(n)
	w.b.WriteString(after[n.DataAtom])
	w.pre = before
}

func (w *htmlWriter) children(n *html.Node) {
	for c := range n.ChildNodes() {
		w.write(c)
	}
}

func (w *htmlWriter) text(s string) {
	if w.pre {
		w.b.WriteString(s)
		return
	}
	words := strings.Join(strings.Fields(s), " ")
	if words == "" {
		w.space(s)
		return
	}
	w.space(s[:1])
	w.b.WriteString(words)
	if strings.TrimRight(s, " \t\r\n") != s {
		w.b.WriteByte(' ')
	}
}

// space writes one blank where there was white space.
func (w *htmlWriter) space(s string) {
	if strings.TrimLeft(s, " \t\r\n") != s {
		w.b.WriteByte(' ')
	}
}

// link writes a link with its absolute address, or only its label where the
// address is none that could be fetched.
func (w *htmlWriter) link(n *html.Node) {
	label := strings.Join(strings.Fields(textOf(n)), " ")
	to, err := w.base.Parse(strings.TrimSpace(attribute(n, "href")))
	if err != nil || attribute(n, "href") == "" || to.Scheme != "http" && to.Scheme != "https" {
		w.children(n)
		return
	}
	to.Fragment = ""
	if label == "" || to.String() == w.base.String() {
		w.children(n)
		return
	}
	w.page.links = append(w.page.links, to.String())
	fmt.Fprintf(&w.b, "[%s](%s)", label, to)
}

// hidden reports the usual ways to keep an element out of sight.
func hidden(n *html.Node) bool {
	style := strings.ToLower(strings.ReplaceAll(attribute(n, "style"), " ", ""))
	for _, s := range []string{"display:none", "visibility:hidden", "font-size:0", "opacity:0"} {
		if i := strings.Index(style, s); i >= 0 && !strings.HasPrefix(style[i+len(s):], ".") {
			return true
		}
	}
	for _, a := range n.Attr {
		if a.Key == "hidden" || a.Key == "aria-hidden" && a.Val == "true" {
			return true
		}
	}
	return false
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// tidy trims lines and leaves one empty line at most between two.
func tidy(s string) string {
	var out []string
	pre := false
	for line := range strings.SplitSeq(s, "\n") {
		if strings.HasPrefix(line, "```") {
			pre = !pre
		}
		if !pre {
			line = strings.TrimSpace(line)
		}
		line = strings.TrimPrefix(line, "| ")
		if line == "" && len(out) > 0 && out[len(out)-1] == "" {
			continue
		}
		out = append(out, line)
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}
