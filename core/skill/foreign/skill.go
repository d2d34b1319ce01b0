package foreign

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"talaria/core/skill/manifest"
)

// reader collects what a home holds.
type reader struct {
	fsys  fs.FS
	home  Home
	bytes int
}

func (r *reader) odd(format string, args ...any) {
	r.home.Odd = append(r.home.Odd, fmt.Sprintf(format, args...))
}

// passed over are folders that hold copies, programs or state of others.
var passed = []string{
	".git", ".github", ".hub", ".venv", "venv", "node_modules", "site-packages", "__pycache__", "__MACOSX",
	".tox", ".nox", ".pytest_cache", ".mypy_cache", ".ruff_cache",
}

// sidecars are the files beside skills that are read for what they say of them,
// or say nothing of use.
var sidecars = []string{
	".usage.json", ".bundled_manifest", ".active_org", ".org-provenance.json", ".org-baseline.json",
	".DS_Store", "Thumbs.db", "desktop.ini",
}

// skills finds every skill below a folder: wherever a main file lies, and not
// below it. Files that belong to no skill are told by their folder.
func (r *reader) skills(root string) {
	others := map[string]int{}
	err := fs.WalkDir(r.fsys, root, func(p string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			r.odd("%q can't be read", p)
			if entry != nil && entry.IsDir() {
				return fs.SkipDir
			}
		case entry.Type()&fs.ModeSymlink != 0:
			r.odd("%q is a link and was not followed", p)
		case !entry.IsDir():
			if !slices.Contains(sidecars, entry.Name()) && !strings.HasSuffix(entry.Name(), ".lock") {
				others[path.Dir(p)]++
			}
		case slices.Contains(passed, entry.Name()):
			return fs.SkipDir
		case r.isSkill(p):
			return r.take(root, p)
		}
		return nil
	})
	if err != nil {
		r.odd("There are more skills than can be read at once; the rest was left out: %v", err)
	}
	for _, folder := range slices.Sorted(maps.Keys(others)) {
		r.odd("Files in %q that belong to no skill were left out: %d", folder, others[folder])
	}
	r.tell(root)
}

// isSkill reports whether a folder holds a main file, in whatever case.
func (r *reader) isSkill(dir string) bool {
	entries, err := fs.ReadDir(r.fsys, dir)
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return !e.IsDir() && strings.EqualFold(e.Name(), manifest.MainFile)
	})
}

var errEnough = errors.New("limit reached")

// take reads the skill in a folder.
func (r *reader) take(root, dir string) error {
	if len(r.home.Skills) == MaxSkills {
		return fmt.Errorf("%w: %d skills", errEnough, MaxSkills)
	}
	f := load(r.fsys, dir, path.Base(dir))
	for _, data := range f.Bundle {
		r.bytes += len(data)
	}
	if r.bytes > MaxBytes {
		return fmt.Errorf("%w: %d bytes", errEnough, MaxBytes)
	}
	f.place(strings.TrimPrefix(path.Dir(dir), root+"/"))
	r.home.Skills = append(r.home.Skills, f)
	return fs.SkipDir
}

// place reads what the folders above a skill say of it.
func (f *Found) place(folders string) {
	parents := strings.Split(folders, "/")
	switch parents[0] {
	case ".", "skills":
		parents = parents[1:]
	case ".archive":
		f.State, parents = Archived, parents[1:]
	case "_org": // with the organisation's folder
		f.Made, parents = External, parents[min(2, len(parents)):]
	}
	if f.Category = strings.Join(parents, "/"); f.Category == "" {
		f.Category = f.Manifest.Category
	}
}

// load reads one skill; folder is its name where the file has none.
func load(fsys fs.FS, dir, folder string) Found {
	f := Found{Path: dir, State: Active}
	if folder == "." {
		folder = ""
	}
	at, err := fs.Sub(fsys, dir)
	if err == nil {
		f.Bundle, f.Messages, err = manifest.ReadBundle(at)
	}
	if err == nil {
		var messages []manifest.Message
		f.Manifest, messages, err = f.Bundle.Manifest(folder)
		f.Messages = append(f.Messages, messages...)
	}
	if err == nil {
		return f
	}
	f.Bundle, f.Manifest = nil, manifest.Manifest{}
	if !f.Refused() {
		f.Messages = append(f.Messages, manifest.Message{Level: manifest.Refuse, Text: err.Error()})
	}
	return f
}
