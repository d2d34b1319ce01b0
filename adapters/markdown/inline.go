package markdown

import (
	"html"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
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
		w.bare(url, url)
	case deceptive(label, url):
		w.add(" (")
		w.bare(url, url)
		w.add(")")
	default:
		for i := range w.spans[start:] {
			w.spans[start+i].url = url
			w.spans[start+i].auto = label == url
		}
		w.sealed = len(w.spans)
	}
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
		w.add(inert([]byte(target)))
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
	if o.url != "" && deceptive(spanText(within), o.url) {
		w.add(" (")
		w.bare(o.url, o.url)
		w.add(")")
		return
	}
	for j := range within {
		within[j].apply(styleTags[t.name], o.url)
	}
	w.sealed = len(w.spans)
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

// tidy joins what belongs together and moves blanks out of the ends of styles
// and links, since a mark beside a blank is no mark on any platform.
func tidy(spans []span, l layout) []span {
	out := make([]span, 0, len(spans))
	for i, s := range spans {
		switch {
		case s.text == "":
		case s.text == newline || s.style == 0 && s.url == "":
			out = extend(out, s)
		case s.style&code != 0 && s.url == "":
			out = extend(out, s)
		default:
			out = hug(out, s, neighbour(spans, i))
		}
	}
	return embellish(out, l)
}

// neighbour is the span after the one at i, if any.
func neighbour(spans []span, i int) span {
	for _, s := range spans[i+1:] {
		if s.text != "" {
			return s
		}
	}
	return span{}
}

// hug appends s, its outer blanks only in what it shares with the spans around.
func hug(out []span, s, next span) []span {
	core := strings.TrimLeftFunc(s.text, unicode.IsSpace)
	if n := len(s.text) - len(core); n > 0 {
		var prev span
		if len(out) > 0 {
			prev = out[len(out)-1]
		}
		out = extend(out, shared(s, prev, s.text[:n]))
	}
	core = strings.TrimRightFunc(core, unicode.IsSpace)
	if core != "" {
		rest := s.text[strings.LastIndex(s.text, core)+len(core):]
		s.text = core
		out = extend(out, s)
		if rest != "" {
			out = extend(out, shared(s, next, rest))
		}
	}
	return out
}

// shared is text in the styles that two neighbours have in common.
func shared(a, b span, text string) span {
	s := span{text: text, style: a.style & b.style &^ code}
	if a.url == b.url {
		s.url, s.auto = a.url, a.auto
	}
	return s
}

// extend appends s, or adds it to the last span if the two are alike.
func extend(out []span, s span) []span {
	if n := len(out); n > 0 && s.text != newline {
		last := &out[n-1]
		if last.text != newline && last.style == s.style && last.url == s.url && last.auto == s.auto {
			last.text += s.text
			return out
		}
	}
	return append(out, s)
}

// unescape resolves back-slashes and character references in one pass.
func unescape(b []byte) string {
	s := string(b)
	if !strings.ContainsAny(s, `\&`) {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && util.IsPunct(s[i+1]) {
			i++
			out.WriteByte(s[i])
			continue
		}
		if n := referenceLen(s[i:]); n > 0 {
			out.WriteString(clean(html.UnescapeString(s[i : i+n])))
			i += n - 1
			continue
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

// referenceLen is the length of the character reference that s begins with.
func referenceLen(s string) int {
	if s[0] != '&' {
		return 0
	}
	for i := 1; i < min(len(s), 33); i++ {
		c := s[i]
		if c == ';' && i > 1 {
			return i + 1
		}
		if !util.IsAlphaNumeric(c) && c != '#' {
			return 0
		}
	}
	return 0
}
