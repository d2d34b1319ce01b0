package markdown

import (
	"bytes"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// maxAddress is the most bytes of an address that becomes a link. Browsers and
// platforms stop at about two thousand.
const maxAddress = 2000

// zeroWidth breaks up what a platform would otherwise take for markup, a
// mention or an address.
const zeroWidth = "\u200b"

// addressParser makes bare http and https addresses links before any mark in
// them is looked at. Unlike goldmark's own it needs no space before, which
// Chinese text does not have.
type addressParser struct{}

var _ parser.InlineParser = addressParser{}

// Trigger implements parser.InlineParser: the scheme is looked for backwards,
// since goldmark asks at punctuation only.
func (addressParser) Trigger() []byte { return []byte{':'} }

// Parse implements parser.InlineParser.
func (addressParser) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if !bytes.HasPrefix(line, []byte("://")) {
		return nil
	}
	before, ok := parent.LastChild().(*ast.Text)
	if !ok || before.Segment.Stop != segment.Start {
		return nil
	}
	n := schemeAtEnd(before.Segment.Value(block.Source()))
	end := addressEnd(line)
	if n == 0 || end <= len("://") || !beginsHost(line[len("://"):end]) {
		return nil
	}
	start := segment.Start - n
	before.Segment = before.Segment.WithStop(start)
	block.Advance(end)
	return ast.NewAutoLink(ast.AutoLinkURL, ast.NewTextSegment(text.NewSegment(start, segment.Start+end)))
}

// schemeAtEnd is the length of the "http" or "https" that b ends with, if it
// is a word of its own.
func schemeAtEnd(b []byte) int {
	for _, scheme := range []string{"https", "http"} {
		at := len(b) - len(scheme)
		if at >= 0 && strings.EqualFold(string(b[at:]), scheme) && (at == 0 || !util.IsAlphaNumeric(b[at-1])) {
			return len(scheme)
		}
	}
	return 0
}

// beginsHost reports whether a host may begin so: "https://..." is how people
// write that there is some address.
func beginsHost(b []byte) bool {
	r, _ := utf8.DecodeRune(b)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// addressEnd is where the address ends that b begins with: before a blank, a
// character that has no place in an address, or full-width punctuation, and
// without the punctuation of the sentence around it.
func addressEnd(b []byte) int {
	end := bytes.IndexFunc(b, func(r rune) bool {
		return r <= ' ' || strings.ContainsRune("<>\"`[]{}|\\^“”„«»", r) || util.IsSpaceRune(r) || isCJK(r) && util.IsPunctRune(r)
	})
	if end < 0 {
		end = len(b)
	}
	b = b[:end]
	open := bytes.Count(b, []byte{'('}) - bytes.Count(b, []byte{')'})
	for len(b) > 0 {
		last := b[len(b)-1]
		if last == ')' && open < 0 {
			open++
		} else if strings.IndexByte("?!.,:;*_~'", last) < 0 {
			break
		}
		b = b[:len(b)-1]
	}
	return len(b)
}

// address gives the absolute form of a link's target, or nothing and false where
// it must not become a link: only http, https and mailto may.
func address(target []byte) (string, bool) {
	s := clean(string(util.URLEscape(target, true)))
	if len(s) > maxAddress || strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' }) {
		return "", false
	}
	scheme, rest, _ := strings.Cut(s, ":")
	scheme = strings.ToLower(scheme)
	switch scheme {
	case "http", "https":
		if host, ok := strings.CutPrefix(rest, "//"); !ok || host == "" || host[0] == '/' {
			return "", false
		}
	case "mailto":
		if rest == "" {
			return "", false
		}
	default:
		return "", false
	}
	return scheme + ":" + rest, true
}

func anyAddress(string) bool { return true }

// isWeb tells whether an address is one of the web.
func isWeb(url string) bool { return strings.HasPrefix(url, "http") }

// plainAddress is an address as people write it.
func plainAddress(url string) string { return strings.TrimPrefix(url, "mailto:") }

// inert is a refused target as text that no client makes a link of.
func inert(target []byte) string {
	s := strings.TrimSpace(unescape(target))
	if strings.HasPrefix(s, "#") {
		return ""
	}
	return strings.Replace(s, ":", ":"+zeroWidth, 1)
}

// deceptive tells whether a label passes itself off as another address than
// the one that it leads to, whole or by a host that it names.
func deceptive(label, target string) bool {
	label = strings.ToLower(strings.TrimSpace(label))
	t, err := url.PathUnescape(target)
	if err != nil {
		t = target
	}
	bare := bareAddress(strings.ToLower(t))
	if strings.Contains(label, "://") || strings.HasPrefix(label, "www.") {
		return bareAddress(label) != bare
	}
	host := bare
	if end := strings.IndexAny(bare, "/?#"); end >= 0 {
		host = bare[:end]
	}
	for _, named := range hostInLabel.FindAllString(label, -1) {
		if host != named && !strings.HasSuffix(host, "."+named) && !strings.HasSuffix(bare, "/"+named) {
			return true
		}
	}
	return false
}

// hostInLabel is a host in a text, told from names of files and versions by its
// end.
var hostInLabel = regexp.MustCompile(`\b(?:[a-z0-9-]+\.)+(?:com|org|net|edu|gov|info|dev|app|io|ai|cn|de|uk|eu|fr|jp)\b`)

// bareAddress is an address without what people leave out.
func bareAddress(s string) string {
	if _, rest, ok := strings.Cut(s, "://"); ok {
		s = rest
	}
	return strings.TrimSuffix(strings.TrimPrefix(s, "www."), "/")
}
