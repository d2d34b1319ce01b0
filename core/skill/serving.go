package skill

import (
	"slices"
	"strings"

	"talaria/core/person"
)

// chats are the names of chat platforms that a skill may be for, by the
// platform that each stands for here. A list without any of them is about
// operating systems, which matter to scripts alone.
var chats = map[string]string{
	"slack": "slack", "discord": "discord", "telegram": "telegram",
	"console": "console", "cli": "console", "terminal": "console",
	"whatsapp": "whatsapp", "signal": "signal", "matrix": "matrix", "teams": "teams", "email": "email", "sms": "sms",
}

// Unfit says why a skill is of no use to p where p acts, empty where it is: it
// is for other chat platforms, needs a tool that p does not have, or asks for
// more than the place that subscribed to it said yes to. Such a skill is listed
// for people and kept from the model.
func (l *Library) Unfit(p person.Principal, s Skill) string {
	var only []string
	for _, name := range s.Platforms {
		if platform, ok := chats[strings.ToLower(name)]; ok {
			only = append(only, platform)
		}
	}
	if len(only) > 0 && !slices.Contains(only, p.Place.Platform) {
		return "it is for " + strings.Join(only, " and ")
	}
	if s.Subscribed != nil && !Added(s.Subscribed.Permissions, s.Permissions).None() {
		return "it asks for more than when this place subscribed to it"
	}
	if l.config.Offers == nil {
		return ""
	}
	var lacks []string
	for _, tool := range s.Needs {
		if !l.config.Offers(p, tool) {
			lacks = append(lacks, tool)
		}
	}
	if len(lacks) > 0 {
		return "it needs " + strings.Join(lacks, " and ") + ", which is not to be had here"
	}
	return ""
}

// fit reports whether p's turn may use a skill.
func (l *Library) fit(p person.Principal, s Skill) bool { return s.Live() && l.Unfit(p, s) == "" }
