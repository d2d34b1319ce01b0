package scan

import (
	"bytes"
	"encoding/binary"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Text is a file of a skill as a text, false where it is none. It is what
// ScanFiles reads, so nothing else of a file may be shown to a model or a
// person as its text. UTF-16 is decoded; other bytes that are no UTF-8 are read
// as Windows-1252, and control characters are dropped.
func Text(name string, data []byte) (string, bool) {
	f := read(name, data)
	return f.text, f.form != binaryForm
}

// form is how the bytes of a file hold a text.
type form int

const (
	utf8Form    form = iota
	utf16Form        // by its byte order mark or its zero bytes
	foreignForm      // no UTF-8, without control characters: another encoding
	brokenForm       // called a text, with control characters or zero bytes in it
	binaryForm       // no text
)

// reading is a file as it was read. Of bytes with two meanings, other is the
// text that the second one gives.
type reading struct {
	form        form
	text, other string
}

func read(name string, data []byte) reading {
	if utf8.Valid(data) && !slices.Contains(data, 0) {
		return reading{form: utf8Form, text: string(data)}
	}
	western := decoded(data, charmap.Windows1252.DecodeByte)
	bare := decoded(data, nothing)
	if order := wide(data); order != nil {
		raw := fromUTF16(data, order)
		if controls(raw)*mostControls <= len(data)/2 {
			return reading{form: utf16Form, text: decoded(raw, nothing), other: bare}
		}
	}
	odd := controls(data)
	switch {
	case odd*mostControls > len(data) && !namedText(name):
		return reading{form: binaryForm}
	case odd > 0:
		return reading{form: brokenForm, text: western, other: bare}
	}
	return reading{form: foreignForm, text: western, other: bare}
}

// mostControls bounds the control characters of a text: one in so many. Of what
// is compressed they are one byte in nine.
const mostControls = 20

func controls(data []byte) int {
	n := 0
	for _, b := range data {
		if b < ' ' && !isSpace(rune(b)) || b == 0x7f {
			n++
		}
	}
	return n
}

func nothing(byte) rune { return 0 }

// decoded reads UTF-8 without control characters; bytes that are none have a
// rune each, zero for none.
func decoded(data []byte, odd func(byte) rune) string {
	var out strings.Builder
	for len(data) > 0 {
		r, n := utf8.DecodeRune(data)
		if r == utf8.RuneError && n == 1 {
			r = odd(data[0])
		}
		if !unicode.IsControl(r) || isSpace(r) {
			out.WriteRune(r)
		}
		data = data[n:]
	}
	return out.String()
}

func isSpace(r rune) bool { return r == '\n' || r == '\t' || r == '\r' || r == '\f' }

// wide is the byte order of UTF-16, nil for anything else. Without a mark, one
// half of the bytes of most languages' texts is zeros.
func wide(data []byte) binary.ByteOrder {
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		return binary.LittleEndian
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return binary.BigEndian
	}
	var zeros [2]int
	for i, b := range data {
		if b == 0 {
			zeros[i%2]++
		}
	}
	const some, few = 2, 20 // one pair in so many
	switch pairs := len(data) / 2; {
	case pairs < 2:
		return nil
	case zeros[1]*some >= pairs && zeros[0]*few <= pairs:
		return binary.LittleEndian
	case zeros[0]*some >= pairs && zeros[1]*few <= pairs:
		return binary.BigEndian
	}
	return nil
}

func fromUTF16(data []byte, order binary.ByteOrder) []byte {
	units := make([]uint16, 0, len(data)/2)
	for pair := range slices.Chunk(data[:len(data)/2*2], 2) {
		units = append(units, order.Uint16(pair))
	}
	return []byte(strings.TrimPrefix(string(utf16.Decode(units)), "\uFEFF"))
}

// namedText reports whether a file is called as texts are.
func namedText(name string) bool {
	ext := strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))
	return language(ext) != "" || slices.Contains(textNames, ext)
}

var textNames = []string{
	"md", "markdown", "mdx", "txt", "text", "rst", "adoc", "org", "tex", "html", "htm", "xml", "svg", "css", "csv", "tsv",
	"jsonl", "json5", "log", "env", "cfg", "tmpl", "tpl", "j2", "awk", "sed", "fish", "vbs", "diff", "patch",
}

// mediaNames are those of files that people look at and no reader of text opens.
var mediaNames = []string{
	"png", "jpg", "jpeg", "gif", "webp", "ico", "bmp", "tif", "tiff", "avif", "heic", "pdf", "docx", "xlsx", "pptx", "odt", "ods",
	"odp", "ttf", "otf", "woff", "woff2", "mp3", "wav", "ogg", "flac", "m4a", "mp4", "webm", "mov",
}

// isProgram reports whether a file is there to be run.
func isProgram(name string, data []byte) bool {
	lang := language(strings.TrimPrefix(path.Ext(name), "."))
	return lang != "" && lang != "config" || strings.HasPrefix(name, "scripts/") || bytes.HasPrefix(data, []byte("#!"))
}

// unread says of a file that is no plain text what could be missed in it.
func (s *scanner) unread(name string, data []byte, f form) {
	media := slices.Contains(mediaNames, strings.ToLower(strings.TrimPrefix(path.Ext(name), ".")))
	r := rule{id: "hidden.binary", severity: Warning, message: "The file is no text and was not looked into."}
	switch f {
	case utf8Form:
		return
	case utf16Form:
		r = rule{id: "hidden.charset", severity: Notice, message: "The file is not in UTF-8; it was read as UTF-16."}
	case foreignForm:
		r = rule{id: "hidden.charset", severity: Warning, message: "The file is not in UTF-8; it was read as Windows-1252, which may not be what it is."}
	case brokenForm:
		r.id, r.message = "hidden.bytes", "The text holds bytes that are none, which can keep words from being found."
	}
	switch {
	case f >= brokenForm && isProgram(name, data):
		r.severity = Danger
	case f == binaryForm && media:
		r.severity = Notice
	}
	s.find(r, 1)
}
