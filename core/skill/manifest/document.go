package manifest

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// maxFront is the longest front matter that is given to the YAML parser, whose
// work grows with the square of its input; far above any that people write.
const maxFront = 16 << 10

// maxMainFile bounds a SKILL.md in bytes before its characters are counted.
const maxMainFile = MaxFile * utf8.UTFMax

var errTooLong = refusal("The %s has more than %d characters", MainFile, MaxFile)

// document is a file cut at the marks of its front matter.
type document struct {
	front string // line breaks are \n
	body  string
}

// cut checks the encoding and finds the front matter. It complains in order of
// what a person would have to mend first.
func cut(data []byte, say *complaints) (document, error) {
	text, err := decode(data, say)
	if err != nil {
		return document{}, err
	}
	start := strings.TrimLeft(text, " \t\r\n\uFEFF\u200B")
	open, rest := nextLine(start)
	switch mark := strings.TrimRight(open, " \t"); {
	case start == "":
		return document{}, refusal("The file is empty")
	case mark == "---":
	case strings.HasPrefix(mark, "```"):
		return document{}, refusal("The front matter is in a code fence; it must stand between lines of three dashes")
	case mark == "+++":
		return document{}, refusal("The front matter is TOML; it must be YAML between lines of three dashes")
	case strings.Trim(mark, "-") == "" && len(mark) > 1:
		return document{}, refusal("The front matter begins with %d dashes instead of three", len(mark))
	default:
		return document{}, refusal("There is no front matter: the file must begin with a line of three dashes")
	}
	if len(start) < len(text) {
		say.warn("There are blanks before the front matter")
	}
	return closed(rest, say)
}

// closed cuts behind the front matter, given what follows its first mark.
func closed(text string, say *complaints) (document, error) {
	var front strings.Builder
	for rest := text; rest != ""; {
		var line string
		line, rest = nextLine(rest)
		switch mark := strings.TrimRight(line, " \t"); mark {
		case "---", "...":
			if mark == "..." {
				say.warn("The front matter is closed with dots instead of dashes")
			}
			return document{front: front.String(), body: strings.TrimLeft(rest, "\r\n")}, nil
		}
		front.WriteString(line + "\n")
		if front.Len() > maxFront {
			return document{}, refusal("The front matter is not closed within %d bytes", maxFront)
		}
	}
	return document{}, refusal("The front matter is not closed: a second line of three dashes is missing")
}

// decode makes text of the bytes, without a byte order mark.
func decode(data []byte, say *complaints) (string, error) {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")):
		return "", refusal("The file is UTF-16; save it as UTF-8")
	case len(data) > maxMainFile, utf8.RuneCount(data) > MaxFile:
		return "", errTooLong
	case bytes.IndexByte(data, 0) >= 0:
		return "", refusal("The file holds a zero byte; it is no text")
	case !utf8.Valid(data):
		return "", refusal("The file is not UTF-8; save it as UTF-8")
	}
	text := strings.TrimPrefix(string(data), "\uFEFF")
	if strings.Contains(text, "\r") && !strings.Contains(text, "\n") {
		say.warn("The lines end as on old Macs, with a carriage return alone")
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	return text, nil
}

// nextLine returns the first line without its end, and what follows.
func nextLine(text string) (line, rest string) {
	line, rest, _ = strings.Cut(text, "\n")
	return strings.TrimSuffix(line, "\r"), rest
}
