package when

import "fmt"

// Cause is the kind of trouble with a phrase, for programs.
type Cause string

// The causes.
const (
	Ambiguous   Cause = "ambiguous"    // it can be read in two ways
	Vague       Cause = "vague"        // a part is missing, such as the time
	Impossible  Cause = "impossible"   // there is no such time
	Past        Cause = "past"         // it would have been due already
	TooFrequent Cause = "too_frequent" // more often than once a minute
	NotATime    Cause = "not_a_time"   // no schedule was found in it
)

// Unclear is the answer to a phrase that is not taken as a schedule. It is
// meant for the person: Reason and Suggestions are in the phrase's language.
type Unclear struct {
	Cause  Cause
	Reason string
	// Suggestions are phrases that would have been understood, best first.
	Suggestions []string
}

// Error gives the reason.
func (u *Unclear) Error() string { return u.Reason }

// unclear makes an error in the language of the phrase.
func unclear(cause Cause, lang, en, zh string, args ...any) *Unclear {
	reason := en
	if lang == Chinese {
		reason = zh
	}
	if len(args) > 0 {
		reason = fmt.Sprintf(reason, args...)
	}
	return &Unclear{Cause: cause, Reason: reason}
}

// suggest adds phrases that would do.
func (u *Unclear) suggest(phrases ...string) *Unclear {
	u.Suggestions = append(u.Suggestions, phrases...)
	return u
}
