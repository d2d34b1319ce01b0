package patch

import (
	"fmt"
	"iter"
	"strings"

	"talaria/core/skill/manifest"
	"talaria/core/text"
)

// Edit says what to replace.
type Edit struct {
	Old string // what to replace, quoted from the text
	New string // what to put there
	All bool   // every exact match, not the only one
}

// Result is a text after an edit.
type Result struct {
	Text     string
	Strategy Strategy // how the place was found
	Count    int      // how many places were replaced
}

// Strategy is a way of finding the place.
type Strategy string

// The strategies, in the order in which they are tried.
const (
	Exact         Strategy = "exact"
	LineEnds      Strategy = "line_ends"      // CRLF against LF
	TrailingSpace Strategy = "trailing_space" // blanks at line ends
	InnerSpace    Strategy = "inner_space"    // runs of blanks and tabs inside lines
	Typography    Strategy = "typography"     // quotes, dashes, dots, blanks, width, composed accents
	Indent        Strategy = "indent"         // whole lines, all shifted by the same
	Heading       Strategy = "heading"        // letter case of headings
	Slip          Strategy = "slip"           // a few letters or words
)

// Reason is why an edit was refused.
type Reason string

// The reasons.
const (
	EmptyOld     Reason = "empty_old_string"
	NoChange     Reason = "no_change"
	NotFound     Reason = "not_found"
	Ambiguous    Reason = "ambiguous"
	InvalidSkill Reason = "invalid_skill" // the front matter would be worse than it was
	TooLarge     Reason = "too_large"
)

// maxText bounds each text of an edit, in bytes: no file of a skill is longer.
const maxText = manifest.MaxSupportFile

// Candidate is a place that may have been meant.
type Candidate struct {
	Line int    `json:"line"` // from 1
	Text string `json:"text"` // the line
}

// Refusal is the error of an edit that was not made.
type Refusal struct {
	Reason     Reason
	Detail     string
	Candidates []Candidate // the likeliest first, at most maxCandidates
}

const maxCandidates = 5

// Error says why, and where to look, in a form that a model can act on.
func (r *Refusal) Error() string {
	text := string(r.Reason) + ": " + r.Detail
	for _, c := range r.Candidates {
		text += fmt.Sprintf("\n%d: %s", c.Line, c.Text)
	}
	return text
}

func refuse(r Reason, detail string, candidates ...Candidate) *Refusal {
	return &Refusal{Reason: r, Detail: detail, Candidates: candidates}
}

// Apply makes an edit. The error is always a *Refusal; the text is unchanged then.
func Apply(text string, e Edit) (Result, error) {
	switch {
	case max(len(text), len(e.Old), len(e.New)) > maxText:
		return Result{}, refuse(TooLarge, fmt.Sprintf("texts of up to %d bytes can be edited", maxText))
	case strings.TrimSpace(strings.TrimPrefix(e.Old, bom)) == "":
		return Result{}, refuse(EmptyOld, "the text to be replaced is empty")
	case e.Old == e.New:
		return Result{}, refuse(NoChange, "both texts are the same")
	}
	e.Old, e.New = strings.TrimPrefix(e.Old, bom), strings.TrimPrefix(e.New, bom)
	text, marked := strings.CutPrefix(text, bom) // no edit gets at it, not even one of a stray byte
	found := find(text, e)
	if len(found.places) == 0 {
		return Result{}, notFound(text, e.Old)
	}
	if len(found.places) > 1 && !(e.All && found.exact() && !found.overlap()) {
		return Result{}, ambiguous(text, found)
	}
	r := Result{Text: found.replace(text), Strategy: found.strategy, Count: len(found.places)}
	if r.Text == text {
		return Result{}, refuse(NoChange, "the text says this already")
	}
	if why := spoiled(text, r.Text); why != "" {
		return Result{}, refuse(InvalidSkill, why)
	}
	if marked {
		r.Text = bom + r.Text
	}
	return r, nil
}

// bom is the byte order mark, which belongs to a file and not to its text.
const bom = "\uFEFF"

// place is a piece of the text, in bytes, and what is to be put there.
type place struct {
	from, to int
	new      string
}

// finding is what the first successful strategy found.
type finding struct {
	strategy Strategy
	places   []place // by position
}

