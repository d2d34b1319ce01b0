package console

import (
	"bytes"
	"strings"
	"unicode"
)

// Bracketed paste (mode 2004 of xterm, which all terminals in use know): what is
// pasted comes between two marks.
const (
	bracketsOn  = "\x1b[?2004h"
	bracketsOff = "\x1b[?2004l"
	pasteBegin  = "\x1b[200~"
	pasteEnd    = "\x1b[201~"
)

// pastes finds what was pasted among the keys. It holds back what may be the
// beginning of a mark.
type pastes struct {
	held   []byte
	within bool
	text   []byte // pasted so far
}

// keys returns what a person would have typed to the same effect.
func (p *pastes) keys(typed []byte) []byte {
	p.held = append(p.held, typed...)
	var out []byte
	for {
		before, marked := p.before()
		if p.within {
			p.text = append(p.text, before...)
		} else {
			out = append(out, before...)
		}
		if !marked {
			return out
		}
		if p.within {
			out = append(out, pasted(p.text)...)
			p.text = nil
		}
		p.within = !p.within
	}
}

// before takes out what is held before the next mark, and the mark, if it is
// there. No paste holds a Ctrl-C: one that seems to has lost its end, and the
// person gives it up.
func (p *pastes) before() (keys []byte, marked bool) {
	mark := pasteBegin
	if p.within {
		mark = pasteEnd
	}
	keys, rest, marked := bytes.Cut(p.held, []byte(mark))
	if at := bytes.IndexByte(keys, ctrlC); p.within && at >= 0 {
		p.text, p.held = nil, p.held[at:]
		return nil, true
	}
	if !marked {
		n := len(p.held) - begun(p.held, mark)
		keys, rest = p.held[:n], p.held[n:]
	}
	p.held = rest
	return keys, marked
}

// begun is how much of a mark stands at the end of keys. A lone escape is none:
// it may be the key, which is not held back.
func begun(keys []byte, mark string) int {
	for n := min(len(keys), len(mark)-1); n > 1; n-- {
		if bytes.HasSuffix(keys, []byte(mark[:n])) {
			return n
		}
	}
	return 0
}

// The editor's line is one line of text. Line feeds and tabs stand in it as
// their pictures.
const (
	lineFeedPicture = '␊'
	tabPicture      = '␉'
)

// pasted is what was pasted as keys: without the end of its last line, for the
// person decides when it is sent, and without what would be keys to the editor.
func pasted(pasted []byte) string {
	text := strings.ToValidUTF8(string(pasted), "\ufffd")
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	return pictured(strings.TrimRight(text, "\n"))
}

// pictured is a text as one line, see written.
func pictured(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return lineFeedPicture
		case r == '\t':
			return tabPicture
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, text)
}

// written is the text that a line of the editor stands for.
func written(line string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case lineFeedPicture:
			return '\n'
		case tabPicture:
			return '\t'
		}
		return r
	}, line)
}
