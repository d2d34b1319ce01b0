package export

import "regexp"

// generals put what names people or machines in general terms.
var generals = []struct {
	is   *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`), "[email]"},
	{regexp.MustCompile(`(https?://[^\s/?#"'<>)]+)[^\s"'<>)]*`), "$1/[path]"},
	{regexp.MustCompile(`<[@#!][^>\s]{1,64}>`), "[mention]"},
	{regexp.MustCompile(`(^|[\s(,;:：，])@[\w.-]{2,}`), "$1[mention]"},
	{regexp.MustCompile(`\b(?:\d{1,3}\.){3}\d{1,3}\b`), "[address]"},
	{regexp.MustCompile(`\b(?:[0-9a-fA-F]{1,4}:){4,7}[0-9a-fA-F]{1,4}\b`), "[address]"},
	{regexp.MustCompile(`\+\d[\d ()/.-]{6,}\d|\b1[3-9]\d{9}\b|\(?\b\d{3}\)?[ .-]\d{3}[ .-]\d{4}\b`), "[phone]"},
	{regexp.MustCompile(`\b\d{17}[\dXx]\b|\b\d{3}-\d{2}-\d{4}\b`), "[number]"},
	{regexp.MustCompile(`\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b`), "[account]"},
	{regexp.MustCompile(`(/(?:home|Users)/)[^/\s"']+`), "$1[user]"},
}

// general puts a text in general terms.
func general(s string) string {
	for _, g := range generals {
		s = g.is.ReplaceAllString(s, g.with)
	}
	return s
}
