package text

import (
	"slices"
	"strings"
)

// Stem returns the stem of an English word in lower case: irregular forms are
// brought to their base first, then the Porter2 ("English Snowball") algorithm
// applies. A word with anything but a to z and the apostrophe comes back as
// it is.
func Stem(w string) string {
	w = strings.TrimSuffix(w, "'s")
	if base, ok := irregular[w]; ok {
		w = base
	}
	if s, ok := fixedStems[w]; ok {
		return s
	}
	if len(w) <= 2 || len(w) > 48 || strings.ContainsFunc(w, notEnglish) {
		return w
	}
	var buf [49]byte
	p := porter{b: append(buf[:0], w...)}
	return string(p.stem())
}

func notEnglish(r rune) bool { return (r < 'a' || r > 'z') && r != '\'' }

// fixedStems are the exceptions that the algorithm names.
var fixedStems = map[string]string{
	"skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie",
	"idly": "idl", "gently": "gentl", "ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl",
	"sky": "sky", "news": "news", "howe": "howe", "atlas": "atlas", "cosmos": "cosmos", "bias": "bias", "andes": "andes",
}

// fixedLater are exceptions that hold once a plural s is gone.
var fixedLater = set("inning outing canning herring earring proceed exceed succeed")

// porter holds a word while it is stemmed. An Y is a y that is a consonant.
type porter struct {
	b      []byte
	r1, r2 int // where the regions that suffixes must lie in begin
}

func (p *porter) stem() []byte {
	if p.b[0] == '\'' {
		p.b = p.b[1:]
	}
	p.markY()
	p.regions()
	p.step0()
	p.step1a()
	if !fixedLater[string(p.b)] {
		p.step1b()
		p.step1c()
		p.step2()
		p.step3()
		p.step4()
		p.step5()
	}
	for i, c := range p.b {
		if c == 'Y' {
			p.b[i] = 'y'
		}
	}
	return p.b
}

func vowel(c byte) bool {
	switch c {
	case 'a', 'e', 'i', 'o', 'u', 'y':
		return true
	}
	return false
}

func (p *porter) markY() {
	for i, c := range p.b {
		if c == 'y' && (i == 0 || vowel(p.b[i-1])) {
			p.b[i] = 'Y'
		}
	}
}

func (p *porter) regions() {
	p.r1 = p.regionFrom(0)
	for _, prefix := range [...]string{"gener", "commun", "arsen"} {
		if strings.HasPrefix(string(p.b), prefix) {
			p.r1 = len(prefix)
		}
	}
	p.r2 = p.regionFrom(p.r1)
}

// regionFrom is the place after the first consonant that follows a vowel.
func (p *porter) regionFrom(i int) int {
	for i++; i < len(p.b); i++ {
		if !vowel(p.b[i]) && vowel(p.b[i-1]) {
			return i + 1
		}
	}
	return len(p.b)
}

func (p *porter) ends(suffix string) bool {
	return len(p.b) >= len(suffix) && string(p.b[len(p.b)-len(suffix):]) == suffix
}

// longest returns the longest of the suffixes, which are sorted by length
// from the longest, or "".
func (p *porter) longest(suffixes ...string) string {
	for _, s := range suffixes {
		if p.ends(s) {
			return s
		}
	}
	return ""
}

func (p *porter) cut(n int) { p.b = p.b[:len(p.b)-n] }

func (p *porter) replace(suffix, with string) {
	p.cut(len(suffix))
	p.b = append(p.b, with...)
}

func (p *porter) in(region int, suffix string) bool { return len(p.b)-len(suffix) >= region }

func (p *porter) vowelBefore(end int) bool {
	return slices.ContainsFunc(p.b[:max(end, 0)], vowel)
}

func (p *porter) before(suffix string) byte {
	if n := len(p.b) - len(suffix); n > 0 {
		return p.b[n-1]
	}
	return 0
}

// endsShort reports whether b ends in a short syllable.
func endsShort(b []byte) bool {
	n := len(b)
	if n == 2 {
		return vowel(b[0]) && !vowel(b[1])
	}
	if n < 3 {
		return false
	}
	last := b[n-1]
	return !vowel(last) && last != 'w' && last != 'x' && last != 'Y' && vowel(b[n-2]) && !vowel(b[n-3])
}

func (p *porter) step0() { p.cut(len(p.longest("'s'", "'s", "'"))) }

