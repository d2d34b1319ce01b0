package script

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"talaria/core/skill/manifest"
)

// newBox makes a new folder with a skill's files in it, which belongs to whom
// the script runs as.
func newBox(files manifest.Bundle) (string, error) {
	dir, err := os.MkdirTemp("", "talaria-script-")
	if err != nil {
		return "", err
	}
	err = files.WriteTo(dir)
	if err == nil {
		err = give(dir)
	}
	if err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	return dir, nil
}

// give hands the folder to the user that scripts run as, where that is another.
func give(dir string) error {
	user, other := runsAs()
	if !other {
		return nil
	}
	return filepath.WalkDir(dir, func(file string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(file, user, user)
	})
}

// removeBox removes the folder, also where the script has locked folders in it.
func removeBox(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	_ = filepath.WalkDir(dir, func(file string, d fs.DirEntry, _ error) error { // RemoveAll tells what is left
		if d != nil && d.IsDir() {
			return os.Chmod(file, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}

// environment is all that a script sees of it.
func environment(dir string) []string {
	return []string{
		"PATH=" + strings.Join(searchPath, ":"), "HOME=" + dir, "TMPDIR=" + dir, "LANG=C.UTF-8", "PYTHONDONTWRITEBYTECODE=1",
		"OPENSSL_CONF=" + os.DevNull, // node ends where it may not read the system's
	}
}

// capped keeps the beginning of what is written and takes the rest as well, so
// that a script that is too loud ends like any other.
type capped struct {
	kept []byte
	most int
	more bool
}

func (c *capped) Write(p []byte) (int, error) {
	n := min(len(p), c.most-len(c.kept))
	c.kept = append(c.kept, p[:n]...)
	c.more = c.more || n < len(p)
	return len(p), nil
}
