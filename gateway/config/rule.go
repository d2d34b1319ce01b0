package config

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// bad adds a problem with a key, at the place where the key was set.
func (l *loader) bad(key, what, remedy string) { l.problems.add(l.at(key), key, what, remedy) }

func (l *loader) oneOf(key, value string, words ...string) {
	if !slices.Contains(words, value) {
		l.bad(key, fmt.Sprintf("%q is none of %s", value, strings.Join(words, ", ")), "choose one of these")
	}
}

func (l *loader) atLeast(least int, key string, value int) {
	if value < least {
		l.bad(key, fmt.Sprintf("%d is too small", value), fmt.Sprintf("write %d or more", least))
	}
}

func (l *loader) positive(key string, d Duration) {
	if d.Duration <= 0 {
		l.bad(key, "is zero", `write a duration, like "10m"`)
	}
}

// address checks the base address of an API. It is not shown: an address can
// hold a password.
func (l *loader) address(key, value string) {
	u, err := url.Parse(value)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		l.bad(key, "is no http or https address", `write it whole, like "https://api.example.com"`)
	}
}

// token refuses blanks and line breaks, which come from copying too much.
func (l *loader) token(key string, s Secret) {
	if strings.ContainsFunc(s.Reveal(), func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		l.bad(key, "holds a blank or a line break", "copy the secret again, without what is around it")
	}
}

// variableName is the environment variable of a key.
func variableName(key string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}
