package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"talaria/core/tool"
)

func (l *loader) checkTools() {
	l.toolRules("tools.ask", l.cfg.Tools.Ask)
	l.toolRules("tools.deny", l.cfg.Tools.Deny)
	l.hosts("tools.hosts", l.cfg.Tools.Hosts, true)
}

// toolRules refuses rules about tools that there are not: a slip of a letter
// would leave a tool free that somebody meant to forbid.
func (l *loader) toolRules(key string, rules []string) {
	known := tool.Names()
	for _, r := range rules {
		scope, name, scoped := strings.Cut(r, ":")
		if !scoped {
			name = scope
		}
		switch {
		case scoped && scope != tool.InDirect && scope != tool.InSpace:
			l.bad(key, fmt.Sprintf("%q holds nowhere", r), `write "space:" or "person:" before the name, or nothing`)
		case name != "*" && !slices.Contains(known, name):
			l.bad(key, fmt.Sprintf("%q names no tool", r), nearest(name, known, `"*" is every tool that changes something, and the tools are`))
		}
	}
}

// host is a name or an address of IPv4, without anything around it.
var host = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?$`)

// hosts refuses what no host of a request ever equals.
func (l *loader) hosts(key string, hosts []string, below bool) {
	remedy := `write the name alone, like "example.com"`
	if below {
		remedy += `, or "*.example.com" for all below`
	}
	for _, h := range hosts {
		name, wild := strings.CutPrefix(h, "*.")
		if wild && !below || !host.MatchString(name) && !strings.Contains(name, "::") {
			l.bad(key, fmt.Sprintf("%q is no name of a host", h), remedy)
		}
	}
}
