package app

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
)

func TestAFolderThatCantBeWrittenToIsToldWithARemedy(t *testing.T) {
	for _, reason := range []error{syscall.EACCES, syscall.EROFS} {
		err := unwritable(fmt.Errorf("store t.db: %w", &fs.PathError{Op: "open", Path: "t.db.lock", Err: reason}))
		if !errors.Is(err, reason) || !strings.Contains(err.Error(), "t.db.lock") || !strings.Contains(err.Error(), "[storage] url") {
			t.Errorf("%v is told as %q", reason, err)
		}
	}
	if other := errors.New("other"); unwritable(other) != other {
		t.Error("another error was changed")
	}
}
