package validate

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/skill"
	"talaria/core/text"
)

// audit compares what a skill asks to do with what there is, what its text
// uses, and what the work that it comes from needed.
func (c Config) audit(ctx context.Context, s skill.Candidate) ([]skill.Finding, error) {
	a := auditor{Config: c, Candidate: s}
	a.tools()
	a.covered()
	if s.Origin >= chat.External {
		a.outside()
	}
	if err := a.compared(ctx); err != nil {
		return nil, err
	}
	return a.found, nil
}

type auditor struct {
	Config
	skill.Candidate
	found []skill.Finding
}

func (a *auditor) say(s skill.Severity, format string, args ...any) {
	a.found = append(a.found, skill.Finding{Check: "permissions", Severity: s, Message: fmt.Sprintf(format, args...)})
}

// tools: what is named should be there. Skills from elsewhere name the tools of
// other programs, which is only worth a note.
func (a *auditor) tools() {
	weight := skill.Note
	if a.ByAgent {
		weight = skill.Warn
	}
	for _, name := range a.Permissions.Tools {
		if _, ok := a.Tool(name); !ok && name != skill.Anything {
			a.say(weight, "it asks for the tool %q, which is not here", clip(name))
		}
	}
}

var (
	spans     = regexp.MustCompile("`([^`\n]{1,80})`")
	addresses = regexp.MustCompile(`https?://[^\s"'<>)\]\\` + "`" + `]+`)
)

// covered: what its text uses, it has to ask for.
func (a *auditor) covered() {
	seen := map[string]bool{}
	for _, m := range spans.FindAllStringSubmatch(a.Manifest.Body, -1) {
		if _, ok := a.Tool(m[1]); ok && !seen[m[1]] && !a.Permissions.Tool(m[1]) {
			seen[m[1]] = true
			a.say(skill.Note, "it uses the tool %s and does not ask for it", m[1])
		}
	}
	scripts := false
	for _, path := range a.Files.Paths() {
		if !strings.HasPrefix(path, "scripts/") {
			continue
		}
		scripts = true
		for _, address := range addresses.FindAllString(string(a.Files[path]), -1) {
			at, err := url.Parse(address)
			if err != nil || seen[at.Hostname()] || at.Hostname() == "" || a.Permissions.Host(strings.ToLower(at.Hostname())) {
				continue
			}
			seen[at.Hostname()] = true
			a.say(skill.Warn, "%s reaches %s and the skill does not ask for it", clip(path), clip(at.Hostname()))
		}
	}
	if scripts && !a.Permissions.Scripts {
		a.say(skill.Warn, "it has scripts and does not ask to run them")
	}
}

// outside: what was made from outside content may not act outside. The library
// refuses hosts and schedules; this is about tools that need none.
func (a *auditor) outside() {
	for _, name := range a.Permissions.Tools {
		s, ok := a.Tool(name)
		if name == skill.Anything || ok && (s.Permission == "network" || s.Permission == "schedule" || s.Effect == agent.Effectful) {
			a.say(skill.Block, "made from outside content, it may not ask for the tool %q", clip(name))
		}
	}
}

// compared: what a skill of the bot's asks for beyond what its tasks used is
// more than it was shown to need.
func (a *auditor) compared(ctx context.Context) error {
	if !a.ByAgent || a.Used == nil {
		return nil
	}
	var used []string
	known := false
	for _, p := range a.Provenance {
		tools, err := a.Used(ctx, p)
		if err != nil {
			return fmt.Errorf("compare permissions with the work: %w", err)
		}
		known = known || p.Task != ""
		used = append(used, tools...)
	}
	if !known {
		return nil
	}
	for _, name := range a.Permissions.Tools {
		if _, here := a.Tool(name); (here || name == skill.Anything) && !slices.Contains(used, name) {
			a.say(skill.Warn, "it asks for the tool %q, which the work that it comes from did not use", clip(name))
		}
	}
	if a.Permissions.Schedules && !slices.ContainsFunc(used, a.permits("schedule")) {
		a.say(skill.Warn, "it asks to make jobs, which the work that it comes from did not do")
	}
	if len(a.Permissions.Hosts) > 0 && !slices.ContainsFunc(used, a.permits("network")) {
		a.say(skill.Warn, "it asks for the network, which the work that it comes from did not use")
	}
	return nil
}

// permits tells tools that need a permission.
func (a *auditor) permits(permission string) func(tool string) bool {
	return func(tool string) bool {
		s, ok := a.Tool(tool)
		return ok && s.Permission == permission
	}
}

func clip(s string) string { return text.Clip(s, 80) }
