package doctor

import (
	"context"
	"errors"
	"os"

	"talaria/core/chat"
)

// config tells the configuration's problems.
func (s Subject) config(context.Context) []chat.Finding {
	var out []chat.Finding
	for _, p := range s.Problems {
		remedy := p.Remedy
		p.Remedy = ""
		out = append(out, wrong(remedy, "%s", p))
	}
	for _, p := range s.Warnings {
		remedy := p.Remedy
		p.Remedy = ""
		out = append(out, note(remedy, "%s", p))
	}
	if len(out) == 0 {
		out = append(out, ok("no mistakes"))
	}
	return out
}

// folder looks whether files can be written where they have to be.
func (s Subject) folder(context.Context) []chat.Finding {
	dir := s.Config.Storage.Local()
	const remedy = "make it a folder that the user who runs Talaria can write to, with space left, or name another one in [storage]"
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return []chat.Finding{wrong(remedy, "%v", err)}
	}
	if err := tryToWrite(dir); err != nil {
		return []chat.Finding{wrong(remedy, "%v", err)}
	}
	out := []chat.Finding{ok("%s can be written to", dir)}
	if info, err := os.Stat(dir); err == nil && info.Mode().Perm()&0o007 != 0 {
		out = append(out, note("run: chmod o-rwx "+dir, "%s is open to every user of this machine", dir))
	}
	return out
}

func tryToWrite(dir string) error {
	f, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, 64<<10))
	return errors.Join(err, f.Sync(), f.Close(), os.Remove(f.Name()))
}

// external tells which folders of others' skills can't be read. The bot runs
// without them.
func (s Subject) external(context.Context) []chat.Finding {
	var out []chat.Finding
	for _, dir := range s.Config.Skills.External {
		if _, err := os.ReadDir(dir); err != nil {
			out = append(out, wrong("correct the path in [skills] external, or take it out", "folder of skills: %v", err))
			continue
		}
		out = append(out, ok("skills in %s are used where they lie", dir))
	}
	return out
}

// scripts tells which sandbox holds, by starting it, where scripts are enabled.
func (s Subject) scripts(ctx context.Context) []chat.Finding {
	if !s.Config.Tools.Scripts.Enabled {
		return []chat.Finding{ok("scripts of skills are off")}
	}
	layer, err := s.Sandbox(ctx)
	if err != nil {
		return []chat.Finding{wrong("install bubblewrap, use Linux 6.12 or later for Landlock, or set tools.scripts.enabled = false; until then no script is run", "%s", why(ctx, err))}
	}
	return []chat.Finding{ok("scripts of skills run in a sandbox that holds: %s", layer)}
}
