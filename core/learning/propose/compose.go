package propose

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/learning/lesson"
	"talaria/core/learning/observe"
	"talaria/core/learning/outline"
	"talaria/core/skill/manifest"
	"talaria/core/text"
	"talaria/core/trace"
)

// complete is the SKILL.md of a new skill, with what code knows of the task
// beside what the model wrote: the tools that were used and the permissions
// that these need, the skills in use, what went wrong and what worked then.
// Where it comes from stands on the draft and not in the file, which would be
// another one each day.
func (p *Proposer) complete(c Case, m manifest.Manifest, from chat.Origin) []byte {
	f := m.Fields
	if len(f.Tools) == 0 {
		f.Tools = p.used(c.Task)
	}
	f.Permissions = p.needed(c.Task, f)
	if from >= chat.External {
		f.Tools = slices.DeleteFunc(slices.Clone(f.Tools), p.outward)
		f.Permissions.Hosts, f.Permissions.Schedules = nil, false
	}
	for _, u := range c.Task.Skills {
		if u.Skill != f.Name && !slices.Contains(f.RelatedSkills, u.Skill) {
			f.RelatedSkills = append(f.RelatedSkills, u.Skill)
		}
	}
	if !outline.Has(f.Body, outline.When) {
		when := append([]string{f.Description}, f.Triggers...)
		f.Body = outline.Add(f.Body, outline.When, when...)
	}
	if !outline.Has(f.Body, outline.Needs) && len(f.Tools) > 0 {
		tools := "Tools: "
		if outline.InChinese(f.Body) {
			tools = "工具："
		}
		f.Body = outline.Add(f.Body, outline.Needs, tools+strings.Join(f.Tools, ", "))
	}
	f.Body = outline.Add(f.Body, outline.Pitfalls, Pitfalls(c.Observed.Observation, f.Body, p.config.Limits.Pitfalls)...)
	return manifest.Compose(f)
}

// inner are permissions of tools that learning and looking up need themselves:
// no skill is about them.
var inner = []string{"skills", "search"}

// used are the tools of a task that a skill of it names.
func (p *Proposer) used(t trace.Task) []string {
	return slices.DeleteFunc(t.Tools(), func(name string) bool {
		s, ok := p.spec(name)
		return !ok || slices.Contains(inner, s.Permission) || strings.HasPrefix(name, "skill")
	})
}

// needed are the permissions that a task's calls show, beside those that the
// text asks for.
func (p *Proposer) needed(t trace.Task, f manifest.Fields) manifest.Permissions {
	out := f.Permissions
	for _, s := range t.Steps {
		spec, ok := p.spec(s.Tool)
		if s.Kind != trace.ToolCall || !ok || !slices.Contains(f.Tools, s.Tool) {
			continue
		}
		switch spec.Permission {
		case "network":
			out.Hosts = withHosts(out.Hosts, hosts(s.Text))
		case "schedule":
			out.Schedules = true
		case "memory":
			out.Memory = true
		}
	}
	return out
}

// withHosts are the hosts that are allowed with others beside them, unless all
// are allowed already.
func withHosts(allowed, more []string) []string {
	out := slices.Clone(allowed)
	for _, host := range more {
		if !slices.Contains(out, host) && !slices.Contains(out, "*") {
			out = append(out, host)
		}
	}
	return out
}

var urls = regexp.MustCompile(`https?://[^\s"'<>\\]+`)

// hosts are the hosts of the addresses in a call's arguments.
func hosts(args string) []string {
	var out []string
	for _, u := range urls.FindAllString(args, -1) {
		if at, err := url.Parse(u); err == nil && at.Hostname() != "" {
			out = append(out, strings.ToLower(at.Hostname()))
		}
	}
	return out
}

// outward reports whether a tool acts beyond the conversation: it reaches the
// network, makes jobs, or does what can't be undone. What is not known is taken
// for that.
func (p *Proposer) outward(tool string) bool {
	s, ok := p.spec(tool)
	return !ok || s.Permission == "network" || s.Permission == "schedule" || s.Effect == agent.Effectful
}

func (p *Proposer) spec(tool string) (agent.Spec, bool) {
	if p.config.Tool == nil {
		return agent.Spec{}, false
	}
	return p.config.Tool(tool)
}

// Pitfalls are the recoveries of a task that a text does not tell yet, as points,
// the first most of them: how it failed, and what worked.
func Pitfalls(o observe.Observation, known string, most int) []string {
	var out []string
	for _, r := range o.Pitfalls(known) {
		point := fmt.Sprintf("`%s` answered: %s. What worked: `%s` with %s", code(r.Tool), quoted(r.How), code(r.Worked), quoted(r.With))
		if len(out) < most && lesson.Refuse(r.How) == "" {
			out = append(out, point)
		}
	}
	return out
}

func code(s string) string { return strings.ReplaceAll(short(s), "`", "") }

// quoted is a piece of somebody's text as a quotation that it can't end.
func quoted(s string) string { return strconv.Quote(short(s)) }

// neverWorked finds in a text a call's argument that failed and for which
// nothing else worked later: a sequence that never succeeded.
func neverWorked(c Case, body string) string {
	const telling = 12 // characters from which an argument is no word of its own
	folded := text.Fold(body)
	for _, r := range c.Observed.Recoveries {
		if r.Resolved {
			continue
		}
		for _, v := range observe.Values(r.Tried) {
			if len(v) >= telling && strings.Contains(folded, text.Fold(v)) {
				return v
			}
		}
	}
	return ""
}
