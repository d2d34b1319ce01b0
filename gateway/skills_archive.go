package main

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"talaria/core/skill/foreign"
)

// isArchive reports whether a path is read as an archive of skills.
func isArchive(name string) bool { return strings.EqualFold(filepath.Ext(name), ".zip") }

// archived are the skills of an archive, as an import takes them, each with a
// path that begins with the archive's.
func archived(name string) ([]foreign.Found, error) {
	home, err := foreign.Open(name)
	if err != nil {
		return nil, err
	}
	if len(home.Skills) == 0 {
		return nil, fmt.Errorf("%s: %w", name, errNoSkill)
	}
	for n, f := range home.Skills {
		if f.Path == filepath.Base(name) {
			home.Skills[n].Path = name
			continue
		}
		home.Skills[n].Path = path.Join(filepath.ToSlash(name), f.Path)
	}
	return home.Skills, nil
}

var errNoSkill = errors.New("there is no skill in it")
