package markdown

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Telegram's limits for one message. Of these only the first is documented
// (https://core.telegram.org/bots/api#sendmessage); the server drops entities
// past the hundredth without a word, and refuses when their encoded form, most
// of all the addresses, becomes too long.
const (
	TelegramLimit    = 4096 // UTF-16 code units of the text
	telegramEntities = 100
	telegramURLs     = 8 << 10  // bytes of all addresses; about 9,500 were seen to fail
	telegramPayload  = 30 << 10 // bytes of the encoded text and entities, of 32 KiB in all
)

// telegram writes plain text and a list of entities: there is nothing to
// escape, and nothing that a parser could refuse.
type telegram struct{}

func (telegram) layout() layout {
	return layout{bullet: "• ", indent: 4, emoji: true, files: true, labels: telegramTakes}
}

// telegramTakes tells whether the server keeps a link to url: it drops those
// to hosts without a dot, and reads mailto as a host with a password.
func telegramTakes(url string) bool {
	_, rest, _ := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	return isWeb(url) && strings.ContainsAny(host, ".[")
}

func (telegram) limit() int { return TelegramLimit }

func (telegram) measure(p Part) int { return p.Units }

func (telegram) fits(p Part) bool {
	if p.Units > TelegramLimit || len(p.Entities) > telegramEntities {
		return false
	}
	urls := 0
	for _, e := range p.Entities {
		urls += len(e.URL)
	}
	return urls <= telegramURLs && encodedLen(p.Text)+urls+len(p.Entities)*96 <= telegramPayload
}

// encodedLen is the length of s in JSON as encoding/json writes it.
func encodedLen(s string) int {
	n := len(s)
	for i := range len(s) {
		switch s[i] {
		case '<', '>', '&':
			n += len(`\u003c`) - 1
		case '"', '\\', '\n', '\t':
			n++
		}
	}
	return n
}

func (telegram) write(lines []line) Part {
	w := entityWriter{text: make([]byte, 0, byteLen(lines))}
	for i, ln := range lines {
		var before line
		if i > 0 {
			before = lines[i-1]
		}
		w.line(before, ln, i == 0)
	}
	w.finish()
	return Part{Text: string(w.text), Units: w.units, Format: "entities", Entities: w.entities}
}

func (telegram) options() map[string]any {
	return map[string]any{"link_preview_options": map[string]any{"is_disabled": true}}
}

// entityWriter appends text and keeps the entities that are still open.
type entityWriter struct {
	text     []byte
	units    int // of text, in UTF-16
	entities []Entity
	styles   nest
	since    [len(allStyles)]int // where each open style began
	link     openEntity
	quote    openEntity
	pre      openEntity
	block    int // of the code that is open
}

// openEntity is an entity that has begun; open tells whether there is one.
type openEntity struct {
	Entity
	open bool
}

// line writes a line after the one before it.
func (w *entityWriter) line(before, ln line, first bool) {
	w.close(before, ln)
	lead := ln.lead
	switch {
	case ln.kind == literal || ln.kind == blank:
		lead = ""
	case first:
		lead = strings.TrimLeft(lead, " ")
	}
	if !first {
		w.add(newline)
	}
	w.begin(&w.quote, ln.quote > 0, Entity{Type: "blockquote"})
	w.begin(&w.pre, ln.kind == literal, Entity{Type: "pre", Language: ln.lang})
	w.block = ln.block
	if ln.quote > 1 {
		lead = strings.Repeat("│ ", ln.quote-1) + lead
	}
	w.add(lead)
	if ln.kind == literal {
		w.add(ln.text())
		return
	}
	w.spans(ln.spans)
}

// close ends what does not go on from one line to the next. Within a block a
// style does, so that it stays one entity.
func (w *entityWriter) close(before, ln line) {
	if w.link.open || len(before.spans) == 0 || len(ln.spans) == 0 || before.block != ln.block || before.kind == literal {
		w.restyle(0, nil)
	} else {
		next := ln.spans[0].style &^ code
		w.restyle(before.spans[len(before.spans)-1].style&next, nil)
	}
	w.end(&w.link)
	if w.pre.open && (ln.kind != literal || ln.block != w.block) {
		w.end(&w.pre)
	}
	if ln.quote == 0 {
		w.end(&w.quote)
	}
}

func (w *entityWriter) spans(spans []span) {
	for i, s := range spans {
		url := s.url
		if s.auto {
			url = "" // Telegram finds it itself
		} else if url != "" {
			s.style &^= code // a link cannot hold code
		}
		if w.link.open && w.link.URL != url || !w.link.open && url != "" {
			w.restyle(0, nil)
			w.end(&w.link)
			w.begin(&w.link, url != "", Entity{Type: "text_link", URL: url})
		}
		w.restyle(s.style, spans[i+1:])
		w.add(s.text)
	}
}

func (w *entityWriter) restyle(want style, following []span) {
	closing, opening := w.styles.change(want, following)
	for _, s := range closing {
		w.emit(Entity{Type: styleNames[s], Offset: w.since[index(s)]})
	}
	for _, s := range opening {
		w.since[index(s)] = w.units
	}
}

var styleNames = map[style]string{
	bold: "bold", italic: "italic", underline: "underline", strike: "strikethrough", code: "code",
}

func index(s style) int { return slices.Index(allStyles[:], s) }

func (w *entityWriter) begin(o *openEntity, want bool, e Entity) {
	if want && !o.open {
		e.Offset = w.units
		*o = openEntity{e, true}
	}
}

func (w *entityWriter) end(o *openEntity) {
	if o.open {
		w.emit(o.Entity)
		o.open = false
	}
}

// emit keeps an entity that ends here.
func (w *entityWriter) emit(e Entity) {
	e.Length = w.units - e.Offset
	if e.Length > 0 {
		w.entities = append(w.entities, e)
	}
}

func (w *entityWriter) finish() {
	w.restyle(0, nil)
	w.end(&w.link)
	w.end(&w.pre)
	w.end(&w.quote)
	slices.SortStableFunc(w.entities, func(a, b Entity) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(b.Length, a.Length))
	})
}

func (w *entityWriter) add(s string) {
	w.text = append(w.text, s...)
	w.units += utf16Len(s)
}

// utf16Len is the length of s in UTF-16 code units.
func utf16Len(s string) int {
	n := 0
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i++
			n++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}
