package scan

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
)

// Kind is what a text is for; some rules look at one kind only.
type Kind string

// The kinds.
const (
	Skill   Kind = "skill"   // a SKILL.md or another file of a skill
	Snippet Kind = "snippet" // a piece of text or code without a frame
	Memory  Kind = "memory"  // a statement to be remembered
)

// Valid reports whether k is one of the kinds.
func (k Kind) Valid() bool { return k == Skill || k == Snippet || k == Memory }

// Verdict is what should become of a text.
type Verdict string

// The verdicts.
const (
	Allow Verdict = "allow" // nothing was found that speaks against it
	Warn  Verdict = "warn"  // whoever approves it should read the findings
	Block Verdict = "block" // it is certain enough to refuse it unasked
)

// Severity is how much a finding weighs.
type Severity string

// The severities.
const (
	Notice  Severity = "notice"  // told, and without weight: quoted, explained, forbidden
	Warning Severity = "warning" // makes the verdict Warn
	Danger  Severity = "danger"  // makes the verdict Block
)

// Finding is one reason for a verdict.
type Finding struct {
	Rule     string   `json:"rule"` // "topic.name", stable
	Severity Severity `json:"severity"`
	File     string   `json:"file,omitempty"` // empty for a single text
	Line     int      `json:"line"`           // from 1
	Message  string   `json:"message"`        // one sentence for people; holds nothing of the text
}

// Report is the result of a scan. Findings are in the order of their places.
type Report struct {
	Verdict  Verdict   `json:"verdict"`
	Findings []Finding `json:"findings"`
}

// maxFindings bounds the findings of one file; the gravest are kept.
const maxFindings = 100

// Scan looks for hostile content in a text. It takes time and memory in
// proportion to the text's length, and never fails: what can't be parsed is
// read as words.
func Scan(kind Kind, text string) Report {
	s := newScanner(kind)
	s.document(text)
	return s.report("")
}

// ScanFiles scans the files of a skill, by their paths in it. Scripts are read
// as code, other files as documents, each as the text that Text makes of it. A
// file that is no text is not looked into, which is a finding.
func ScanFiles(files map[string][]byte) Report {
	out := Report{Verdict: Allow, Findings: []Finding{}}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		r := scanFile(name, files[name])
		out.Findings = append(out.Findings, r.Findings...)
		out.Verdict = worse(out.Verdict, r.Verdict)
	}
	return out
}

func scanFile(name string, data []byte) Report {
	s := newScanner(Skill)
	f := read(name, data)
	s.unread(name, data, f.form)
	lang := language(strings.TrimPrefix(path.Ext(name), "."))
	for _, text := range []string{f.text, f.other} {
		switch {
		case text == "":
		case lang != "":
			s.script(lang, text)
		default:
			s.document(text)
		}
	}
	return s.report(name)
}

// report sorts what was found and draws the conclusion.
func (s *scanner) report(file string) Report {
	out := Report{Verdict: Allow, Findings: []Finding{}}
	for _, f := range s.findings {
		f.File = file
		out.Findings = append(out.Findings, f)
		out.Verdict = worse(out.Verdict, verdictOf(f.Severity))
	}
	byWeight := func(a, b Finding) int {
		return cmp.Or(-cmp.Compare(weight(a.Severity), weight(b.Severity)), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Rule, b.Rule))
	}
	slices.SortFunc(out.Findings, byWeight)
	out.Findings = out.Findings[:min(len(out.Findings), maxFindings)]
	slices.SortFunc(out.Findings, func(a, b Finding) int { return cmp.Or(cmp.Compare(a.Line, b.Line), byWeight(a, b)) })
	return out
}

func weight(s Severity) int { return slices.Index([]Severity{Notice, Warning, Danger}, s) }

func verdictOf(s Severity) Verdict { return []Verdict{Allow, Warn, Block}[max(weight(s), 0)] }

func worse(a, b Verdict) Verdict {
	order := []Verdict{Allow, Warn, Block}
	return order[max(slices.Index(order, a), slices.Index(order, b))]
}
