package scan

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"talaria/core/secret"
)

// scanner collects the findings of one text.
type scanner struct {
	kind     Kind
	book     *book
	folded   map[string]*spelling // words already looked up, as written
	findings map[place]Finding
	topic    bool // the document is about defence
	length   int  // of the document, in parts
	depth    int  // how many encodings deep
	budget   int  // bytes that may still be decoded

	// What is used again and again, since making it anew is most of the work.
	sentenceWords []word
	hits, pair    []hit
	parser        *syntax.Parser
}

// place is where a rule spoke; it speaks once a line.
type place struct {
	rule string
	line int
}

// maxPlaces bounds what is collected from one text.
const maxPlaces = 2000

func newScanner(k Kind) *scanner {
	return &scanner{kind: k, book: rules(), folded: map[string]*spelling{}, findings: map[place]Finding{}, budget: maxDecoded}
}

// find notes a finding; a graver one of the same rule and line replaces it.
func (s *scanner) find(r rule, line int) {
	at := place{r.id, line}
	have, known := s.findings[at]
	if known && weight(have.Severity) >= weight(r.severity) || !known && len(s.findings) >= maxPlaces {
		return
	}
	s.findings[at] = Finding{Rule: r.id, Severity: r.severity, Line: line, Message: r.message}
}

// document scans a Markdown document or any other text for readers.
func (s *scanner) document(raw string) {
	clean := s.reveal(raw)
	d := parts(clean)
	s.topic, s.length = s.isDefence(d), len(d)
	s.read(d)
	s.keys(clean)
	s.encoded(clean, 1)
}

var ruleKey = rule{id: "secret.written-out", severity: Warning, message: "It holds a key or token written out."}

// keys notes a key that stands in the text for everybody to use.
func (s *scanner) keys(text string) {
	if why, at := secret.Known(text); why != "" {
		s.find(ruleKey, 1+strings.Count(text[:at], "\n"))
	}
}

// script scans a file that is code from end to end.
func (s *scanner) script(lang, raw string) {
	clean := s.reveal(raw)
	s.read([]part{{kind: code, lang: lang, text: clean, line: 1}})
	s.keys(clean)
	s.encoded(clean, 1)
}

// read judges parts in order. What introduces a part (its heading, the
// paragraph before it) tells whether it is shown or meant.
func (s *scanner) read(parts []part) {
	var heading, lead, last context // of the section, the list, the part before
	var previous []unit
	for _, p := range parts {
		switch {
		case p.kind == code:
			s.judge(s.codeUnits(p), heading.with(last))
			continue
		case p.kind == title:
			heading, lead, last = context{}, context{}, context{}
		}
		units := s.prose(p)
		intro := heading
		switch {
		case p.hidden:
			intro = context{hidden: true}
			s.tell(units, "concealed")
		case p.kind == item:
			intro = heading.with(lead)
		}
		s.judge(units, intro)
		s.judgePairs(append(previous, units...), intro)
		previous = units[max(len(units)-1, 0):]
		if p.hidden {
			continue
		}
		switch now := s.contextOf(p, units); p.kind {
		case title:
			heading = now
		case paragraph:
			lead, last = now, now
		case item:
			last = now
		}
	}
}

// isDefence reports whether the head of a document says that it is about
// finding or preventing attacks.
func (s *scanner) isDefence(parts []part) bool {
	for _, p := range parts[:min(len(parts), 4)] {
		if p.kind != title && p.kind != frontMatter {
			continue
		}
		for _, u := range s.prose(part{kind: paragraph, text: p.text, line: p.line}) {
			if u.has(s.book.sign("defence")) {
				return true
			}
		}
	}
	return false
}

// language is the tokenizer for a fence's or a file's name of a language, or
// empty where there is none.
func language(name string) string {
	name = strings.ToLower(name)
	for lang, names := range languages {
		if slices.Contains(names, name) {
			return lang
		}
	}
	return ""
}

var languages = map[string][]string{
	"shell":  {"sh", "bash", "zsh", "shell", "console", "shell-session", "ksh", "dash", "terminal", "command"},
	"python": {"py", "python", "python3", "pyw"},
	"javascript": {"js", "javascript", "ts", "typescript", "mjs", "cjs", "jsx", "tsx", "node", "java", "go", "rust", "rs", "c",
		"cpp", "php", "kotlin", "swift", "cs", "csharp", "scala"},
	"powershell": {"ps1", "powershell", "pwsh", "psm1"},
	"batch":      {"bat", "cmd", "batch", "dosbatch"},
	"ruby":       {"rb", "ruby", "perl", "pl", "r", "lua"},
	"config":     {"yaml", "yml", "toml", "ini", "dockerfile", "makefile", "make", "json", "sql", "service", "plist", "conf"},
}
