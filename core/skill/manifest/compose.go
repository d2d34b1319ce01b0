package manifest

import (
	"regexp"
	"strings"
)

// Compose writes a new SKILL.md. What [Read] makes of it are the same fields, if
// they keep to what their comments say and to [MaxFile]; the body gets a line
// break at its end and loses blank lines at its beginning. What means nothing
// outside of this program stands in the metadata, under "talaria".
func Compose(f Fields) []byte {
	var w writer
	w.out.WriteString("---\n")
	w.text(0, "name", f.Name)
	w.text(0, "description", f.Description)
	w.text(0, "version", f.Version)
	w.text(0, "author", f.Author)
	w.text(0, "license", f.License)
	w.list(0, "platforms", f.Platforms)
	w.list(0, "allowed-tools", f.Tools)
	if own := own(f); own != "" {
		w.out.WriteString("metadata:\n  talaria:\n" + own)
	}
	w.out.WriteString("---\n")
	if body := strings.TrimLeft(f.Body, "\r\n"); body != "" {
		w.out.WriteString("\n" + strings.TrimSuffix(body, "\n") + "\n")
	}
	text := strings.ToValidUTF8(w.out.String(), "\uFFFD")
	return []byte(strings.ReplaceAll(text, "\x00", ""))
}

// own is our part of the metadata.
func own(f Fields) string {
	var w writer
	w.text(2, "category", f.Category)
	w.list(2, "tags", f.Tags)
	w.list(2, "triggers", f.Triggers)
	w.list(2, "related-skills", f.RelatedSkills)
	w.table(2, "permissions", func(w *writer) {
		w.list(3, "hosts", f.Permissions.Hosts)
		w.yes(3, "schedules", f.Permissions.Schedules)
		w.yes(3, "memory", f.Permissions.Memory)
		w.yes(3, "scripts", f.Permissions.Scripts)
	})
	w.table(2, "requires", func(w *writer) {
		w.list(3, "tools", f.Requires.Tools)
		w.list(3, "bins", f.Requires.Bins)
		w.list(3, "env", f.Requires.Env)
		w.list(3, "skills", f.Requires.Skills)
	})
	w.table(2, "config", func(w *writer) {
		for _, o := range f.Config {
			w.out.WriteString("      - key: " + value(o.Key) + "\n")
			w.text(4, "description", o.Description)
			w.text(4, "default", o.Default)
		}
	})
	w.table(2, "tests", func(w *writer) {
		for _, t := range f.Tests {
			w.out.WriteString("      - script: " + value(t.Script) + "\n")
			w.list(4, "args", t.Args)
			w.text(4, "expect", t.Expect)
		}
	})
	return w.out.String()
}

// writer writes YAML, without what is empty.
type writer struct{ out strings.Builder }

func (w *writer) line(depth int, key, rest string) {
	w.out.WriteString(strings.Repeat("  ", depth) + key + ": " + rest + "\n")
}

func (w *writer) text(depth int, key, text string) {
	if text != "" {
		w.line(depth, key, value(text))
	}
}

func (w *writer) list(depth int, key string, texts []string) {
	if len(texts) == 0 {
		return
	}
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = value(text)
	}
	w.line(depth, key, "["+strings.Join(quoted, ", ")+"]")
}

func (w *writer) yes(depth int, key string, yes bool) {
	if yes {
		w.line(depth, key, "true")
	}
}

func (w *writer) table(depth int, key string, fill func(*writer)) {
	var inside writer
	if fill(&inside); inside.out.Len() > 0 {
		w.out.WriteString(strings.Repeat("  ", depth) + key + ":\n" + inside.out.String())
	}
}

// bare are the texts that can stand as they are, in lists too, if they are no noText.
var bare = regexp.MustCompile(`^[A-Za-z](?:[A-Za-z0-9 ._/()-]*[A-Za-z0-9._/()-])?$`)

// value is a text as a value, in quotes where it needs them.
func value(text string) string {
	if bare.MatchString(text) && !noText.MatchString(text) {
		return text
	}
	return quote(text)
}
