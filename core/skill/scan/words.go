package scan

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"talaria/core/text"
)

// word is one token of a text: a run of letters and digits, or one character
// of a script that is written without blanks.
type word struct {
	*spelling
	line   int
	quoted bool   // within quotation marks or inline code
	url    string // the address that begins here
	mails  bool   // it is what stands before the @ of an address of mail
	inURL  bool   // within an address, whose words say little
	ends   bool   // a sentence ends behind it
	gap    rune   // the character before it
}

// spelling is what is known of a word wherever it stands.
type spelling struct {
	text   string  // folded
	begins []*node // behind it, in the phrases that it may begin
}

// words tokenizes prose. A mark such as $ ~ . - at the front of a word is part
// of it, so that paths, variables and options keep their meaning. They are added
// to those of out.
func (s *scanner) words(out []word, raw string, line int) []word {
	first := len(out)
	out = slices.Grow(out, len(raw)/6)
	q := quotes{}
	address := 0 // where the last one ends
	for i := 0; i < len(raw); {
		r, size := utf8.DecodeRuneInString(raw[i:])
		switch {
		case r == '\n':
			line++
			q.newline()
		case isWord(r) || leads(raw, i, r):
			n := wordLength(raw[i:], r)
			before, _ := utf8.DecodeLastRuneInString(raw[:i])
			w := word{gap: before, spelling: s.spelling(raw[i : i+n]), line: line, quoted: q.inside(), inURL: i < address}
			if w.url = urlAt(raw[i:]); w.url != "" && !strings.Contains(w.url, "{") {
				w.inURL, address = true, i+len(w.url)
			}
			w.mails = mailAt(raw[i+n:])
			out = append(out, w)
			i += n
			continue
		case ends(raw[i+size:], r) && len(out) > first:
			out[len(out)-1].ends = true
		}
		q.see(r, raw, i, size)
		i += size
	}
	return out
}

// isWord reports whether a word may consist of r.
func isWord(r rune) bool {
	if r <= unicode.MaxASCII {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || unicode.Is(unicode.Mn, r)
}

// leads reports whether the mark at i begins a word.
func leads(raw string, i int, r rune) bool {
	if !strings.ContainsRune("$~.-/", r) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(raw[:i])
	next, _ := utf8.DecodeRuneInString(raw[i+1:])
	switch r {
	case '~':
		return i == 0 || next == '/'
	case '/':
		return false
	case '-':
		return (i == 0 || unicode.IsSpace(before)) && (isWord(next) || next == '-')
	}
	return (i == 0 || !isWord(before) && !strings.ContainsRune(")]}", before)) && isWord(next)
}

func wordLength(raw string, first rune) int {
	if alone(first) {
		return utf8.RuneLen(first)
	}
	marks := first == '-' || first == '.' || first == '$'
	for i, r := range raw {
		switch {
		case isWord(r) && !alone(r):
			marks = false
		case marks && (r == '-' || i == 0), i == 0:
		case r == '\'' && i > 0 && negates(raw[i:]):
		default:
			return i
		}
	}
	return len(raw)
}

// negates reports whether the apostrophe at the front is that of "don't".
func negates(s string) bool {
	if !strings.HasPrefix(s, "'t") {
		return false
	}
	next, _ := utf8.DecodeRuneInString(s[2:])
	return !isWord(next) || len(s) == 2
}

// alone reports whether r is a word of its own, as its script has no blanks.
func alone(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}

// ends reports whether a sentence ends with r, rest being what follows.
func ends(rest string, r rune) bool {
	switch r {
	case '。', '！', '？', '；':
		return true
	case '.', '!', '?', ';':
		next, _ := utf8.DecodeRuneInString(rest)
		return rest == "" || unicode.IsSpace(next) || strings.ContainsRune("\"'”’)]*_»", next)
	}
	return false
}

// quotes follows quotation marks and inline code through a text.
type quotes struct {
	tick  bool
	close rune // what closes the open quotation
	since int  // lines
}

var closing = map[rune]rune{'"': '"', '“': '”', '„': '“', '«': '»', '「': '」', '『': '』', '‘': '\'', '《': '》'}

func (q *quotes) inside() bool { return q.tick || q.close != 0 }

// newline ends a quotation that nobody closed.
func (q *quotes) newline() {
	if q.since++; q.since > 3 {
		*q = quotes{}
	}
}

func (q *quotes) see(r rune, raw string, i, size int) {
	before, _ := utf8.DecodeLastRuneInString(raw[:i])
	next, _ := utf8.DecodeRuneInString(raw[i+size:])
	switch {
	case r == '`':
		q.tick, q.since = !q.tick, 0
	case q.tick:
	case q.close != 0 && (r == q.close || r == '”' && q.close == '“'):
		q.close = 0
	case q.close == 0 && closing[r] != 0:
		q.close, q.since = closing[r], 0
	case q.close == 0 && r == '\'' && !isWord(before) && isWord(next):
		q.close, q.since = '\'', 0
	}
}

// spelling looks a word up, brought to the form in which the books have it.
func (s *scanner) spelling(raw string) *spelling {
	if f, ok := s.folded[raw]; ok {
		return f
	}
	f := text.Fold(raw)
	if plain := unleet(f); plain != f && s.book.known(plain) {
		f = plain
	}
	found := &spelling{text: f}
	s.book.first.each(f, func(n *node) { found.begins = append(found.begins, n) })
	s.folded[raw] = found
	return found
}

var leet = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t")

// unleet reads digits within a word as the letters they look like.
func unleet(w string) string {
	if !strings.ContainsAny(w, "013457") || strings.Trim(w, "0123456789") == "" || len(w) < 4 {
		return w
	}
	return leet.Replace(w)
}

// maxURL bounds an address, in bytes.
const maxURL = 500

// urlAt returns the address that a text begins with, or "".
func urlAt(raw string) string {
	raw = raw[:min(len(raw), maxURL)]
	scheme := raw[:min(len(raw), 8)]
	if !strings.HasPrefix(scheme, "http://") && !strings.HasPrefix(scheme, "https://") && !strings.HasPrefix(scheme, "ftp://") {
		return ""
	}
	end := strings.IndexFunc(raw, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("\"'`<>|\\。，）", r)
	})
	if end < 0 {
		end = len(raw)
	}
	return strings.TrimRight(raw[:end], ".,;:)]")
}

// maxHost bounds the host of an address of mail, in bytes.
const maxHost = 255

// mailAt reports whether a text goes on with the @ and the host of an address
// of mail.
func mailAt(raw string) bool {
	if !strings.HasPrefix(raw, "@") {
		return false
	}
	host := raw[1:min(len(raw), maxHost)]
	if end := strings.IndexFunc(host, func(r rune) bool { return r > unicode.MaxASCII || !isWord(r) && r != '.' && r != '-' }); end >= 0 {
		host = host[:end]
	}
	host = strings.TrimRight(host, ".")
	top := host[strings.LastIndexByte(host, '.')+1:]
	return len(top) < len(host) && strings.Trim(top, "0123456789") != ""
}
