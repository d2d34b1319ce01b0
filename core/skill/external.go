package skill

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"log/slog"
	"path"
	"slices"
	"sync"
	"time"

	"talaria/core/person"
	"talaria/core/skill/manifest"
)

// External is a folder of skills that somebody else keeps: read only, and
// visible to a team. The operator's configuration is what authorises it. A
// skill of the library goes before one of the same name.
type External struct {
	Name string        // for people
	Team person.TeamID // who sees it; empty: every team
	FS   fs.FS         // each folder in it that holds a SKILL.md is a skill
}

// folder is an external folder with what was last read of it.
type folder struct {
	external External
	log      *slog.Logger

	mu     sync.Mutex
	looked time.Time // when it was last looked at
	print  string    // what it looked like
	said   string    // the fault that was logged, until another one or none is there
	skills []listed
	files  map[string]manifest.Bundle
}

// external are the skills of the folders of some scopes.
func (l *Library) external(ctx context.Context, scopes []Scope) []listed {
	var out []listed
	for _, f := range l.folders {
		rank := slices.IndexFunc(scopes, func(s Scope) bool {
			return s.Kind == Team && (f.external.Team == "" || f.external.Team == s.Team)
		})
		if rank < 0 {
			continue
		}
		for _, s := range f.list(ctx) {
			s.rank, s.Scope = rank+1, scopes[rank]
			out = append(out, s)
		}
	}
	return out
}

// isExternal reports whether a skill is one of a folder.
func (l *Library) isExternal(ctx context.Context, r Ref) bool {
	return slices.ContainsFunc(l.external(ctx, []Scope{r.Scope}), func(s listed) bool { return s.Name == r.Name })
}

// list are the folder's skills. Whether the files have changed is looked up at
// most every five seconds.
func (f *folder) list(ctx context.Context) []listed {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.looked.IsZero() && time.Since(f.looked) < cacheFor {
		return f.skills
	}
	print, err := fingerprint(f.external.FS)
	if err == nil && (f.files == nil || print != f.print) {
		err = f.read(ctx)
	}
	f.complain(ctx, err)
	if f.looked = time.Now(); err == nil {
		f.print = print
	}
	return f.skills
}

// complain logs why the folder can't be read, once for each fault, since it is
// looked at with every message.
func (f *folder) complain(ctx context.Context, err error) {
	fault := ""
	if err != nil {
		fault = err.Error()
	}
	if fault == f.said {
		return
	}
	f.said = fault
	if err == nil {
		f.log.InfoContext(ctx, "folder of skills read again", "folder", f.external.Name)
		return
	}
	f.log.WarnContext(ctx, "folder of skills not read; what was read before stays", "folder", f.external.Name, "err", err)
}

// fingerprint tells whether any file was changed, by size and time alone.
func fingerprint(fsys fs.FS) (string, error) {
	h := sha256.New()
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			fmt.Fprintf(h, "%q %d %d\n", name, info.Size(), info.ModTime().UnixNano())
		}
		return err
	})
	return hex.EncodeToString(h.Sum(nil)), err
}

// read takes in every skill. Of two with one name, the first by path counts.
func (f *folder) read(ctx context.Context) error {
	skills, files := []listed(nil), map[string]manifest.Bundle{}
	err := fs.WalkDir(f.external.FS, ".", func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || !holdsSkill(f.external.FS, dir) {
			return err
		}
		s, b, err := f.readSkill(dir)
		switch {
		case err != nil:
			f.log.WarnContext(ctx, "external skill left out", "folder", f.external.Name, "skill", dir, "err", err)
		case files[s.Name] == nil:
			files[s.Name] = b
			skills = append(skills, s)
		}
		return fs.SkipDir
	})
	if err != nil {
		return err
	}
	f.skills, f.files = skills, files
	return nil
}

func holdsSkill(fsys fs.FS, dir string) bool {
	info, err := fs.Stat(fsys, path.Join(dir, manifest.MainFile))
	return err == nil && info.Mode().IsRegular()
}

func (f *folder) readSkill(dir string) (listed, manifest.Bundle, error) {
	sub, err := fs.Sub(f.external.FS, dir)
	if err != nil {
		return listed{}, nil, err
	}
	b, _, err := manifest.ReadBundle(sub)
	if err != nil {
		return listed{}, nil, err
	}
	m, _, err := b.Manifest(path.Base(dir))
	if err != nil {
		return listed{}, nil, err
	}
	scope := OfTeam(f.external.Team)
	return listed{folder: f, Skill: Skill{
		Ref: Ref{Scope: scope, Name: m.Name}, Summary: summary(m), State: Active, CreatedBy: ByExternal,
		Permissions: Declared(m, scope), Hash: b.Hash(),
	}}, b, nil
}

// bundle are the files of one skill.
func (f *folder) bundle(name string) (manifest.Bundle, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	b, ok := f.files[name]
	if !ok {
		return nil, fmt.Errorf("%q in %s: %w", name, f.external.Name, ErrNotFound)
	}
	return b, nil
}
