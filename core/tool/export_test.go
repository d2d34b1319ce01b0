package tool

import (
	"net/url"
	"strings"
)

// Readable is readable's text, for fuzzing.
func Readable(source string, base *url.URL) string {
	return readable(strings.NewReader(source), base).text
}

// FreeName and FileName are what names are made with and checked by.
var (
	FreeName = freeName
	FileName = fileName
)
