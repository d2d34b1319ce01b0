package edit

import (
	"errors"
	"fmt"
	"maps"

	"talaria/core/skill/manifest"
	"talaria/core/skill/patch"
)

// Action is what a change does.
type Action string

// The actions.
const (
	Create     Action = "create"      // the SKILL.md of a new skill: Content
	Edit       Action = "edit"        // the SKILL.md of an existing one, whole: Content
	Patch      Action = "patch"       // Old by New in File, or in SKILL.md
	WriteFile  Action = "write_file"  // File: Content
	RemoveFile Action = "remove_file" // File
)

// Change is one change of a skill's files.
type Change struct {
	Action  Action `json:"action"`
	File    string `json:"file,omitempty"`
	Content string `json:"content,omitempty"`
	Old     string `json:"old,omitempty"`
	New     string `json:"new,omitempty"`
	All     bool   `json:"all,omitempty"`
}

// The errors of a change that can't be made, beside those of package patch and
// of manifest's paths.
var (
	ErrExists  = errors.New("there is such a skill already; change it instead of creating it")
	ErrMissing = errors.New("there is no such skill to change; create it")
	ErrNoFile  = errors.New("the skill has no such file")
	ErrMain    = errors.New("the SKILL.md can't be removed; archive the skill instead")
	ErrNothing = errors.New("no change was given")
)

// Apply makes all changes of a bundle, nil for a new skill, or none. The bundle
// given stays as it is.
func Apply(b manifest.Bundle, changes []Change) (manifest.Bundle, error) {
	if len(changes) == 0 {
		return nil, ErrNothing
	}
	next := maps.Clone(b)
	if next == nil {
		next = manifest.Bundle{}
	}
	for n, c := range changes {
		if err := apply(next, c); err != nil {
			return nil, fmt.Errorf("change %d (%s): %w", n+1, c.Action, err)
		}
	}
	return next, nil
}

func apply(b manifest.Bundle, c Change) error {
	_, exists := b[manifest.MainFile]
	if !exists && c.Action != Create {
		return ErrMissing
	}
	switch c.Action {
	case Create:
		if exists {
			return ErrExists
		}
		b[manifest.MainFile] = []byte(c.Content)
	case Edit:
		b[manifest.MainFile] = []byte(c.Content)
	case Patch:
		return patched(b, c)
	case WriteFile:
		if err := manifest.WritablePath(c.File); err != nil {
			return err
		}
		b[c.File] = []byte(c.Content)
	case RemoveFile:
		return removed(b, c.File)
	default:
		return fmt.Errorf("there is no action %q", c.Action)
	}
	return nil
}

func patched(b manifest.Bundle, c Change) error {
	file := c.File
	if file == "" {
		file = manifest.MainFile
	}
	data, ok := b[file]
	if !ok {
		return fmt.Errorf("%w: %q", ErrNoFile, file)
	}
	res, err := patch.Apply(string(data), patch.Edit{Old: c.Old, New: c.New, All: c.All})
	if err != nil {
		return err
	}
	b[file] = []byte(res.Text)
	return nil
}

func removed(b manifest.Bundle, file string) error {
	if file == "" || file == manifest.MainFile {
		return ErrMain
	}
	if _, ok := b[file]; !ok {
		return fmt.Errorf("%w: %q", ErrNoFile, file)
	}
	delete(b, file)
	return nil
}
