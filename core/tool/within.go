package tool

import (
	"strings"

	"talaria/core/agent"
	"talaria/core/skill"
)

// Within reports whether a call stays within what a skill was authorised for:
// hosts, schedules, and the tools it names where it names any. Reading what
// the person may read anyway, and an address that they wrote themselves, always
// do. Memory needs no rule: what the person did not say is quarantined there.
func Within(p skill.Permissions, s agent.Spec, in agent.Invocation) bool {
	switch {
	case s.Name == fetchTool:
		u, err := target(in)
		return err != nil || p.Host(strings.ToLower(u.Hostname())) || spokenURL(u, in.Spoken)
	case s.Effect == agent.Read, s.Name == memoryTool:
		return true
	case strings.HasPrefix(s.Name, schedulePrefix):
		return p.Schedules
	case s.Name == SkillRun:
		return p.Scripts
	case strings.HasPrefix(s.Name, skillPrefix):
		return false
	}
	return len(p.Tools) == 0 || p.Tool(s.Name)
}

// The names that permissions go by.
const (
	fetchTool      = "fetch"
	memoryTool     = "memory"
	schedulePrefix = "schedule_"
	skillPrefix    = "skill_"
)
