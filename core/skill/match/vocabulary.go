package match

import (
	_ "embed"
	"strings"
	"sync"

	"talaria/core/text"
)

//go:embed vocabulary.txt
var vocabularyText string

//go:embed fillers.txt
var fillersText string

//go:embed common.txt
var commonText string

// longestRun is the most characters of a word in a script without spaces.
const longestRun = 8

// concept is a meaning that words of several languages share, or one named
// thing such as a product.
type concept struct {
	field  string // what it belongs to, such as health
	action bool   // something one does
	named  bool   // one thing with a name, such as a product
	kinds  []int  // what it is one of
}

// vocabulary holds what is known of words. Keys are stems joined by blanks, or
// a word in folded characters.
type vocabulary struct {
	concepts []concept
	meanings map[string][]int // key -> concepts
	fillers  map[string]bool  // words that say nothing of what is wanted
	known    map[string]bool  // words that are spelled right, unstemmed
	longest  map[string]int   // how many words the longest phrase has that begins with a stem
}

// words is the vocabulary, read once.
var words = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{meanings: map[string][]int{}, fillers: map[string]bool{}, known: map[string]bool{}, longest: map[string]int{}}
	for w := range strings.FieldsSeq(fillersText) {
		v.fillers[w], v.known[w] = true, true
	}
	for w := range strings.FieldsSeq(commonText) {
		v.known[w] = true
	}
	v.read(vocabularyText)
	return v
})

// read takes in lines. "# field" begins a field. A line of words, with those
// of other languages behind a bar, is a concept; a line with a colon names
// things, spellings of one thing joined by a slash, and behind the colon what
// they are.
func (v *vocabulary) read(lines string) {
	field := ""
	var named [][2]string
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "# "); ok {
			field = rest
			continue
		}
		if names, kinds, ok := strings.Cut(line, " : "); ok {
			named = append(named, [2]string{names, kinds})
			for group := range strings.FieldsSeq(names) {
				v.name(field, strings.Split(group, "/"))
			}
			continue
		}
		if kin, ok := strings.CutPrefix(line, "~ "); ok {
			v.family(strings.Fields(kin))
			continue
		}
		if line != "" {
			v.concept(concept{field: field, action: field == "action"}, strings.Fields(line))
		}
	}
	for _, n := range named {
		v.classify(n[0], strings.Fields(n[1]))
	}
}

// concept adds a concept with its words.
func (v *vocabulary) concept(c concept, names []string) int {
	id := len(v.concepts)
	v.concepts = append(v.concepts, c)
	for _, name := range names {
		if name != "|" {
			v.mean(name, id)
		}
	}
	return id
}

// family makes actions kin: not the same, but seldom what tells two things apart.
func (v *vocabulary) family(names []string) {
	of := v.concept(concept{action: true}, nil)
	for _, name := range names {
		if ids := v.meanings[key(name)]; len(ids) > 0 {
			v.concepts[ids[0]].kinds = append(v.concepts[ids[0]].kinds, of)
		}
	}
}

// name adds a named thing, unless it is there.
func (v *vocabulary) name(field string, spellings []string) {
	if len(v.namedThing(spellings[0])) == 0 {
		v.concept(concept{field: field, named: true}, spellings)
	}
}

// namedThing returns the named things of that spelling.
func (v *vocabulary) namedThing(spelling string) []int {
	var out []int
	for _, id := range v.meanings[key(spelling)] {
		if v.concepts[id].named {
			out = append(out, id)
		}
	}
	return out
}

// classify says what named things are. A kind that is no word yet becomes one.
func (v *vocabulary) classify(names string, kinds []string) {
	var ids []int
	for _, k := range kinds {
		of := v.namedThing(k)
		if len(of) == 0 {
			of = v.meanings[key(k)]
		}
		if len(of) == 0 {
			of = []int{v.concept(concept{}, []string{k})}
		}
		ids = append(ids, of...)
	}
	for group := range strings.FieldsSeq(names) {
		for _, id := range v.namedThing(strings.Split(group, "/")[0]) {
			v.concepts[id].kinds = append(v.concepts[id].kinds, ids...)
		}
	}
}

// mean adds a meaning to a word.
func (v *vocabulary) mean(name string, id int) {
	k := key(name)
	if k == "" {
		return
	}
	for _, have := range v.meanings[k] {
		if have == id {
			return
		}
	}
	v.meanings[k] = append(v.meanings[k], id)
	first, _, _ := strings.Cut(k, " ")
	v.longest[first] = max(v.longest[first], strings.Count(k, " ")+1)
	for piece, run := range text.Pieces(name) {
		if !run {
			v.known[piece] = true
		}
	}
}

// key is how a word or phrase is looked up. Words in a script without spaces
// stand for themselves; mixed ones (a股) are joined.
func key(name string) string {
	var parts []string
	runs := false
	for piece, run := range text.Pieces(name) {
		runs = runs || run
		if !run {
			piece = text.Stem(piece)
		}
		parts = append(parts, piece)
	}
	if runs {
		return strings.Join(parts, "")
	}
	return strings.Join(parts, " ")
}
