package skill

import (
	"io/fs"

	"talaria/core/person"
)

// External is a folder of skills that somebody else keeps: read only, visible
// to a team. The operator's configuration is what authorises it.
type External struct {
	Name string // for messages
	Team person.TeamID
	FS   fs.FS // each folder in it that holds a SKILL.md is a skill
}
