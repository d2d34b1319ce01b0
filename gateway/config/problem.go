package config

import (
	"cmp"
	"slices"
	"strings"
)

// Problem is one mistake in the configuration. It never holds a secret.
type Problem struct {
	Where  string // "config.toml:12", or the environment variable
	Line   int    // within the file; zero elsewhere
	Key    string // dotted path; empty where the file can't be read as TOML
	What   string // what is wrong
	Remedy string // what to do
}

// String is the problem on one line.
func (p Problem) String() string {
	var b strings.Builder
	for _, s := range []string{p.Where, p.Key} {
		if s != "" {
			b.WriteString(s + ": ")
		}
	}
	b.WriteString(p.What)
	if p.Remedy != "" {
		b.WriteString("; " + p.Remedy)
	}
	return b.String()
}

// Error is all that is wrong with a configuration, in the order of the file.
type Error struct{ Problems []Problem }

// Error returns one line for each problem.
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for n, p := range e.Problems {
		lines[n] = p.String()
	}
	return strings.Join(lines, "\n")
}

// problems collects them while a configuration is loaded.
type problems []Problem

func (p *problems) add(where origin, key, what, remedy string) {
	*p = append(*p, Problem{Where: where.String(), Line: where.line, Key: key, What: what, Remedy: remedy})
}

// addError adds an error whose text ends with its remedy; of joined ones, each.
func (p *problems) addError(where origin, key string, err error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			p.addError(where, key, e)
		}
		return
	}
	p.add(where, key, err.Error(), "")
}

func (p problems) err() error {
	if len(p) == 0 {
		return nil
	}
	slices.SortStableFunc(p, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
	return &Error{p}
}
