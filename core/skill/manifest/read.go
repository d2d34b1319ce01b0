package manifest

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Read reads a SKILL.md. The folder is the name of the skill's own folder, which
// is its name where the file has none that can be used; it may be "". Messages
// say what was odd, and the error, which wraps [ErrRefused], why a file can't be
// used; its text is also the last message then. The data must not be changed
// afterwards.
func Read(data []byte, folder string) (Manifest, []Message, error) {
	m, say := Manifest{raw: data}, &complaints{}
	if err := m.read(folder, say); err != nil {
		return Manifest{raw: data}, say.refuse(err), err
	}
	return m, say.messages, nil
}

// conflict is a mark that a version control system leaves in a file.
var conflict = regexp.MustCompile(`(?m)^(?:<{7}|={7}|>{7})(?: .*)?\r?$`)

// cutShort is a description without quotes that holds a word such as #12.
var cutShort = regexp.MustCompile(`(?m)^description:[ \t]+[^"'|>\s].*?[ \t]#\S`)

func (m *Manifest) read(folder string, say *complaints) error {
	doc, err := cut(m.raw, say)
	if err != nil {
		return err
	}
	if conflict.MatchString(doc.front) {
		return refusal("The front matter holds the marks of a merge conflict")
	}
	root, err := front(doc.front, say)
	if err != nil {
		return err
	}
	if err := naming(required(root, "name", say), folder, m, say); err != nil {
		return err
	}
	if err := m.describe(required(root, "description", say), say); err != nil {
		return err
	}
	if cutShort.MatchString(doc.front) && !strings.Contains(m.Description, "#") {
		say.warn("The description ends at its #, where a comment begins for YAML")
	}
	m.fill(root, say)
	m.Unknown = unknown(root, doc.front)
	if m.Body = doc.body; strings.TrimSpace(m.Body) == "" {
		say.warn("There is nothing below the front matter")
	}
	if strings.Contains(m.Body, "\n<<<<<<< ") && strings.Contains(m.Body, "\n>>>>>>> ") && !strings.Contains(m.Body, "```") {
		say.warn("The text seems to hold the marks of a merge conflict")
	}
	return nil
}

// front reads the front matter as YAML, or key by key where it is none.
func front(text string, say *complaints) (*node, error) {
	root, err := parse(text, say)
	switch {
	case errors.Is(err, errTooMuch):
		return nil, err
	case err != nil:
		return repaired(text, err, say)
	case root == nil:
		return nil, refusal("The front matter is empty")
	case root.kind != table:
		return nil, refusal("The front matter is no list of keys with values")
	}
	return root, unindented(text, root, say)
}

// required returns the value of a key that others look for in small letters.
func required(root *node, key string, say *complaints) *node {
	for _, p := range root.pairs {
		if p.key != key && plainKey(p.key) == key {
			say.warn("The key %q must be written %q", clip(p.key), key)
		}
	}
	return root.get(key)
}

// describe takes the description, without which a skill can't be found.
func (m *Manifest) describe(n *node, say *complaints) error {
	switch {
	case n == nil:
		return refusal("There is no description")
	case n.kind == list, n.kind == table:
		return refusal("The description is no text")
	}
	text := unquoted("description", strings.TrimSpace(n.text), say)
	m.Description = strings.TrimSpace(strings.Map(visible, text))
	switch {
	case m.Description == "":
		return refusal("The description is empty")
	case len(m.Description) < len(text):
		say.warn("The description holds control characters; they were removed")
	}
	if n.typed {
		say.warn("The description is no text for YAML; put it in quotes")
	}
	if utf8.RuneCountInString(m.Description) > MaxDescription {
		say.warn("The description has more than %d characters", MaxDescription)
	}
	return nil
}

// visible drops control characters but tabs and line breaks.
func visible(c rune) rune {
	if unicode.IsControl(c) && c != '\n' && c != '\t' {
		return -1
	}
	return c
}

// unknown collects the keys that mean nothing to us, with their lines.
func unknown(root *node, front string) []Unknown {
	parts, err := blocks(front)
	lines := map[string]string{}
	for _, b := range parts {
		lines[b.key] += b.text
	}
	var out []Unknown
	for _, p := range root.pairs {
		key := plainKey(p.key)
		meant := slices.Contains(known, key) && !(key == "tools" && p.value.defines())
		if meant || slices.ContainsFunc(out, func(u Unknown) bool { return u.Key == p.key }) {
			continue
		}
		text, ok := lines[p.key]
		if !ok || err != nil { // a front matter in brackets has no lines by key
			text = p.value.String()
		}
		out = append(out, Unknown{Key: p.key, Text: text})
	}
	return out
}
