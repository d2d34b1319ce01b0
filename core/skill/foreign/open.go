package foreign

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"talaria/core/skill/manifest"
)

// Open reads a path of the machine: a home, a folder of skills, a skill's
// folder, a SKILL.md or a ZIP archive of any of them. An error means that there
// was nothing to read; what is wrong with a part of it is said in the value.
func Open(name string) (Home, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return Home{}, fmt.Errorf("read skills: %w", err)
	case info.IsDir():
		return folder(name)
	case !strings.EqualFold(filepath.Ext(name), ".zip"):
		return single(name)
	}
	f, err := os.Open(name)
	if err != nil {
		return Home{}, fmt.Errorf("read skills: %w", err)
	}
	defer f.Close()
	h, err := OpenZip(f, info.Size())
	h.Called(filepath.Base(name))
	return h, err
}

// Called names a skill that lies at the top of what was read, by what people
// call that.
func (h Home) Called(name string) {
	for n, f := range h.Skills {
		if f.Path == "." {
			h.Skills[n].Path = name
		}
	}
}

// OpenZip reads an archive, for instance one that was sent as an attachment.
func OpenZip(r io.ReaderAt, size int64) (Home, error) {
	fsys, err := manifest.OpenZip(r, size)
	if err != nil {
		return Home{}, fmt.Errorf("read archive: %w", err)
	}
	return Read(fsys), nil
}

// folder reads a folder of the machine. Links that lead out of it are not
// followed, wherever they lie.
func folder(name string) (Home, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return Home{}, fmt.Errorf("read skills: %w", err)
	}
	defer root.Close()
	h := Read(root.FS())
	abs, err := filepath.Abs(name)
	if err == nil && len(h.Skills) == 1 && h.Skills[0].Path == "." {
		h.Skills[0] = load(root.FS(), ".", filepath.Base(abs)) // now that its folder's name is known
		h.Called(filepath.Base(abs))
	}
	return h, nil
}

// single reads a SKILL.md.
func single(name string) (Home, error) {
	b, m, messages, err := manifest.Load(name)
	if err != nil && !errors.Is(err, manifest.ErrRefused) {
		return Home{}, fmt.Errorf("read skills: %w", err)
	}
	return Home{Skills: []Found{{Path: filepath.Base(name), Bundle: b, Manifest: m, Messages: messages, State: Active}}}, nil
}

// Read reads a tree of files, see [Open]. A home may lie in one folder of it, as
// in many archives.
func Read(fsys fs.FS) Home {
	r := &reader{fsys: lone(fsys)}
	switch {
	case isFile(r.fsys, "skills/SKILL.md"), !isFolder(r.fsys, "skills"):
		r.skills(".")
	default:
		r.skills("skills")
		r.config()
		r.memories()
		r.pending()
		r.jobs()
		r.rest()
	}
	return r.home
}

// lone goes down through folders that stand alone to one with skills inside, and
// stays where it is if there is none.
func lone(fsys fs.FS) fs.FS {
	at := fsys
	for range 8 {
		if isFolder(at, "skills") {
			return at
		}
		entries, err := fs.ReadDir(at, ".")
		entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return e.Name() == "__MACOSX" || e.Name() == ".DS_Store" })
		if err != nil || len(entries) != 1 || !entries[0].IsDir() {
			return fsys
		}
		if at, err = fs.Sub(at, entries[0].Name()); err != nil {
			return fsys
		}
	}
	return fsys
}

func isFolder(fsys fs.FS, p string) bool {
	info, err := fs.Stat(fsys, p)
	return err == nil && info.IsDir()
}

func isFile(fsys fs.FS, p string) bool {
	info, err := fs.Stat(fsys, p)
	return err == nil && info.Mode().IsRegular()
}