func (p *porter) step1a() {
	switch s := p.longest("sses", "ied", "ies", "us", "ss", "s"); s {
	case "sses":
		p.cut(2)
	case "ied", "ies":
		if len(p.b) > 4 {
			p.cut(2)
		} else {
			p.cut(1)
		}
	case "s":
		if p.vowelBefore(len(p.b) - 2) {
			p.cut(1)
		}
	}
}

func (p *porter) step1b() {
	s := p.longest("eedly", "ingly", "edly", "eed", "ing", "ed")
	switch s {
	case "":
		return
	case "eed", "eedly":
		if p.in(p.r1, s) {
			p.replace(s, "ee")
		}
		return
	}
	if !p.vowelBefore(len(p.b) - len(s)) {
		return
	}
	p.cut(len(s))
	switch {
	case p.longest("at", "bl", "iz") != "":
		p.b = append(p.b, 'e')
	case p.longest("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt") != "":
		p.cut(1)
	case p.r1 >= len(p.b) && endsShort(p.b):
		p.b = append(p.b, 'e')
	}
}

func (p *porter) step1c() {
	n := len(p.b)
	if n > 2 && (p.b[n-1] == 'y' || p.b[n-1] == 'Y') && !vowel(p.b[n-2]) {
		p.b[n-1] = 'i'
	}
}

// rule is a suffix and what it becomes.
type rule struct{ suffix, with string }

var step2Rules = []rule{
	{"ational", "ate"}, {"ization", "ize"}, {"fulness", "ful"}, {"ousness", "ous"}, {"iveness", "ive"},
	{"tional", "tion"}, {"biliti", "ble"}, {"lessli", "less"},
	{"entli", "ent"}, {"ation", "ate"}, {"alism", "al"}, {"aliti", "al"}, {"ousli", "ous"}, {"iviti", "ive"}, {"fulli", "ful"},
	{"enci", "ence"}, {"anci", "ance"}, {"abli", "able"}, {"izer", "ize"}, {"ator", "ate"}, {"alli", "al"},
	{"bli", "ble"}, {"ogi", "og"}, {"li", ""},
}

func (p *porter) step2() {
	r, ok := p.rule(step2Rules)
	if !ok || !p.in(p.r1, r.suffix) {
		return
	}
	switch before := p.before(r.suffix); {
	case r.suffix == "ogi" && before != 'l':
	case r.suffix == "li" && !strings.ContainsRune("cdeghkmnrt", rune(before)):
	default:
		p.replace(r.suffix, r.with)
	}
}

var step3Rules = []rule{
	{"ational", "ate"}, {"tional", "tion"}, {"alize", "al"}, {"icate", "ic"}, {"iciti", "ic"},
	{"ative", ""}, {"ical", "ic"}, {"ness", ""}, {"ful", ""},
}

func (p *porter) step3() {
	r, ok := p.rule(step3Rules)
	if !ok || !p.in(p.r1, r.suffix) || r.suffix == "ative" && !p.in(p.r2, r.suffix) {
		return
	}
	p.replace(r.suffix, r.with)
}

var step4Rules = []rule{
	{"ement", ""}, {"ance", ""}, {"ence", ""}, {"able", ""}, {"ible", ""}, {"ment", ""},
	{"ant", ""}, {"ent", ""}, {"ism", ""}, {"ate", ""}, {"iti", ""}, {"ous", ""}, {"ive", ""}, {"ize", ""}, {"ion", ""},
	{"al", ""}, {"er", ""}, {"ic", ""},
}

func (p *porter) step4() {
	r, ok := p.rule(step4Rules)
	if !ok || !p.in(p.r2, r.suffix) {
		return
	}
	if before := p.before(r.suffix); r.suffix == "ion" && before != 's' && before != 't' {
		return
	}
	p.cut(len(r.suffix))
}

func (p *porter) rule(rules []rule) (rule, bool) {
	for _, r := range rules {
		if p.ends(r.suffix) {
			return r, true
		}
	}
	return rule{}, false
}

func (p *porter) step5() {
	n := len(p.b)
	switch {
	case p.ends("e"):
		if p.in(p.r2, "e") || p.in(p.r1, "e") && !endsShort(p.b[:n-1]) {
			p.cut(1)
		}
	case p.ends("ll"):
		if p.in(p.r2, "l") {
			p.cut(1)
		}
	}
}
