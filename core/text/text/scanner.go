package text

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// token is a maximal piece of text of one class, in folded form: compatibility
// form, lower case, no Latin accents, simplified characters.
type token struct {
	class class
	at    span
	word  []byte // of a word: its text
	chars []char // of a run: its characters
}

// char is one character of a run. Raw is the one before traditional
// characters were simplified; at is its place in the text.
type char struct {
	folded, raw rune
	at          span
}

// span is a range of bytes.
type span struct{ start, end int }

// class is what kind of text a character belongs to.
type class uint8

const (
	gap   class = iota // separates tokens
	word               // letters, digits and marks of scripts with spaces
	run                // scripts without spaces, read in pairs
	joint              // belongs to a word only between two of its characters
)

// scanner reads tokens.
type scanner struct {
	text string
	pos  int
	held []unit // characters read but not used, from a segment of several
	buf  [4]unit
	tok  token
}

// unit is a character with its class.
type unit struct {
	char
	class class
}

// next returns the next token, or false at the end. The token is valid until
// the following call.
func (s *scanner) next() (*token, bool) {
	t := &s.tok
	t.class, t.word, t.chars = gap, t.word[:0], t.chars[:0]
	for {
		if len(s.held) == 0 && t.class != run {
			s.asciiWord()
		}
		u, ok := s.peek()
		switch {
		case !ok:
			return t, t.class != gap
		case u.class == joint && t.class == word && s.joins(u):
			if u.folded != ',' {
				t.add(u)
			}
		case t.class == gap && u.class != word && u.class != run: // nothing has begun yet
		case t.class == gap, t.class == u.class:
			t.add(u)
		default:
			return t, true
		}
		s.held = s.held[1:]
	}
}

// asciiWord takes letters and digits as long as nothing combines with them.
// It is the short way for most text; next comes to the same without it.
func (s *scanner) asciiWord() {
	t := &s.tok
	for s.pos < len(s.text) {
		c := asciiClass[s.text[s.pos]&0x7F]
		if s.text[s.pos] >= utf8.RuneSelf || c.class != word || s.pos+1 < len(s.text) && s.text[s.pos+1] >= utf8.RuneSelf {
			return
		}
		if t.class == gap {
			t.class, t.at.start = word, s.pos
		}
		t.word = append(t.word, c.folded)
		s.pos++
		t.at.end = s.pos
	}
}

func (t *token) add(u *unit) {
	if t.class == gap {
		t.class, t.at.start = u.class, u.at.start
	}
	t.at.end = u.at.end
	if t.class == word {
		t.word = utf8.AppendRune(t.word, u.folded)
	} else {
		t.chars = append(t.chars, u.char)
	}
}

// joins reports whether the joint j stands inside a word: an apostrophe
// between letters, a point or comma between digits.
func (s *scanner) joins(j *unit) bool {
	last, _ := utf8.DecodeLastRune(s.tok.word)
	after, _ := utf8.DecodeRuneInString(s.text[j.at.end:])
	if j.folded == '\'' {
		return unicode.IsLetter(last) && unicode.IsLetter(after)
	}
	return isDigit(last) && isDigit(after)
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

func (s *scanner) peek() (*unit, bool) {
	for len(s.held) == 0 {
		if s.pos >= len(s.text) {
			return nil, false
		}
		s.fill()
	}
	return &s.held[0], true
}

// fill reads one segment: a character that nothing combines with, or whatever
// Unicode composes into one piece.
func (s *scanner) fill() {
	s.held = s.buf[:0]
	rest := s.text[s.pos:]
	r, n := utf8.DecodeRuneInString(rest)
	simple := r < utf8.RuneSelf && (n == len(rest) || rest[n] < utf8.RuneSelf) || r >= hanFirst && r <= hanLast
	if !simple {
		n = max(norm.NFKC.NextBoundaryInString(rest, true), 1)
	}
	at := span{s.pos, s.pos + n}
	s.pos += n
	if simple {
		s.hold(r, at)
		return
	}
	for _, r := range norm.NFKC.String(rest[:n]) {
		s.hold(r, at)
	}
}

func (s *scanner) hold(r rune, at span) {
	raw := unicode.ToLower(r)
	s.held = append(s.held, unit{char{folded: fold(raw), raw: raw, at: at}, classify(r)})
}

// asciiClass holds the class and the lower case of the ASCII characters.
var asciiClass = func() (table [utf8.RuneSelf]struct {
	class  class
	folded byte
}) {
	for c := range byte(utf8.RuneSelf) {
		table[c].folded = byte(unicode.ToLower(rune(c)))
		switch {
		case unicode.IsLetter(rune(c)), isDigit(rune(c)):
			table[c].class = word
		case c == '\'', c == '.', c == ',':
			table[c].class = joint
		}
	}
	return table
}()

// classify sorts a character that is in compatibility form.
func classify(r rune) class {
	switch {
	case r < utf8.RuneSelf:
		return asciiClass[r].class
	case r >= hanFirst && r <= hanLast, r == 'ー', r == '々':
		return run
	case r == '’':
		return joint
	case r == utf8.RuneError:
		return gap
	case unicode.In(r, unspaced...):
		return run
	case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
		return word
	}
	return gap
}

// unspaced are the scripts that are read in pairs of characters. Korean has
// spaces, but its endings stick to the words.
var unspaced = []*unicode.RangeTable{
	unicode.Hiragana, unicode.Katakana, unicode.Han, unicode.Hangul,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}
