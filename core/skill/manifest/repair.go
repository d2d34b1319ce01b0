package manifest

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
)

// block is one top-level key of a front matter with all its lines.
type block struct {
	key  string
	text string
}

var (
	// keyLine is the first line of a block. Keys with blanks are rather the
	// second line of a text that begins above.
	keyLine = regexp.MustCompile(`^["']?([\pL_][\pL\pN_.-]*)["']?[ \t]*:(?:[ \t]|$)`)
	// inner is a line that gives a key, at any depth, a value on the same line.
	inner = regexp.MustCompile(`^([ \t]*(?:- +)*["']?[\pL_][\pL\pN_.-]*["']?[ \t]*:[ \t]+)([^ \t].*)$`)
	// item is a value of a list on a line of its own.
	item = regexp.MustCompile(`^([ \t]*(?:- +)+)([^ \t].*)$`)
	// scalarHead is what a block scalar begins with.
	scalarHead = regexp.MustCompile(`:[ \t]+[|>][-+0-9]*[ \t]*(?:#.*)?$`)
)

// blocks cuts a front matter at its top-level keys, without the comments between
// them. A line that belongs to none continues the text right above it; after a
// gap it shows that the front matter was never closed.
func blocks(front string) ([]block, error) {
	var out []block
	number, gap := 0, true
	for line := range strings.Lines(front) {
		number++
		if len(out) == 0 {
			line = strings.TrimLeft(line, " ")
		}
		m := keyLine.FindStringSubmatch(strings.TrimRight(line, "\n"))
		switch {
		case m != nil:
			out = append(out, block{key: m[1], text: line})
			gap = false
			continue
		case strings.TrimSpace(line) == "", line[0] == '#':
			gap = true
		case line[0] == ' ', line[0] == '\t', strings.HasPrefix(line, "- "), line == "-\n":
		case gap:
			return nil, neverClosed(number)
		default:
			line = "  " + line
		}
		if len(out) > 0 && line[0] != '#' {
			out[len(out)-1].text += line
		}
	}
	return out, nil
}

func neverClosed(line int) error {
	return refusal("Line %d of the front matter is no key with a value; perhaps the front matter was never closed", line)
}

// unindented finds text at the beginning of a line that is no key. Our parser
// adds it to the value above; others stop there, and behind a gap it is rather
// the body of a file whose front matter was never closed.
func unindented(front string, root *node, say *complaints) error {
	isKey := func(line string) bool {
		line = strings.TrimLeft(line, `"'`)
		return slices.ContainsFunc(root.pairs, func(p pair) bool { return strings.HasPrefix(line, p.key) })
	}
	number, gap, seen := 0, true, false
	for line := range strings.Lines(front) {
		number++
		switch {
		case strings.TrimSpace(line) == "", line[0] == '#':
			gap = true
			continue
		case strings.ContainsAny(line[:1], " \t]}"), strings.HasPrefix(line, "- "), line == "-\n":
		case isKey(line):
			seen = true
		case !seen: // a front matter in brackets, or indented as a whole
			return nil
		case gap:
			return neverClosed(number)
		default:
			say.warn("Line %d of the front matter continues a value without being indented", number)
		}
		gap = false
	}
	return nil
}

// repaired reads a front matter that is no YAML key by key, so that one mistake
// costs one value at most.
func repaired(front string, cause error, say *complaints) (*node, error) {
	parts, err := blocks(front)
	if err != nil {
		return nil, err
	}
	if len(parts) == 0 {
		return nil, refusal("The front matter is no YAML with keys: %s", firstLine(cause))
	}
	root, seen, heard := &node{kind: table}, map[string]bool{}, len(say.messages)
	for _, b := range parts {
		n, err := b.read(say)
		if err != nil {
			return nil, err
		}
		if seen[b.key] {
			say.warn("The key %q is there twice; the last one counts", b.key)
		}
		seen[b.key] = true
		root.pairs = append(root.pairs, pair{key: b.key, value: n})
	}
	if len(say.messages) == heard {
		say.warn("The front matter is no YAML as a whole and was read key by key: %s", firstLine(cause))
	}
	return root, nil
}

