package when

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// piece is a part of a phrase that a rule has read, by its bytes.
type piece struct {
	from, to int
	rule     rule
	groups   groups
}

// filler tells that the piece says nothing about the time.
func (p piece) filler() bool { return p.rule.kind == "" }

// grammar are the rules by what a part can begin with.
type grammar struct{ letter, digit, other []rule }

var rules = sync.OnceValue(func() grammar {
	en, zh, zones := englishRules(), chineseRules(), zoneRules()
	all := append(append(en[:len(en):len(en)], zones...), zh...)
	return grammar{letter: append(en[:len(en):len(en)], zones...), digit: all, other: append(zh[:len(zh):len(zh)], zones...)}
})

// at are the rules to try before a character.
func (g grammar) at(c byte) []rule {
	switch {
	case c >= utf8.RuneSelf:
		return g.other
	case isLetter(c):
		return g.letter
	}
	return g.digit
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// scan reads the parts of a folded phrase, and passes over what is none.
func scan(text string, strict bool) []piece {
	var pieces []piece
	last := ""
	for at := 0; at < len(text); {
		if text[at] == ' ' {
			at++
			continue
		}
		p, ok := longest(text, at, last, strict)
		if !ok {
			at = skip(text, at)
			last = ""
			continue
		}
		if p.rule.kind == subject {
			at, last = p.to, ""
			continue
		}
		if !p.filler() {
			last = p.rule.kind
		}
		pieces = append(pieces, p)
		at = p.to
	}
	return pieces
}

// longest is the part that the rules read at a place.
func longest(text string, at int, last string, strict bool) (piece, bool) {
	best := piece{}
	for _, r := range rules().at(text[at]) {
		if r.strict && !strict || r.after != "" && r.after != last {
			continue
		}
		pattern := r.pattern()
		m := pattern.FindStringSubmatch(text[at:])
		if m == nil || len(m[0]) <= best.to-best.from {
			continue
		}
		if r.unless != nil && r.unless().MatchString(text[at+len(m[0]):]) {
			continue
		}
		best = piece{at, at + len(m[0]), r, groups{pattern, m}}
	}
	return best, best.to > best.from
}

// skip passes over a word of letters and digits, or one other character.
func skip(text string, at int) int {
	if isLetter(text[at]) || isDigit(text[at]) {
		for at < len(text) && (isLetter(text[at]) || isDigit(text[at]) || text[at] == '\'') {
			at++
		}
		return at
	}
	_, size := utf8.DecodeRuneInString(text[at:])
	return at + size
}

// run are parts with nothing but blanks between them.
type run []piece

// from and to are the bytes of a run, without fillers at its end.
func (r run) from() int { return r[0].from }
func (r run) to() int   { return r[len(r)-1].to }

// runs groups parts. Fillers at the end of a run are words of what follows, and
// a run of nothing else is none.
func runs(text string, pieces []piece) []run {
	var all []run
	var r run
	flush := func() {
		for len(r) > 0 && r[len(r)-1].filler() {
			r = r[:len(r)-1]
		}
		if len(r) > 0 {
			all = append(all, r)
		}
		r = nil
	}
	for _, p := range pieces {
		if len(r) > 0 && strings.TrimSpace(text[r[len(r)-1].to:p.from]) != "" {
			flush()
		}
		r = append(r, p)
	}
	flush()
	return all
}

// subject is the kind of what only looks like a part: "the last 24 hours" are
// what a job is about.
const subject = "subject"

// Kinds of parts that are about the beginning and the end of repeating.
const (
	starting = "starting"
	until    = "until"
)

// draft notes what all parts of a run say. Zones go first: dates depend on them.
func (r run) draft(d *draft) *draft {
	for _, p := range r {
		if p.rule.kind == "zone" {
			p.rule.take(d, p.groups)
		}
	}
	for i := 0; i < len(r); {
		switch p := r[i]; p.rule.kind {
		case starting, until:
			n := r[i+1:].bound(p.rule.kind)
			d.bound(p.rule.kind, r[i+1:i+1+n])
			i += n
		case "zone":
		case "":
			p.rule.take(d, p.groups)
		default:
			p.rule.take(d, p.groups)
			d.lastPiece = p.rule.kind
		}
		i++
	}
	return d
}

// bound counts the parts that say which day a beginning or an end is. The clock
// time of a beginning is that of the whole.
func (r run) bound(kind string) int {
	for i, p := range r {
		switch p.rule.kind {
		case "", "day", "weekday", "date", "month", "monthday", "week":
		case "clock", "part":
			if kind == starting && i > 0 {
				return i
			}
		default:
			return i
		}
	}
	return len(r)
}

// lasting notes the end of repeating by a length of time from now.
func (d *draft) lasting(measure func(*draft)) {
	b := &draft{lang: d.lang, now: d.now, zone: d.zone}
	measure(b)
	d.until = b.later()
	if d.fault == nil {
		d.fault = b.fault
	}
}

// bound notes the beginning or the end of repeating.
func (d *draft) bound(kind string, parts run) {
	b := parts.draft(&draft{lang: d.lang, now: d.now, zone: d.zone})
	b.plain = false
	said := b.clocks
	switch {
	case len(b.clocks) > 0:
	case kind == starting:
		b.clocks = []spoken{{exact: true}}
	default:
		b.clocks = []spoken{{hour: 23, minute: 59, exact: true}}
	}
	var s Schedule
	if b.build(&s); b.fault == nil && (len(parts) == 0 || s.Kind != Once) {
		b.fail(Vague, "From when, or until when?", "从什么时候开始，到什么时候为止？")
		b.suggest("every day at 09:00 until December 31", "every day at 09:00 starting tomorrow", "每天上午九点到12月31日为止", "从明天开始每天上午九点")
	}
	if b.fault != nil && d.fault == nil {
		d.fault = b.fault
	}
	if kind == starting {
		d.from, d.fromClocks = s.At, said
		return
	}
	d.until = s.At
}
