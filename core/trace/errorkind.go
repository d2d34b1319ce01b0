package trace

import "regexp"

// ErrorKind is why a call failed, as far as its text tells. It decides what may
// be learned from the failure.
type ErrorKind string

// The kinds. The zero value is no error.
const (
	Environment ErrorKind = "environment" // a missing program, file, credential: of this machine, and never a lesson
	Transient   ErrorKind = "transient"   // unreachable, overloaded, too slow: gone when tried later
	Denied      ErrorKind = "denied"      // the caller or the policy may not
	Arguments   ErrorKind = "arguments"   // the call was wrong as it was made
	Missing     ErrorKind = "missing"     // what was asked for is not there
	Unclear     ErrorKind = "unclear"     // it may or may not have taken effect
	Skipped     ErrorKind = "skipped"     // not done, by the program's own rules
	Other       ErrorKind = "other"
)

// Counts reports whether it is a failure of the call: what was not even tried
// is none.
func (k ErrorKind) Counts() bool { return k != "" && k != Skipped }

// errorKinds are tried in order.
var errorKinds = []struct {
	kind ErrorKind
	is   *regexp.Regexp
}{
	{Skipped, regexp.MustCompile(`(?i)^not done`)},
	{Unclear, regexp.MustCompile(`(?i)outcome unknown|may or may not have taken effect`)},
	{Environment, regexp.MustCompile(`(?i)command not found|executable file not found|no such file or directory|enoent\b|` +
		`not installed|cannot find module|no module named|modulenotfound|missing (?:api )?(?:key|credential|token)|(?:invalid|` +
		`expired|bad|missing) (?:api[ _-]?key|credentials?|token)|credentials? (?:not|are|is)|unauthori[sz]ed|\b401\b|` +
		`disk (?:is )?full|no space left|read-only file system`)},
	{Denied, regexp.MustCompile(`(?i)^not allowed|permission denied|forbidden|\b403\b|access denied|eacces|not permitted`)},
	{Transient, regexp.MustCompile(`(?i)time(?:d)?[ -]?out|deadline exceeded|did not end in time|rate.?limit|too many requests|` +
		`\b429\b|\b50[0234]\b|temporar|unavailable|overloaded|connection (?:refused|reset|closed)|econn|network is unreachable|` +
		`no such host|the name \S+ is not known|(?:could not|can(?:no|')t) (?:be reached|resolve)|unreachable|dns|broken pipe|` +
		`unexpected eof|try again`)},
	{Arguments, regexp.MustCompile(`(?i)there is no tool|invalid (?:argument|parameter|value|input|json|date|format)|(?:missing|` +
		`required|unknown) (?:argument|parameter|field|property)|is required|must be|malformed|can(?:'|no)t (?:parse|unmarshal)|` +
		`schema|bad request|\b400\b|syntax error|expected`)},
	{Missing, regexp.MustCompile(`(?i)not found|no such|does not exist|doesn't exist|\b404\b|nothing (?:was )?found|unknown`)},
}

// errorKind tells the kind of a failure by its text.
func errorKind(text string) ErrorKind {
	for _, k := range errorKinds {
		if k.is.MatchString(text) {
			return k.kind
		}
	}
	return Other
}
