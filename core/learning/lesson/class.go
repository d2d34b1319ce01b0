package lesson

import (
	"slices"
	"strings"

	"talaria/core/text"
)

// Class is why something must not be learned; empty for what may be.
type Class string

// The classes.
const (
	Environment Class = "a failure of this machine or its accounts, which a person mends"
	Denial      Class = "a flat denial of a tool, which may work next time"
	Transient   Class = "passing trouble that a retry cures"
	Narrative   Class = "the story of one task"
	Unproven    Class = "a way that never worked"
)

var sentences = expression(`[.!?;]\s+|[.!?;]$|[。！？；\n]`)

// Refuse returns the class of the first sentence of a text that must not be
// learned. tools are the names of the bot's tools, by which a denial is known.
func Refuse(s string, tools ...string) Class {
	whole := text.Fold(s)
	for _, sentence := range sentences().Split(s, -1) {
		if c := classOf(text.Fold(sentence), whole, tools); c != "" {
			return c
		}
	}
	return ""
}

// RefuseRule is Refuse of a rule: of its trigger, of what to do, and of both as
// the one sentence that they are.
func RefuseRule(when, then string, tools ...string) Class {
	if c := Refuse(then, tools...); c != "" && !(conditional(c) && mends(text.Fold(then))) {
		return c
	}
	when, then = text.Fold(when), text.Fold(then)
	switch c := classOf(when, when, tools); {
	case c == Narrative, c == Unproven:
		return c
	case c != "" && !acts(then):
		return c
	case c == Transient && retries().MatchString(then) && !technique().MatchString(then):
		return c
	}
	return ""
}

// conditional reports whether a failure of a class may be a rule's trigger.
func conditional(c Class) bool { return c == Environment }

// classOf is the class of one folded sentence of a text.
func classOf(s, whole string, tools []string) Class {
	switch {
	case strings.TrimSpace(s) == "":
		return ""
	case unproven().MatchString(s):
		return Unproven
	case denies(s, tools):
		return Denial
	case transient().MatchString(s) && (retries().MatchString(whole) || !technique().MatchString(whole)):
		return Transient
	case environment().MatchString(s) && !mends(whole) && !(condition().MatchString(s) && acts(whole)) && !foresees(s):
		return Environment
	case narrates(s):
		return Narrative
	}
	return ""
}

// mends reports whether a text says how to put a failure right, beside what it
// says of the failure: "not installed" installs nothing.
func mends(s string) bool {
	return fixes().MatchString(environment().ReplaceAllString(s, " ")) && !resigns().MatchString(s)
}

// acts reports whether a text says what to do, and not only what to leave.
func acts(s string) bool {
	return (fixes().MatchString(s) || actions().MatchString(s)) && !resigns().MatchString(s)
}

// foresees reports whether a sentence says what to do if a failure comes.
func foresees(s string) bool {
	m := consequence().FindStringSubmatch(s)
	if m == nil {
		return false
	}
	then := strings.Join(m[1:], "")
	return !environment().MatchString(then) && !resigns().MatchString(then)
}

// denies reports whether a sentence writes a tool off as a whole. What it says
// of some cases alone is a limit worth knowing.
func denies(s string, tools []string) bool {
	if shunned := shuns().FindStringSubmatch(s); shunned != nil {
		if what := strings.Join(shunned[1:], ""); isTool(what, tools) && !limited().MatchString(what) {
			return true
		}
	}
	if off := barred().FindStringSubmatch(s); off != nil {
		what := strings.Join(off[1:], "")
		if !limited().MatchString(what) && (isTool(what, tools) || own().MatchString(what)) {
			return true
		}
	}
	for _, at := range broken().FindAllStringIndex(s, -1) {
		if !limits(s[at[1]:]) {
			return true
		}
	}
	for _, at := range works().FindAllStringIndex(s, -1) {
		if !limits(s[at[1]:]) && isTool(s[:at[0]], tools) {
			return true
		}
	}
	return false
}

// limits reports whether what follows a denial bounds it.
func limits(after string) bool { return bound().MatchString(after) && !unbound().MatchString(after) }

// isTool reports whether words name something that the bot works with.
func isTool(words string, tools []string) bool {
	return toolish().MatchString(words) || slices.ContainsFunc(tools, func(t string) bool {
		t = text.Fold(t)
		return t != "" && (strings.Contains(words, t) || strings.Contains(words, strings.ReplaceAll(t, "_", " ")))
	})
}

// narrates reports whether a sentence tells what happened once, with nothing
// in it that holds beyond.
func narrates(s string) bool {
	if lasting().MatchString(s) {
		return false
	}
	return reports().MatchString(s) || onceUpon().MatchString(s) && past().MatchString(s)
}