// read tries what a block may have meant: what it says, then the same without
// its usual mistakes, then a text. What is none of them has no value.
func (b block) read(say *complaints) (*node, error) {
	n, err := b.parse(b.text, say)
	if err == nil || errors.Is(err, errTooMuch) {
		return n, err
	}
	untabbed := untabbed(b.text)
	for _, try := range []struct{ text, message string }{
		{untabbed, "%q is indented with tabs, which YAML forbids"},
		{quoted(untabbed), "%q has a value that must be in quotes to be YAML; it was read as text"},
	} {
		if try.text == b.text {
			continue // as tried above
		}
		if n, err := b.parse(try.text, &complaints{}); err == nil {
			say.warn(try.message, b.key)
			return n, nil
		}
	}
	if text := b.plain(); text != "" {
		say.warn("The value of %q is no YAML; it was read as text", b.key)
		return newScalar(text, false), nil
	}
	say.warn("The value of %q is no YAML and was left unread", b.key)
	return &node{}, nil
}

// parse reads YAML that is meant to have the block's key alone.
func (b block) parse(text string, say *complaints) (*node, error) {
	root, err := parse(text, say)
	if err != nil {
		return nil, err
	}
	if root == nil || len(root.pairs) != 1 {
		return nil, errors.New("not one key")
	}
	return root.pairs[0].value, nil
}

// plain is the value as a text, where it begins on the line of its key: its
// lines joined by blanks, without quotes around it that don't match.
func (b block) plain() string {
	_, value, _ := strings.Cut(b.text, ":")
	first, rest, _ := strings.Cut(value, "\n")
	if first = strings.TrimSpace(first); first == "" {
		return ""
	}
	text := strings.Join(strings.Fields(first+" "+rest), " ")
	for _, head := range []string{"> ", ">- ", "| ", "|- "} {
		text = strings.TrimPrefix(text, head) // a block scalar must begin on the next line
	}
	for _, quote := range []string{`"`, `'`} {
		if after, ok := strings.CutPrefix(text, quote); ok {
			text = strings.TrimSuffix(after, quote)
			return strings.ReplaceAll(text, `\"`, `"`)
		}
	}
	return text
}

// untabbed writes the indentation with blanks.
func untabbed(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		content := strings.TrimLeft(line, " \t")
		indent := line[:len(line)-len(content)]
		out.WriteString(strings.ReplaceAll(indent, "\t", "  ") + content)
	}
	return out.String()
}

// quoted puts values in quotes that can't be read without, and leaves the lines
// of block scalars alone.
func quoted(text string) string {
	var out strings.Builder
	inScalar := -1 // indentation of the block scalar's key
	for line := range strings.Lines(text) {
		content := strings.TrimSpace(line)
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if content != "" && indent <= inScalar {
			inScalar = -1
		}
		if inScalar < 0 {
			line = quotedLine(strings.TrimRight(line, " \n")) + "\n"
		}
		if inScalar < 0 && scalarHead.MatchString(strings.TrimRight(line, "\n")) {
			inScalar = indent
		}
		out.WriteString(line)
	}
	return out.String()
}

// quotedLine puts the value of a line in quotes where it needs them.
func quotedLine(line string) string {
	m := inner.FindStringSubmatch(line)
	if m == nil {
		m = item.FindStringSubmatch(line)
	}
	if m == nil {
		return line
	}
	return m[1] + quotedValue(m[2])
}

// quotedValue is a value as it is where YAML reads it, else in quotes.
func quotedValue(value string) string {
	if _, err := parse("x: "+value, &complaints{}); err == nil || scalarHead.MatchString("x: "+value) {
		return value
	}
	if strings.HasPrefix(value, `"`) || strings.HasPrefix(value, "'") {
		return value // its end is missing or elsewhere; only the whole block tells
	}
	return quote(value)
}

// quote writes a text as a double-quoted scalar, of which JSON's strings are a part.
func quote(text string) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a string can always be encoded
	return strings.TrimSuffix(out.String(), "\n")
}

// firstLine is the part of a parser's error that is for people.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