func (f finding) exact() bool { return f.strategy == Exact || f.strategy == LineEnds }

func (f finding) overlap() bool {
	for i := 1; i < len(f.places); i++ {
		if f.places[i].from < f.places[i-1].to {
			return true
		}
	}
	return false
}

// replace puts the new text into its places, with the line ends of the text.
func (f finding) replace(text string) string {
	var b strings.Builder
	done := 0
	for _, p := range f.places {
		b.WriteString(text[done:p.from])
		b.WriteString(withLineEnds(p.new, lineEndAt(text, p.from)))
		done = p.to
	}
	return b.String() + text[done:]
}

// lineEndAt is how the line at a position ends, or else the first line.
func lineEndAt(text string, at int) string {
	for _, part := range []string{text[at:], text} {
		if i := strings.IndexByte(part, '\n'); i >= 0 {
			if strings.HasSuffix(part[:i], "\r") {
				return "\r\n"
			}
			return "\n"
		}
	}
	return "\n"
}

func withLineEnds(text, end string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", end)
}

// find tries the strategies. Those that take the edit as it was written go
// before those that take it as escaped.
func find(text string, e Edit) finding {
	readings := readings(e)
	for _, r := range readings {
		for _, s := range strategies {
			if places := s.find(text, r); len(places) > 0 {
				return finding{s.name, places}
			}
		}
	}
	for _, r := range readings {
		if places := slips(text, r); len(places) > 0 {
			return finding{Slip, places}
		}
	}
	return finding{}
}

var strategies = []struct {
	name Strategy
	find func(text string, r reading) []place
}{
	{Exact, exact},
	{LineEnds, folded(fold{})},
	{TrailingSpace, folded(fold{trailing: true})},
	{InnerSpace, folded(fold{trailing: true, inner: true})},
	{Typography, folded(fold{trailing: true, inner: true, typography: true})},
	{Typography, folded(fold{trailing: true, inner: true, typography: true, longDash: true})},
	{Indent, shifted},
	{Heading, folded(fold{trailing: true, inner: true, typography: true, heading: true})},
}

// exact finds the very bytes.
func exact(text string, r reading) []place {
	var out []place
	for at := range occurrences(text, r.old) {
		if p := (place{at, at + len(r.old), r.new}); r.fits(text, p) {
			out = append(out, p)
		}
	}
	return out
}

// occurrences are where s stands in text. Those that overlap count too ("aa" is
// twice in "aaa"), but after the first such pair no more are looked for: the
// edit is ambiguous by then.
func occurrences(text, s string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at, last := 0, -len(s); ; at++ {
			i := strings.Index(text[at:], s)
			if i < 0 {
				return
			}
			at += i
			if !yield(at) || at < last+len(s) {
				return
			}
			last = at
		}
	}
}

// ambiguous names the places that fit equally well.
func ambiguous(text string, f finding) *Refusal {
	var out []Candidate
	for _, p := range f.places[:min(len(f.places), maxCandidates)] {
		number := 1 + strings.Count(text[:p.from], "\n")
		out = append(out, Candidate{number, lineAt(text, p.from)})
	}
	return refuse(Ambiguous, fmt.Sprintf("%d places fit equally well; quote more of the one that is meant", len(f.places)), out...)
}

func lineAt(text string, at int) string {
	from := strings.LastIndexByte(text[:at], '\n') + 1
	line, _, _ := strings.Cut(text[from:], "\n")
	return shown(line)
}

// maxShown bounds a line of a refusal, in characters.
const maxShown = 160

func shown(line string) string {
	return text.Clip(strings.TrimRight(line, "\r"), maxShown)
}

// notFound names the lines that are most like the first line that was quoted.
// Two that are alike and near are told from nothing near at all.
func notFound(text, old string) *Refusal {
	near := nearest(text, old)
	switch {
	case len(near) > 1 && near[0].likeness-near[1].likeness < 0.02 && near[1].likeness >= 0.75:
		return refuse(Ambiguous, "several places are near, and none is meant for certain", candidates(near)...)
	case len(near) > 0:
		return refuse(NotFound, "no place says this; the nearest ones say something else", candidates(near)...)
	}
	return refuse(NotFound, "no place says this")
}
