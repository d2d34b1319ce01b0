package foreign

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// read are the entries of a home that were looked into.
var read = []string{"skills", "memories", "pending", "cron", "profiles", "config.yaml", "MEMORY.md", "USER.md", ".DS_Store", "__MACOSX"}

// rest tells what stays behind. Nothing of it is opened: there are credentials
// among it.
func (r *reader) rest() {
	entries, err := fs.ReadDir(r.fsys, ".")
	if err != nil {
		r.odd("The home can't be listed")
		return
	}
	var left []string
	for _, e := range entries {
		if !slices.Contains(read, e.Name()) {
			left = append(left, e.Name())
		}
	}
	if len(left) > 0 {
		r.odd("These were not looked into: %s", clip(strings.Join(left, ", ")))
	}
	profiles, err := fs.ReadDir(r.fsys, "profiles")
	if err != nil {
		return // most homes have none
	}
	for _, p := range profiles {
		if p.IsDir() {
			r.odd("%q is a home of its own; it was not read with this one", path.Join("profiles", p.Name()))
		}
	}
}
