package scan

import (
	"encoding/base64"
	"encoding/hex"
	"html"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The bounds of decoding: what is decoded is scanned as a text of its own.
const (
	maxDepth   = 3
	maxDecoded = 256 << 10 // bytes for one scan
)

// encoding is a way to write text so that it is not read.
type encoding struct {
	mark   string // stands in each such text
	least  int    // how often
	looks  *regexp.Regexp
	decode func(string) (string, bool)
	inText bool // stands for single characters, so that a word may be half encoded
}

var encodings = []encoding{
	{`\`, 4, regexp.MustCompile(`(?:\\x[0-9a-fA-F]{2}){4,}|(?:\\u\{?[0-9a-fA-F]{4}\}?){4,}|(?:\\[0-3]?[0-7]{2,3}){6,}`), fromEscapes, true},
	{"%", 4, regexp.MustCompile(`(?:[^\s%]{0,20}%[0-9a-fA-F]{2}){4,}[^\s%]*`), fromPercent, true},
	{"&#", 4, regexp.MustCompile(`(?:&#x?[0-9a-fA-F]{2,6};){4,}`), fromEntities, true},
	{",", 7, regexp.MustCompile(`(?:\b\d{2,3}\b,? ?){8,}`), fromNumbers, false},
	{" ", 11, regexp.MustCompile(`(?:[0-9a-fA-F]{2}[ :]){12,}[0-9a-fA-F]{2}`), fromHex, false},
	{":", 11, regexp.MustCompile(`(?:[0-9a-fA-F]{2}:){12,}[0-9a-fA-F]{2}`), fromHex, false},
}

// encoded decodes what looks encoded and scans it. Images and the like decode
// to no text and are left.
func (s *scanner) encoded(text string, line int) {
	if s.depth >= maxDepth {
		return
	}
	n := line
	for l := range strings.Lines(text) {
		s.solid(l, n)
		for _, e := range encodings {
			if strings.Count(l, e.mark) >= e.least {
				s.spans(e, l, n)
			}
		}
		n++
	}
	if strings.Contains(strings.ToLower(text), "rot13") {
		s.inner(strings.Map(rot13, text), line)
	}
}

// spans decodes what is in one encoding in a line.
func (s *scanner) spans(e encoding, line string, n int) {
	for _, span := range e.looks.FindAllStringIndex(line, maxRuns) {
		out, ok := e.decode(line[span[0]:span[1]])
		switch {
		case !ok || !legible(out):
		case e.inText:
			s.inner(around(line, span, out), n)
		default:
			s.inner(out, n)
		}
	}
}

// solid decodes the long words of a line that may be base64 or hexadecimal.
func (s *scanner) solid(line string, n int) {
	for i := 0; i < len(line); {
		end := i
		for end < len(line) && isBase64(line[end]) {
			end++
		}
		if end-i < minSolid {
			i = end + 1
			continue
		}
		for _, decode := range []func(string) (string, bool){fromHex, fromBase64} {
			if out, ok := decode(line[i:end]); ok && legible(out) {
				s.inner(out, n)
				break
			}
		}
		i = end + 1
	}
}

// minSolid is the shortest encoded word that is looked at: a dozen characters
// say nothing.
const minSolid = 16

func isBase64(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '-' || c == '_'
}

func fromEntities(s string) (string, bool) { return html.UnescapeString(s), true }

// around is a line with a span of it decoded.
func around(line string, span []int, decoded string) string {
	before, after := line[:span[0]], line[span[1]:]
	return before[max(len(before)-maxAround, 0):] + decoded + after[:min(len(after), maxAround)]
}

// maxAround bounds what is taken of a line on each side, in bytes.
const maxAround = 500

// maxRuns bounds the encoded stretches that are looked at in a line.
const maxRuns = 100

// inner scans a text that was found within another, at a line of it. What is
// found there was hidden from people on purpose.
func (s *scanner) inner(text string, line int) {
	if len(text) > s.budget || s.depth >= maxDepth {
		return
	}
	s.budget -= len(text)
	sub := newScanner(s.kind)
	sub.budget, sub.depth, sub.folded = s.budget, s.depth+1, s.folded
	sub.document(text)
	if looksLikeShell(text) {
		sub.judge(sub.codeUnits(part{kind: code, lang: "sh", text: text, line: 1}), context{hidden: true})
	}
	s.budget = sub.budget
	for _, f := range sub.findings {
		if f.Severity == Notice {
			continue
		}
		s.find(rule{id: f.Rule, severity: f.Severity, message: f.Message}, line)
		s.find(rule{id: "hidden.encoded", severity: Danger, message: "Encoded or invisible text holds what would be refused or warned about in the open."}, line)
	}
}

// legible reports whether decoded bytes are a text that somebody wrote.
func legible(s string) bool {
	if !utf8.ValidString(s) || len(s) < 4 {
		return false
	}
	good, n := 0, 0
	for _, r := range s {
		n++
		if unicode.IsLetter(r) || r == ' ' || unicode.IsDigit(r) || strings.ContainsRune("-/.:|\"'", r) {
			good++
		}
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return false
		}
	}
	return good*10 >= n*8
}

// What base64 for addresses and hexadecimal with gaps are brought to.
var (
	standard = strings.NewReplacer("-", "+", "_", "/")
	packed   = strings.NewReplacer(" ", "", ":", "")
)

func fromBase64(s string) (string, bool) {
	s = strings.TrimRight(standard.Replace(s), "=")
	b, err := base64.RawStdEncoding.DecodeString(s[:len(s)/4*4])
	if rest := len(s) % 4; err == nil && rest > 1 {
		if full, err := base64.RawStdEncoding.DecodeString(s); err == nil {
			b = full
		}
	}
	if len(b) > 3 && b[1] == 0 && b[3] == 0 { // UTF-16, as PowerShell wants it
		b = []byte(strings.ReplaceAll(string(b), "\x00", ""))
	}
	return string(b), err == nil
}

func fromHex(s string) (string, bool) {
	b, err := hex.DecodeString(packed.Replace(s))
	return string(b), err == nil
}

// fromEscapes reads \x41, \u0041 and \101.
func fromEscapes(s string) (string, bool) {
	var out strings.Builder
	for piece := range strings.SplitSeq(s, `\`) {
		radix := 8
		if strings.HasPrefix(piece, "x") || strings.HasPrefix(piece, "u") {
			piece, radix = strings.Trim(piece[1:], "{}"), 16
		}
		if n, err := strconv.ParseUint(piece, radix, 21); err == nil {
			out.WriteRune(rune(n))
		}
	}
	return out.String(), true
}

func fromPercent(s string) (string, bool) {
	out, err := url.QueryUnescape(s)
	return out, err == nil && out != s
}

// fromNumbers reads a list of character codes.
func fromNumbers(s string) (string, bool) {
	var out strings.Builder
	for f := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == ',' || r == ' ' }) {
		n, err := strconv.ParseUint(f, 10, 16)
		if err != nil || n < 9 || n > 0x2fff {
			return "", false
		}
		out.WriteRune(rune(n))
	}
	return out.String(), true
}

func rot13(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z':
		return 'a' + (r-'a'+13)%26
	case r >= 'A' && r <= 'Z':
		return 'A' + (r-'A'+13)%26
	}
	return r
}
