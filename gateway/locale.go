package main

import (
	"strings"

	"talaria/gateway/config"
)

// locale is the language that the environment is set to, in BCP 47, as POSIX has
// the variables override each other. Empty: none is told.
func locale(environ []string) string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		value := config.Variable(name, environ)
		if value == "" {
			continue
		}
		language, _, _ := strings.Cut(value, ".")
		language, _, _ = strings.Cut(language, "@")
		if language == "C" || language == "POSIX" {
			return ""
		}
		return strings.ReplaceAll(language, "_", "-")
	}
	return ""
}
