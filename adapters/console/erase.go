package console

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// What a console keeps in its folder. Both names may be taken by what is no
// console's: the folder is often that of the store.
func historyIn(folder string) string {
	if folder == "" {
		return ""
	}
	return filepath.Join(folder, "history")
}

func filesIn(folder string) string { return filepath.Join(folder, "files") }

// savedIn lists the files that a console saved, a name a line: others that lie
// beside them are their owner's.
func savedIn(folder string) string { return filepath.Join(folder, "files.saved") }

// note adds a file to the list of those that were saved.
func note(folder, name string) error {
	f, err := os.OpenFile(savedIn(folder), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("note a file: %w", err)
	}
	_, err = fmt.Fprintln(f, name)
	return errors.Join(err, f.Close())
}

// Erase removes what consoles kept in a folder of the person who sat there: the
// history, of one that runs too, and the files that were sent to them, exports
// among these. A folder that holds nothing is fine. It may be called again.
func Erase(folder string) error {
	saved, err := os.ReadFile(savedIn(folder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("erase a console's files: %w", err)
	}
	gone := []string{historyIn(folder)}
	for name := range strings.Lines(string(saved)) {
		// A name is one of a file there, whatever became of the list.
		gone = append(gone, filepath.Join(filesIn(folder), filepath.Base(strings.TrimSuffix(name, "\n"))))
	}
	for _, path := range append(gone, savedIn(folder)) { // the list last: cut off before, it is read again
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("erase what a console kept: %w", err)
		}
	}
	return nil
}
