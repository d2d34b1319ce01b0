package storage_test

import (
	"errors"
	"strings"
	"testing"

	"talaria/storage"
)

func TestAFileThatIsNoBackupIsToldSo(t *testing.T) {
	_, err := storage.VerifyBackup(t.Context(), strings.NewReader("notes of a meeting"))
	if !errors.Is(err, storage.ErrCorrupt) || !strings.Contains(err.Error(), "this is no backup") {
		t.Errorf("got %v", err)
	}
}
