package validate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"talaria/core/agent"
	"talaria/core/learning/outline"
	"talaria/core/skill"
	"talaria/core/skill/manifest"
	"talaria/core/skill/match"
	"talaria/core/skill/scan"
	"talaria/core/text"
)

// Config is what the checks know of the installation.
type Config struct {
	// Tool tells about one of the bot's tools, false for none of that name.
	Tool func(name string) (agent.Spec, bool)
	// Used are the tools that the task of an occasion called. What is no longer
	// kept is no error and has none.
	Used  func(ctx context.Context, from skill.Provenance) ([]string, error)
	Steps int // the most of a skill of the bot's own; zero: outline.MaxSteps
}

// Checks are all checks, in the order in which their findings stand on a card.
func Checks(c Config) []skill.Check {
	return []skill.Check{hostile, c.audit, duplicate, syntax, c.form}
}

// hostile scans every file.
func hostile(_ context.Context, c skill.Candidate) ([]skill.Finding, error) {
	severity := map[scan.Severity]skill.Severity{scan.Notice: skill.Note, scan.Warning: skill.Warn, scan.Danger: skill.Block}
	var out []skill.Finding
	for _, f := range scan.ScanFiles(c.Files).Findings {
		out = append(out, skill.Finding{Check: "scan", Severity: severity[f.Severity], File: f.File, Line: f.Line, Message: f.Message})
	}
	return out, nil
}

// duplicate finds skills of the scope that are the same ability.
func duplicate(_ context.Context, c skill.Candidate) ([]skill.Finding, error) {
	if c.Before != nil {
		return nil, nil
	}
	type near struct {
		skill skill.Skill
		alike float64
	}
	var same []near
	for _, s := range c.Neighbours {
		alike := match.Similarity(
			match.Skill{Name: c.Manifest.Name, Description: c.Manifest.Description}, match.Skill{Name: s.Name, Description: s.Description})
		if alike >= match.Same && (s.Live() || s.State == skill.Proposed) {
			same = append(same, near{s, alike})
		}
	}
	slices.SortStableFunc(same, func(a, b near) int { return cmp.Compare(b.alike, a.alike) })
	var out []skill.Finding
	for _, n := range same[:min(len(same), 3)] {
		ref := n.skill.Ref
		out = append(out, skill.Finding{
			Check: "duplicate", Severity: skill.Warn, Same: &ref,
			Message: fmt.Sprintf("there is %s already, which seems to be the same (%.2f)", n.skill.Name, n.alike),
		})
	}
	return out, nil
}

// shown is how much of a description is certain to stand in the list of skills,
// in characters.
const shown = 60

// visible reports whether the beginning of a description holds a word of the
// triggers, or of the name where there are none. Names are in Latin letters: a
// description in others can't hold their words.
func visible(m manifest.Manifest) bool {
	begin := []rune(m.Description)
	begin = begin[:min(len(begin), shown)]
	calls := strings.Join(m.Triggers, " ")
	if calls == "" {
		calls = strings.ReplaceAll(m.Name, "-", " ")
		if foreign(begin) {
			return true
		}
	}
	have := text.Terms(string(begin))
	return slices.ContainsFunc(text.Terms(calls), func(t string) bool { return slices.Contains(have, t) })
}

// foreign reports whether most letters are other than Latin ones.
func foreign(letters []rune) bool {
	balance := 0
	for _, r := range letters {
		switch {
		case unicode.Is(unicode.Latin, r):
			balance--
		case unicode.IsLetter(r):
			balance++
		}
	}
	return balance > 0
}

// form says which parts a skill of the bot's own lacks.
func (c Config) form(_ context.Context, s skill.Candidate) ([]skill.Finding, error) {
	if !s.ByAgent || s.Before != nil {
		return nil, nil
	}
	var out []skill.Finding
	for _, part := range outline.Expected() {
		if !outline.Has(s.Manifest.Body, part) {
			out = append(out, skill.Finding{Check: "form", Severity: skill.Note, Message: "it has no part \"" + string(part) + "\""})
		}
	}
	if !visible(s.Manifest) {
		out = append(out, skill.Finding{Check: "form", Severity: skill.Warn,
			Message: fmt.Sprintf("the first %d characters of its description, which stand in the list of skills, hold none of the words that call for it", shown)})
	}
	if n, most := outline.CountSteps(s.Manifest.Body), cmp.Or(c.Steps, outline.MaxSteps); n > most {
		out = append(out, skill.Finding{Check: "form", Severity: skill.Warn,
			Message: fmt.Sprintf("it has %d steps, at most %d make a skill", n, most)})
	}
	return out, nil
}
