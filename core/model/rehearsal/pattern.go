package rehearsal

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first used.
// All of them together take 20 ms and some megabytes, which a program that
// has a language model should not pay at its start.
type pattern func() *regexp.Regexp

func lazily(expr string) pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
