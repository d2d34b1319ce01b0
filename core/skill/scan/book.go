package scan

import (
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"sync"

	"talaria/core/text"
)

// The rules are data, one file a topic. A file holds signs, which are lists of
// phrases with one meaning in all languages, and rules, which say what signs
// mean together:
//
//	sign NAME [prose|code]
//	  phrase, phrase*, ...      (a star stands for any ending)
//	rule TOPIC.NAME SEVERITY [memory]
//	  when sign sign|sign ...   (near each other in one sentence or block)
//	  when sign !sign           (the second with a "not", see negation.go)
//	  near sign sign            (in two sentences that follow each other)
//	  tight sign sign           (in one line)
//	  but sign                  (not where this is there too)
//	  anyway                    (also behind a "not": of states, not of deeds)
//	  say Sentence for people.
//	weigh NUMBER sign sign      (see suspicion.go)
//	explain sign sign
//
//go:embed rules/*.txt
var ruleFiles embed.FS

// book is all signs and rules.
type book struct {
	names map[string]sign
	first node // what phrases begin with
	rules []rule
	pairs []*rule         // the rules that look at two sentences
	whole map[string]bool // every word of a phrase

	weights [64 * len(set{})]int // for the sum of what no rule names, by sign
	explain []sign               // make that harmless

	harmless set // the signs that speak against a rule
}

// sign is a meaning; its number is its place in a set.
type sign int

// node is a word of a phrase and what may follow it.
type node struct {
	words, stems map[string]*node
	lengths      uint64 // of the stems, as bits; none has 64 bytes
	prose, code  []sign // the signs of the phrase that ends here
}

// rule says what signs mean where they stand together.
type rule struct {
	id       string
	severity Severity
	only     Kind // or empty for all kinds
	message  string
	when     [][]term
	near     [][]term
	but      set
	tight    bool // all in one line
	anyway   bool // a "not" nearby excuses nothing
}

// term is signs of which one must be there.
type term struct {
	any     set
	negated bool // with a "not"
}

// is reports whether a hit is what a term asks for.
func (t *term) is(h hit) bool { return t.any.has(h.sign) && (!t.negated || h.negated) }

// rules is the book, read when first needed.
var rules = sync.OnceValue(func() *book {
	b := &book{names: map[string]sign{}, whole: map[string]bool{}}
	files, err := fs.Glob(ruleFiles, "rules/*.txt")
	for _, name := range files {
		var raw []byte
		if raw, err = ruleFiles.ReadFile(name); err == nil {
			err = b.read(string(raw))
		}
		if err != nil {
			break
		}
	}
	if err != nil {
		panic(fmt.Errorf("the embedded rules: %w", err)) // a test reads them
	}
	for i := range b.rules {
		if r := &b.rules[i]; len(r.near) > 0 {
			b.pairs = append(b.pairs, r)
		}
	}
	return b
})

// sign returns the sign of a name, new if it was not named yet.
func (b *book) sign(name string) sign {
	n, ok := b.names[name]
	if !ok {
		n = sign(len(b.names))
		b.names[name] = n
	}
	return n
}

// known reports whether a word is in a phrase.
func (b *book) known(w string) bool { return b.whole[w] }

// read adds the signs and rules of a file.
func (b *book) read(file string) error {
	var phrases func(string) error
	for n, line := range strings.Split(file, "\n") {
		fields := strings.Fields(line)
		var err error
		switch {
		case len(fields) == 0 || fields[0] == "#":
		case fields[0] == "sign" && len(fields) > 1 && len(fields) < 4:
			name, where := b.sign(fields[1]), strings.Join(fields[2:], "")
			phrases = func(l string) error { return b.phrases(name, where, l) }
		case fields[0] == "rule" && len(fields) > 2 && weight(Severity(fields[2])) >= 0:
			phrases = nil
			b.rules = append(b.rules, rule{id: fields[1], severity: Severity(fields[2]), only: Kind(strings.Join(fields[3:], ""))})
		case fields[0] == "explain":
			phrases = nil
			for _, name := range fields[1:] {
				b.explain = append(b.explain, b.sign(name))
			}
		case fields[0] == "weigh" && len(fields) > 2:
			phrases, err = nil, b.weigh(fields[1], fields[2:])
		case phrases != nil:
			err = phrases(line)
		case len(b.rules) > 0:
			err = b.rules[len(b.rules)-1].add(b, fields)
		default:
			err = fmt.Errorf("no sign or rule is open")
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", n+1, err)
		}
	}
	return nil
}

// weigh gives signs their weight.
func (b *book) weigh(weight string, names []string) error {
	n, err := strconv.Atoi(weight)
	if err != nil {
		return fmt.Errorf("weight: %w", err)
	}
	for _, name := range names {
		b.weights[b.sign(name)] = n
	}
	return nil
}

// add takes one line of a rule.
func (r *rule) add(b *book, fields []string) error {
	switch fields[0] {
	case "when":
		r.when = append(r.when, b.terms(fields[1:]))
	case "near":
		r.near = append(r.near, b.terms(fields[1:]))
	case "but":
		for _, f := range fields[1:] {
			r.but.add(b.sign(f))
			b.harmless.add(b.sign(f))
		}
	case "tight":
		r.tight = true
		r.when = append(r.when, b.terms(fields[1:]))
	case "anyway":
		r.anyway = true
	case "say":
		r.message = strings.Join(fields[1:], " ")
	default:
		return fmt.Errorf("unknown word %q in a rule", fields[0])
	}
	return nil
}

func (b *book) terms(fields []string) []term {
	var out []term
	for _, f := range fields {
		var t term
		f, t.negated = strings.CutPrefix(f, "!")
		for name := range strings.SplitSeq(f, "|") {
			t.any.add(b.sign(name))
		}
		out = append(out, t)
	}
	return out
}

// phrases adds a line of phrases to a sign.
func (b *book) phrases(name sign, where, line string) error {
	for phrase := range strings.SplitSeq(line, ",") {
		words := phraseWords(phrase)
		if len(words) == 0 {
			continue
		}
		at := &b.first
		for _, w := range words {
			at = at.child(w)
			b.whole[strings.TrimSuffix(w, "*")] = true
		}
		if where != "code" {
			at.prose = append(at.prose, name)
		}
		if where != "prose" {
			at.code = append(at.code, name)
		}
	}
	return nil
}

// child is the node behind the next word, made if need be.
func (n *node) child(w string) *node {
	stem, isStem := strings.CutSuffix(w, "*")
	if n.words == nil {
		n.words, n.stems = map[string]*node{}, map[string]*node{}
	}
	in := n.words
	if isStem {
		in = n.stems
		n.lengths |= 1 << len(stem)
	}
	if in[stem] == nil {
		in[stem] = &node{}
	}
	return in[stem]
}

// phraseWords cuts a phrase exactly as texts are cut.
func phraseWords(phrase string) []string {
	s := scanner{folded: map[string]*spelling{}, book: &book{}}
	phrase = strings.TrimSpace(phrase)
	var out []string
	for piece := range strings.FieldsSeq(phrase) {
		star := strings.HasSuffix(piece, "*")
		words := s.words(nil, strings.TrimSuffix(piece, "*"), 1)
		for i, w := range words {
			folded := text.Fold(w.text)
			if star && i == len(words)-1 {
				folded += "*"
			}
			out = append(out, folded)
		}
	}
	return out
}
