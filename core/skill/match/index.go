package match

import (
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"talaria/core/text"
)

// Index finds skills by what is asked for. It never changes and may be used
// from several goroutines; a new one is built when the library changes.
type Index struct {
	skills   []Skill
	postings map[feature][]posting
	topics   []map[string]float64 // what each skill is about
	spelled  map[string][]string  // known words by their first letter
}

// feature is something that a text can share with another: a word, a concept,
// a named thing's kind or a field.
type feature struct {
	kind featureKind
	word string
	id   int
}

type featureKind uint8

const (
	literal featureKind = iota
	meaning
	topic
)

// posting says how much a skill has of a feature.
type posting struct {
	skill  int
	amount float64
}

// The fields of a skill and how much they count (BM25F), and how much of a
// body is looked at.
const (
	nameField        = 3.0
	triggerField     = 1.6
	descriptionField = 1.5
	bodyField        = 0.25
	bodyLimit        = 1500 // bytes
	usualLength      = 25.0 // slots of a usual description
	lengthNorm       = 0.35
	saturation       = 1.2
	kindShare        = 0.5 // what a named thing is, beside the thing
	topicShare       = 0.3
)

// New builds an index over the skills, which must not be changed afterwards.
func New(skills []Skill) *Index {
	ix := &Index{skills: skills, postings: map[feature][]posting{}, spelled: map[string][]string{}}
	v := words()
	spelled := maps.Clone(v.known)
	for i, d := range describeAll(v, skills) {
		for f, amount := range d.amounts {
			ix.postings[f] = append(ix.postings[f], posting{i, amount})
		}
		ix.topics = append(ix.topics, d.topics())
		maps.Copy(spelled, d.words)
	}
	for w := range spelled {
		if len(w) >= shortestTypo && w[0] < utf8.RuneSelf {
			ix.spelled[w[:1]] = append(ix.spelled[w[:1]], w)
		}
	}
	return ix
}

// describeAll reads all skills, on every processor.
func describeAll(v *vocabulary, skills []Skill) []description {
	out := make([]description, len(skills))
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for first := range workers {
		wg.Go(func() {
			stem := remembering(text.Stem)
			for i := first; i < len(skills); i += workers {
				out[i] = describe(v, stem, skills[i])
			}
		})
	}
	wg.Wait()
	return out
}

// remembering is f that works out each answer once.
func remembering(f func(string) string) func(string) string {
	known := map[string]string{}
	return func(s string) string {
		r, ok := known[s]
		if !ok {
			r = f(s)
			known[s] = r
		}
		return r
	}
}

// description is a skill in features.
type description struct {
	v       *vocabulary
	stem    func(string) string
	amounts map[feature]float64
	words   map[string]bool
}

func describe(v *vocabulary, stem func(string) string, s Skill) description {
	d := description{v, stem, map[feature]float64{}, map[string]bool{}}
	d.add(s.Name, nameField, false)
	d.add(strings.Join(s.Triggers, "\n"), triggerField, true)
	d.add(s.Description, descriptionField, true)
	d.add(beginning(s.Body, bodyLimit), bodyField, true)
	return d
}

// add counts a field in. Long fields say each of their things less loudly.
func (d description) add(field string, weight float64, normalise bool) {
	slots := d.v.slotsBy(field, d.stem)
	if normalise {
		weight /= 1 - lengthNorm + lengthNorm*max(float64(len(slots))/usualLength, 0.5)
	}
	for _, s := range slots {
		if s.filler {
			continue
		}
		if s.raw != "" {
			d.words[s.raw] = true
		}
		d.amounts[feature{kind: literal, word: s.word}] += weight
		for _, id := range s.means {
			d.amounts[feature{kind: meaning, id: id}] += weight
		}
		for _, id := range s.kinds {
			d.amounts[feature{kind: meaning, id: id}] += weight * kindShare
		}
		for _, f := range s.fields {
			d.amounts[feature{kind: topic, word: f}] += weight * topicShare / float64(len(s.fields))
		}
	}
}

// topics is what the skill is about, by field, as a vector of length 1.
func (d description) topics() map[string]float64 {
	about := map[string]float64{}
	for f, amount := range d.amounts {
		if f.kind == topic {
			about[f.word] = amount
		}
	}
	return unit(about)
}

// unit brings a vector to length 1. It adds in one order, always: sums that differ
// in their last bit would rank equal skills now this way, now that.
func unit(v map[string]float64) map[string]float64 {
	sum := 0.0
	for _, k := range slices.Sorted(maps.Keys(v)) {
		sum += v[k] * v[k]
	}
	for k := range v {
		v[k] /= math.Sqrt(sum)
	}
	return v
}

// beginning cuts s to about n bytes, between characters.
func beginning(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// rarity is how much a feature tells that so many of all skills have, 0..1. In
// a small library chance says little about what is rare.
func (ix *Index) rarity(holding int) float64 {
	n, h := float64(max(len(ix.skills), smallLibrary)), float64(holding)
	return math.Log(1+(n-h+0.5)/(h+0.5)) / math.Log(2*n+2)
}

const smallLibrary = 100
