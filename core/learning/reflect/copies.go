package reflect

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Copies are reports as Markdown files in a folder. The zero value keeps none.
type Copies struct {
	Path string
	Keep time.Duration // as long as the reports themselves
}

const copied = ".md"

func (c Copies) write(r Report) error {
	if c.Path == "" {
		return nil
	}
	if err := os.MkdirAll(c.Path, 0o700); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	if err := os.WriteFile(c.file(r.ID), []byte(r.Markdown()), 0o600); err != nil {
		return err
	}
	return c.expire(r.At)
}

func (c Copies) file(id string) string { return filepath.Join(c.Path, filepath.Base(id)+copied) }

// drop removes the copy of a report; that there is none is no error.
func (c Copies) drop(id string) error {
	if c.Path == "" {
		return nil
	}
	if err := os.Remove(c.file(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the copy of a report: %w", err)
	}
	return nil
}

// expire removes the copies of reports that are no more. Files with names of
// another form are not ours.
func (c Copies) expire(now time.Time) error {
	if c.Path == "" || c.Keep <= 0 {
		return nil
	}
	files, err := os.ReadDir(c.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("look for old copies of reports: %w", err)
	}
	for _, f := range files {
		id, ours := strings.CutSuffix(f.Name(), copied)
		at, ok := writtenAt(id)
		if !ours || !ok || at.Add(c.Keep).After(now) {
			continue
		}
		if err := c.drop(id); err != nil {
			return err
		}
	}
	return nil
}
