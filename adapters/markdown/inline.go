package markdown

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// newline parts the lines of a paragraph among its spans.
const newline = "\n"

// inliner turns the inline nodes of one block into spans.
type inliner struct {
	source []byte
	layout layout
	spans  []span
	style  style
	url    string
	open   []openTag // HTML tags that wait for their partner
	sealed int       // spans before this one are not to be added to
}

// openTag is a span that holds a tag as text until its partner is found.
type openTag struct {
	name string
	at   int
	url  string
}

// inline gives the spans of a block's children.
func inline(n ast.Node, source []byte, l layout, s style) []span {
	w := inliner{source: source, layout: l, style: s}
	w.children(n)
	return tidy(w.spans, l)
}

func (w *inliner) children(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.node(c)
	}
}

func (w *inliner) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		w.textNode(n)
	case *ast.String:
		w.add(string(n.Value))
	case *ast.CodeSpan:
		w.codeSpan(n)
	case *ast.Emphasis:
		w.styled(n, []style{italic, bold}[min(n.Level, 2)-1])
	case *extast.Strikethrough:
		w.styled(n, strike)
	case *ast.Link:
		w.link(n, n.Destination)
	case *ast.Image:
		w.link(n, n.Destination)
	case *ast.AutoLink:
		w.autoLink(n)
	case *tag:
		w.tag(n)
	case *extast.FootnoteLink:
		w.add("[" + strconv.Itoa(n.Index) + "]")
	case *extast.FootnoteBacklink, *extast.TaskCheckBox:
	default:
		w.children(n)
	}
}

func (w *inliner) textNode(n *ast.Text) {
	value := n.Value(w.source)
	if n.IsRaw() {
		w.add(string(value))
	} else {
		w.add(unescape(value))
	}
	if n.SoftLineBreak() || n.HardLineBreak() {
		w.add(newline)
	}
}

// codeSpan puts code on one line, as CommonMark does.
func (w *inliner) codeSpan(n *ast.CodeSpan) {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Segment.Value(w.source))
		}
	}
	outer := w.style
	w.style = code
	w.add(strings.ReplaceAll(b.String(), newline, " "))
	w.style = outer
}

func (w *inliner) styled(n ast.Node, s style) {
	outer := w.style
	w.style |= s
	w.children(n)
	w.style = outer
}

// link writes a link or, where the address must not be followed unseen, the
// label with the address behind it.
func (w *inliner) link(n ast.Node, target []byte) {
	url, ok := address(target)
	if w.url != "" { // an image that is itself the label of a link
		w.children(n)
		return
	}
	start := len(w.spans)
	w.sealed = start
	w.children(n)
	label := spanText(w.spans[start:])
	switch {
	case !ok:
		w.refused(label, target)
	case strings.TrimSpace(label) == "":
		w.bare(plainAddress(url), url)
	case deceptive(label, url) || !w.layout.labels(url) && label != plainAddress(url):
		w.spellOut(url)
	default:
		for i := range w.spans[start:] {
			w.spans[start+i].url = url
			w.spans[start+i].auto = label == plainAddress(url)
		}
		w.sealed = len(w.spans)
	}
}

// spellOut adds an address behind its label.
func (w *inliner) spellOut(url string) {
	w.add(" (")
	w.bare(plainAddress(url), url)
	w.add(")")
}

func (w *inliner) refused(label string, target []byte) {
	shown := inert(target)
	if shown == "" || shown == label {
		return
	}
	if label == "" {
		w.add(shown)
		return
	}
	w.add(" (" + shown + ")")
}

func (w *inliner) autoLink(n *ast.AutoLink) {
	label := string(n.Label(w.source))
	target := label
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(label), "mailto:") {
		target = "mailto:" + label
	}
	url, ok := address([]byte(target))
	if !ok {
		w.add("<" + inert([]byte(target)) + ">")
		return
	}
	w.bare(label, url)
}

// bare adds an address that is its own label.
func (w *inliner) bare(label, url string) {
	w.sealed = len(w.spans)
	w.spans = append(w.spans, span{text: label, style: w.style &^ code, url: url, auto: true})
	w.sealed++
}

// add appends text in the present style.
func (w *inliner) add(text string) {
	for text != "" {
		before, after, found := strings.Cut(text, newline)
		w.put(before)
		if found {
			w.sealed = len(w.spans)
			w.spans = append(w.spans, span{text: newline, style: w.style &^ code})
			w.sealed++
		}
		text = after
	}
}

func (w *inliner) put(text string) {
	if text == "" {
		return
	}
	s := w.style
	if s&code != 0 {
		s = code
	}
	if last := len(w.spans) - 1; last >= w.sealed && w.spans[last].style == s {
		w.spans[last].text += text
		return
	}
	w.spans = append(w.spans, span{text: text, style: s})
}

// tag handles one HTML tag. What has no meaning here stays as text.
func (w *inliner) tag(t *tag) {
	switch t.name {
	case "!", "details":
		return
	case "br":
		w.add(newline)
		return
	}
	_, styled := styleTags[t.name]
	switch {
	case !styled && !silentTags[t.name]:
		w.add(t.raw)
	case t.closing:
		w.closeTag(t)
	default:
		w.openTag(t)
	}
}

func (w *inliner) openTag(t *tag) {
	url, _ := address(t.href)
	w.open = append(w.open, openTag{name: t.name, at: len(w.spans), url: url})
	w.spans = append(w.spans, span{text: t.raw, style: w.style})
	w.sealed = len(w.spans)
}

// closeTag applies a tag to the spans since its partner, whose text goes.
func (w *inliner) closeTag(t *tag) {
	i := len(w.open) - 1
	for i >= 0 && w.open[i].name != t.name {
		i--
	}
	if i < 0 {
		w.add(t.raw)
		return
	}
	o := w.open[i]
	w.open = w.open[:i]
	w.spans[o.at].text = ""
	within := w.spans[o.at+1:]
	if o.url != "" && (deceptive(spanText(within), o.url) || !w.layout.labels(o.url)) {
		w.spellOut(o.url)
		return
	}
	for j := range within {
		within[j].apply(styleTags[t.name], o.url)
	}
	w.sealed = len(w.spans)
	if t.name == "summary" {
		w.add(newline)
	}
}

func (s *span) apply(more style, url string) {
	if s.text == newline {
		s.style |= more &^ code
		return
	}
	s.style |= more
	if s.style&code != 0 {
		s.style = code
	}
	if s.url == "" {
		s.url = url
	}
}

func spanText(spans []span) string { return line{spans: spans}.text() }
