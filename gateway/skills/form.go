package skills

import (
	"context"
	"strings"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/command"
)

// forms declares the verbs for platforms that have a form for them. The usage
// of a verb says what it takes. The overview is what no verb does.
func (d *Desk) forms() []command.Verb {
	out := []command.Verb{{Name: "overview", Summary: "what I have learned to do", Unsaid: true}}
	for _, v := range d.verbs() {
		out = append(out, command.Verb{Name: v.name, Summary: v.summary, Options: d.options(v)})
	}
	return out
}

// options reads a verb's usage: capitals are values, in brackets where they may
// be left out; of all other words one can be chosen.
func (d *Desk) options(v verb) []command.Option {
	values := map[string]command.Option{
		"NAME":      {Name: "name", Summary: "which skill", Complete: d.names},
		"WORDS":     {Name: "words", Summary: "what it is for"},
		"TEXT":      {Name: "text", Summary: "the whole SKILL.md"},
		"PAGE":      {Name: "page", Summary: "number of the page"},
		"FILE":      {Name: "file", Summary: "one of its files"},
		"FROM":      {Name: "from", Summary: "number of the earlier revision"},
		"TO":        {Name: "to", Summary: "number of the later revision"},
		"NUMBER":    {Name: "number", Summary: "number of the revision"},
		"REASON":    {Name: "reason", Summary: "why"},
		"PLACE":     {Name: "place", Summary: "which place, if not this one"},
		"KEY":       {Name: "key", Summary: "which change, if one alone"},
		"KEY=VALUE": {Name: "setting", Summary: "a name, =, and its value"},
	}
	var out []command.Option
	choice := command.Option{Name: "how", Summary: "in another way"}
	for _, part := range usageParts(v.args) {
		o, ok := values[strings.Trim(part, "[]")]
		switch {
		case !ok:
			choice.Choices = append(choice.Choices, strings.Trim(part, "[]"))
			continue
		case o.Name == "name" && (v.name == "approve" || v.name == "reject"):
			o.Complete = d.drafts
		}
		o.Required = !strings.HasPrefix(part, "[")
		out = append(out, o)
	}
	if choice.Choices != nil {
		out = append(out, choice)
	}
	return out
}

// usageParts takes a usage apart: words, and what stands together in brackets.
func usageParts(usage string) (parts []string) {
	for usage = strings.TrimSpace(usage); usage != ""; usage = strings.TrimSpace(usage) {
		end := strings.IndexByte(usage, ' ')
		if strings.HasPrefix(usage, "[--") {
			end = strings.IndexByte(usage, ']') + 1
		}
		if end <= 0 {
			end = len(usage)
		}
		parts, usage = append(parts, usage[:end]), usage[end:]
	}
	return parts
}

// names are the skills that somebody sees where they are.
func (d *Desk) names(ctx context.Context, who person.Principal) (all []chat.Choice, err error) {
	list, err := d.library.List(ctx, who)
	for _, s := range list {
		all = append(all, command.Labelled(s.Name, s.Description))
	}
	return all, err
}

// drafts are the skills of which a draft waits for a decision that somebody
// sees.
func (d *Desk) drafts(ctx context.Context, who person.Principal) (all []chat.Choice, err error) {
	list, err := d.library.Pending(ctx, who)
	for _, p := range list {
		all = append(all, command.Labelled(p.Name, p.Description))
	}
	return all, err
}
