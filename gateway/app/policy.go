package app

import (
	"strings"

	"talaria/core/tool"
	"talaria/gateway/config"
)

// policy is the operator's rules about tools.
func policy(c config.Tools) tool.Policy {
	var p tool.Policy
	add := func(d tool.Decision, rules []string) {
		for _, rule := range rules {
			scope, name, ok := strings.Cut(rule, ":")
			if !ok {
				scope, name = tool.Everywhere, rule
			}
			p = append(p, tool.Rule{Scope: scope, Tool: strings.TrimPrefix(name, "*"), Decision: d})
		}
	}
	add(tool.Ask, c.Ask)
	add(tool.Deny, c.Deny)
	return p
}
