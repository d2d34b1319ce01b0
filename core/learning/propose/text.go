package propose

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"talaria/core/skill/manifest"
)

// withBody is a SKILL.md with another body and its front matter as it is, byte
// for byte; nil where it says the same.
func withBody(m manifest.Manifest, body string) []byte {
	front, ok := bytes.CutSuffix(m.Bytes(), []byte(m.Body))
	if !ok || body == m.Body {
		return nil
	}
	return append(bytes.Clone(front), body...)
}

var (
	flowTriggers  = regexp.MustCompile(`(?m)^([ \t]*triggers:[ \t]*\[)([^\]\n]*)(\][ \t]*)$`)
	blockTriggers = regexp.MustCompile(`(?m)^[ \t]*triggers:[ \t]*\n([ \t]*)- `)
	frontEnd      = regexp.MustCompile(`(?m)^---[ \t]*$`)
)

// widened is a SKILL.md that one more phrase calls for, all else as it is; nil
// where it does already or the file can't be changed for certain.
func widened(m manifest.Manifest, phrase string) []byte {
	phrase = strings.Join(strings.Fields(phrase), " ")
	raw := string(m.Bytes())
	if phrase == "" || len(phrase) > 200 || slices.Contains(m.Triggers, phrase) {
		return nil
	}
	ends := frontEnd.FindAllStringIndex(raw, 2)
	if len(ends) < 2 {
		return nil
	}
	front, rest := raw[:ends[1][0]], raw[ends[1][0]:]
	quoted := strconv.Quote(phrase)
	switch {
	case flowTriggers.MatchString(front):
		at := flowTriggers.FindStringSubmatchIndex(front)
		sep := ", "
		if strings.TrimSpace(front[at[4]:at[5]]) == "" {
			sep = ""
		}
		front = front[:at[5]] + sep + quoted + front[at[5]:]
	case blockTriggers.MatchString(front):
		at := blockTriggers.FindStringSubmatchIndex(front)
		indent := front[at[2]:at[3]]
		front = front[:at[2]] + indent + "- " + quoted + "\n" + front[at[2]:]
	default:
		front += "triggers: [" + quoted + "]\n"
	}
	next := []byte(front + rest)
	got, _, err := manifest.Read(next, m.Name)
	added := slices.Contains(got.Triggers, phrase) && len(got.Triggers) == len(m.Triggers)+1
	if err != nil || !added || got.Body != m.Body || got.Description != m.Description || got.Name != m.Name {
		return nil
	}
	return next
}
