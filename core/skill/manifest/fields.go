package manifest

import (
	"slices"
	"strings"
)

// known are the top-level keys whose meaning is read. Compare [node.get].
var known = []string{
	"name", "description", "version", "author", "license", "metadata", "category", "tags", "keywords",
	"triggers", "trigger-phrases", "when-to-use", "allowed-tools", "tools", "platforms", "os", "related-skills",
	"config", "permissions", "tests", "requires", "prerequisites", "required-environment-variables",
}

// fill reads everything that is neither name nor description. What it can't make
// sense of it leaves out: the file still has it.
func (m *Manifest) fill(root *node, say *complaints) {
	s := newScopes(root, say)
	m.Version, m.Author, m.License = s.text("version"), s.text("author"), s.text("license")
	m.Category = s.text("category")
	m.Tags = s.get("tags", "keywords").strings(splitCommas)
	m.Triggers = s.get("triggers", "trigger-phrases").strings(splitCommas)
	if when := s.text("when-to-use"); when != "" {
		m.Triggers = append(m.Triggers, when)
	}
	if tools := s.get("allowed-tools", "tools"); !tools.defines() {
		m.Tools = tools.strings(splitTools)
	}
	m.Platforms = platforms(s.get("platforms", "os").strings(splitCommas))
	m.RelatedSkills = s.get("related-skills").strings(splitCommas)
	m.Config = options(s.get("config"))
	m.Tests = tests(s.get("tests"))
	m.Requires = requires(s)
	m.Permissions = permissions(s)
}

// scopes are the tables of a front matter in which a key may lie, in the order in
// which they count: the top, then the metadata of one product and another.
type scopes []*node

// newScopes reads the metadata, which some files hold as JSON in a text.
func newScopes(root *node, say *complaints) scopes {
	out := scopes{root}
	metadata := root.get("metadata")
	switch {
	case metadata == nil, metadata.kind == null:
		return out
	case metadata.kind == scalar:
		inside, err := parse(metadata.text, &complaints{})
		if err != nil || inside == nil || inside.kind != table {
			say.warn("The metadata is no table and was left unread")
			return out
		}
		say.warn("The metadata is a table written as text")
		metadata = inside
	}
	out = append(out, metadata.get("talaria"), metadata.get("hermes"), metadata)
	for _, p := range metadata.pairs {
		if !slices.Contains(out, p.value) && p.value.kind == table {
			out = append(out, p.value)
		}
	}
	return slices.DeleteFunc(out, func(n *node) bool { return n == nil })
}

// get returns the first value of the keys that is not empty.
func (s scopes) get(keys ...string) *node {
	for _, scope := range s {
		for _, key := range keys {
			if n := scope.get(key); n != nil && n.kind != null {
				return n
			}
		}
	}
	return nil
}

// text is the value of a key that holds one text.
func (s scopes) text(key string) string {
	n := s.get(key)
	if n != nil && n.kind == table {
		n = n.get("name") // an author with an address, for instance
	}
	if n == nil || n.kind != scalar {
		return ""
	}
	return strings.TrimSpace(n.text)
}

// platforms names operating systems as Go does.
func platforms(names []string) []string {
	for i, name := range names {
		switch name = strings.ToLower(name); name {
		case "macos", "osx", "mac":
			name = "darwin"
		case "win32", "win":
			name = "windows"
		}
		names[i] = name
	}
	return names
}

// options reads settings: a list of tables, as Hermes has them, or a table of
// defaults by key.
func options(n *node) []Option {
	var out []Option
	if n == nil {
		return nil
	}
	for _, item := range n.items {
		s := scopes{item}
		if key := s.text("key"); key != "" {
			out = append(out, Option{Key: key, Description: s.text("description"), Default: s.text("default")})
		}
	}
	for _, p := range n.pairs {
		switch p.value.kind {
		case scalar:
			out = append(out, Option{Key: p.key, Default: strings.TrimSpace(p.value.text)})
		case table:
			s := scopes{p.value}
			out = append(out, Option{Key: p.key, Description: s.text("description"), Default: s.text("default")})
		}
	}
	return out
}

// tests reads the runs that show whether scripts work. Arguments in one text are
// parted at blanks; in a list they stay as they are.
func tests(n *node) []Test {
	var out []Test
	if n == nil {
		return nil
	}
	for _, item := range n.items {
		s := scopes{item}
		t := Test{Script: s.text("script"), Expect: s.text("expect")}
		if t.Script == "" {
			continue
		}
		switch args := s.get("args"); {
		case args != nil && args.kind == scalar:
			t.Args = strings.Fields(args.text)
		case args != nil:
			for _, a := range args.items {
				t.Args = append(t.Args, a.text)
			}
		}
		out = append(out, t)
	}
	return out
}

// requires brings together what the several formats ask for: a table of programs
// and variables (OpenClaw), prerequisites and tool sets (Hermes).
func requires(s scopes) Requires {
	var out Requires
	add := func(to *[]string, n *node) { *to = distinct(append(*to, n.strings(splitCommas)...)) }
	for _, table := range []*node{s.get("requires"), s.get("prerequisites")} {
		add(&out.Tools, table.get("tools"))
		add(&out.Bins, table.get("bins"))
		add(&out.Bins, table.get("anybins"))
		add(&out.Bins, table.get("commands"))
		add(&out.Env, table.get("env"))
		add(&out.Env, table.get("env-vars"))
		add(&out.Skills, table.get("skills"))
	}
	add(&out.Tools, s.get("requires-tools"))
	add(&out.Tools, s.get("requires-toolsets"))
	add(&out.Env, s.get("required-environment-variables"))
	return out
}

// permissions reads what a skill asks for: a table, or a list of its keys. A
// skill that brings a schedule of its own asks for jobs, whether it says so or not.
func permissions(s scopes) Permissions {
	n := s.get("permissions")
	words := []string{}
	if n != nil && n.kind != table {
		words = n.strings(splitCommas)
	}
	asks := func(key string) bool { return n.get(key).truth() || slices.Contains(words, key) }
	hosts := n.get("hosts").strings(splitCommas)
	for i, host := range hosts {
		hosts[i] = strings.ToLower(host)
	}
	if asks("network") && len(hosts) == 0 {
		hosts = []string{"*"}
	}
	return Permissions{
		Hosts:     hosts,
		Schedules: asks("schedules") || s.get("blueprint").get("schedule") != nil,
		Memory:    asks("memory"),
		Scripts:   asks("scripts"),
	}
}
