package manifest

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"talaria/core/text"
)

var (
	nameForm = regexp.MustCompile(`^[a-z0-9]+(?:-[a-z0-9]+)*$`)
	// devices are the names that Windows reserves, whatever their extension:
	// https://learn.microsoft.com/windows/win32/fileio/naming-a-file
	devices = regexp.MustCompile(`^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$`)
	drive   = regexp.MustCompile(`^[A-Za-z]:[\\/]`)
)

// ValidName reports whether a name can be a skill's: kebab-case, at most
// [MaxName] characters.
func ValidName(name string) bool {
	return len(name) <= MaxName && nameForm.MatchString(name)
}

// Slug makes a name of any text: lower case, letters without their accents,
// hyphens for all that stands between. It is "" where nothing of the text is
// left, and whole says whether every letter and digit was kept.
func Slug(text string) (slug string, whole bool) {
	var out strings.Builder
	whole = true
	gap := false
	for _, c := range norm.NFKD.String(text) {
		c = unicode.ToLower(c)
		switch {
		case c < utf8.RuneSelf && (unicode.IsLetter(c) || unicode.IsDigit(c)):
			if gap && out.Len() > 0 {
				out.WriteByte('-')
			}
			out.WriteRune(c)
			gap = false
		case unicode.Is(unicode.Mn, c), c == '\'', c == '’':
		default:
			gap = true
			whole = whole && !unicode.IsLetter(c) && !unicode.IsDigit(c)
		}
	}
	slug = out.String()
	if len(slug) > MaxName {
		slug = strings.TrimRight(slug[:MaxName], "-")
	}
	return slug, whole
}

// isPath reports whether a name is made to lead out of the folder of skills. A
// slash between words, as in a display name, does not.
func isPath(name string) bool {
	name = norm.NFKC.String(name)
	if plain, err := url.PathUnescape(name); err == nil {
		name = plain
	}
	if strings.HasPrefix(name, "~") || drive.MatchString(name) {
		return true
	}
	parts := strings.FieldsFunc(name, func(c rune) bool { return c == '/' || c == '\\' })
	return strings.HasPrefix(name, "/") || strings.HasPrefix(name, `\`) ||
		slices.Contains(parts, "..") || slices.Contains(parts, ".")
}

// naming decides under which name a skill is kept.
func naming(written *node, folder string, m *Manifest, say *complaints) error {
	text := ""
	switch {
	case written == nil || written.kind == null:
	case written.kind != scalar:
		say.warn("The name is no text")
	default:
		if text = unquoted("name", strings.TrimSpace(written.text), say); written.typed {
			say.warn("The name %s is no text for YAML; put it in quotes", clip(text))
		}
	}
	if isPath(text) {
		return refusal("The name %q is a path", clip(text))
	}
	if text == "" {
		return unnamed(folder, m, say)
	}
	m.Name = text
	if !ValidName(text) {
		if err := m.rename(text, folder, say); err != nil {
			return err
		}
	}
	if devices.MatchString(m.Name) {
		say.warn("The name %q is reserved on Windows", m.Name)
	}
	if folder != "" && folder != m.Name {
		say.warn("The folder is called %q, not %q as the skill", clip(folder), m.Name)
	}
	return nil
}

// rename makes a name of one that can't be kept, with the folder's where that
// says the same or says more.
func (m *Manifest) rename(text, folder string, say *complaints) error {
	slug, whole := Slug(text)
	joined := func(s string) string { return strings.ReplaceAll(s, "-", "") }
	if ValidName(folder) && (!whole || slug == "" || joined(folder) == joined(slug)) {
		slug = folder
	}
	if slug == "" {
		return refusal("No name can be made of %q; write one of small letters, digits and hyphens", clip(text))
	}
	m.Name, m.Title = slug, strings.Join(strings.Fields(strings.Map(visible, text)), " ")
	if utf8.RuneCountInString(text) > MaxName {
		say.warn("The name has more than %d characters; it is kept as %q", MaxName, slug)
		return nil
	}
	say.warn("The name %q is not of small letters, digits and hyphens; it is kept as %q", clip(text), slug)
	return nil
}

// unnamed takes the folder's name for a skill that has none.
func unnamed(folder string, m *Manifest, say *complaints) error {
	if m.Name, _ = Slug(folder); m.Name == "" {
		return refusal("There is no name, and no folder whose name could be taken")
	}
	say.warn("There is no name; it is taken from the folder, %q", m.Name)
	return nil
}

// typographic are quotes that word processors put where YAML's should stand.
var typographic = []struct{ open, end string }{{"“", "”"}, {"„", "“"}, {"„", "”"}, {"‘", "’"}, {"«", "»"}, {"”", "”"}}

// unquoted takes typographic quotes from around a value.
func unquoted(key, text string, say *complaints) string {
	for _, q := range typographic {
		inside, ok := strings.CutPrefix(text, q.open)
		if ok {
			inside, ok = strings.CutSuffix(inside, q.end)
		}
		if ok && !strings.ContainsAny(inside, q.open+q.end) {
			say.warn("The %s stands in typographic quotes; they were removed", key)
			return strings.TrimSpace(inside)
		}
	}
	return text
}

// clip shortens a text for a message and makes it harmless to print.
func clip(s string) string {
	const most = 80
	s = strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c
	}, s)
	return text.Clip(s, most)
}
