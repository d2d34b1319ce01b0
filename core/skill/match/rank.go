package match

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"talaria/core/text"
)

// How much the ways to meet a slot count, against its very word.
const (
	byMeaning = 0.8
	byKind    = 0.45
	byTopic   = 0.16
	bySlip    = 0.85 // of what the right spelling would count
)

// saidAgain is what a second word for the same adds.
const saidAgain = 0.6

// alternative is one way to meet a slot.
type alternative struct {
	feature feature
	weight  float64
}

// wanted is a slot of a request with all ways to meet it.
type wanted struct {
	weight float64
	ways   []alternative
}

// fieldBonus is what it adds that a skill is about what the request is about.
const fieldBonus = 0.4

// maxWanted bounds the slots of a request that are looked at; a longer one
// quotes something.
const maxWanted = 60

// Match returns up to limit skills for a request.
func (ix *Index) Match(query string, limit int) Result {
	r := ix.read(query)
	return ix.result(r, ix.score(r), limit)
}

// candidate is a skill with what speaks for it.
type candidate struct {
	skill  int
	sum    float64 // weight met, rare things more
	direct float64 // of it, by the word or its meaning
	about  float64 // how much the request's fields of work are the skill's, 0..1
}

// request is what is wanted, and what it is about.
type request struct {
	wanted  []wanted
	topics  map[string]float64 // fields of work, as a vector of length 1
	fields  []string           // those of topics, in order
	strange float64            // share of the weight that no skill has, by word or meaning
}

// score weighs every skill that meets anything of the request.
func (ix *Index) score(r request) []candidate {
	all := make([]candidate, len(ix.skills))
	met := make([]gain, len(ix.skills))
	for _, w := range r.wanted {
		clear(met)
		for _, a := range w.ways {
			ix.meet(met, w.weight, a)
		}
		for i, m := range met {
			all[i].sum += m.any
			all[i].direct += m.direct
		}
	}
	var out []candidate
	for i, c := range all {
		if c.sum > 0 {
			c.skill = i
			c.about = ix.about(r, i)
			// Rounded, so that what is equal stays equal in whatever order it is added.
			c.sum = math.Round(c.sum*(1+fieldBonus*c.about)*1e9) / 1e9
			out = append(out, c)
		}
	}
	return out
}

// gain is the most that a skill gains by one wanted thing, in any of its ways
// and in the direct ones: by the word or its meaning.
type gain struct{ any, direct float64 }

// meet notes for every skill what it gains by one way to meet a wanted thing of
// a weight.
func (ix *Index) meet(met []gain, weight float64, a alternative) {
	list := ix.postings[a.feature]
	worth := weight * a.weight * ix.rarity(len(list))
	for _, p := range list {
		m, by := &met[p.skill], worth*p.amount/(p.amount+saturation)
		m.any = max(m.any, by)
		if a.weight > byKind {
			m.direct = max(m.direct, by)
		}
	}
}

// read analyses a request. The same slot twice counts once.
func (ix *Index) read(query string) request {
	v := words()
	r := request{topics: map[string]float64{}}
	total, strange := 0.0, 0.0
	seen, told := map[string]bool{}, map[int]bool{}
	for _, s := range v.slots(general(beginning(query, 4000))) {
		if seen[s.word] || len(r.wanted) == maxWanted {
			continue
		}
		seen[s.word] = true
		w := wanted{weight: s.weight, ways: ix.ways(v, s)}
		if saidBefore(told, s.means) {
			w.weight *= saidAgain
		}
		for _, f := range s.fields {
			r.topics[f] += w.weight / float64(len(s.fields))
		}
		total += w.weight
		if !ix.has(w) {
			strange += w.weight
		}
		r.wanted = append(r.wanted, w)
	}
	unit(r.topics)
	r.fields = slices.Sorted(maps.Keys(r.topics))
	if total > 0 {
		r.strange = strange / total
	}
	return r
}

// has reports whether any skill has a wanted thing, by word or meaning.
func (ix *Index) has(w wanted) bool {
	return slices.ContainsFunc(w.ways, func(a alternative) bool {
		return a.weight > byKind && len(ix.postings[a.feature]) > 0
	})
}

// ways lists how a slot can be met; a word that nobody knows is probably a slip.
func (ix *Index) ways(v *vocabulary, s slot) []alternative {
	ways := v.ways(nil, s, 1)
	if len(ix.postings[feature{kind: literal, word: s.word}]) > 0 || !s.unknown || s.raw == "" {
		return ways
	}
	for _, right := range ix.spellings(s.raw) {
		ways = v.ways(ways, v.single(right), bySlip)
	}
	return ways
}

// saidBefore reports whether any of the meanings was told already, and tells
// them.
func saidBefore(told map[int]bool, means []int) bool {
	before := false
	for _, id := range means {
		before = before || told[id]
		told[id] = true
	}
	return before
}

// single is the slot of one word that stands alone.
func (v *vocabulary) single(w string) slot {
	s := slot{word: text.Stem(w), raw: w, means: v.meanings[text.Stem(w)]}
	v.weigh(&s)
	return s
}

// ways lists how a slot can be met.
func (v *vocabulary) ways(to []alternative, s slot, factor float64) []alternative {
	if !s.filler {
		to = append(to, alternative{feature{kind: literal, word: s.word}, factor})
	}
	for _, id := range s.means {
		to = append(to, alternative{feature{kind: meaning, id: id}, byMeaning * factor})
	}
	for _, id := range s.kinds {
		to = append(to, alternative{feature{kind: meaning, id: id}, byKind * factor})
	}
	for _, f := range s.fields {
		to = append(to, alternative{feature{kind: topic, word: f}, byTopic * factor})
	}
	return to
}

// unknownField is what is assumed of a request that names no field of work.
const unknownField = 0.5

// about compares what a request and a skill are about.
func (ix *Index) about(r request, skill int) float64 {
	if len(r.topics) == 0 {
		return unknownField
	}
	sum := 0.0
	for _, f := range r.fields {
		sum += r.topics[f] * ix.topics[skill][f]
	}
	return sum
}

// result puts candidates in order and says how likely each is the right one.
func (ix *Index) result(r request, found []candidate, limit int) Result {
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.sum, a.sum), cmp.Compare(ix.skills[a.skill].Name, ix.skills[b.skill].Name))
	})
	first := ix.likelihood(r, found)
	var out Result
	for i, c := range found[:min(len(found), max(limit, 0))] {
		out.Ranked = append(out.Ranked, Scored{ix.skills[c.skill].Name, behind(first, i, c.sum/found[0].sum)})
	}
	out.None = len(out.Ranked) == 0 || out.Ranked[0].Score < Floor
	return out
}
