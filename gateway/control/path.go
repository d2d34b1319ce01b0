package control

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
)

// maxPath is the longest path of a socket that every system takes: macOS has
// 104 bytes for it, Linux 108.
const maxPath = 100

// place is the path that is really used for a socket. A path that is too long
// for the system is replaced by a short one, the same on both sides.
func place(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("control socket %s: %w", path, err)
	}
	if len(abs) <= maxPath {
		return abs, nil
	}
	sum := sha256.Sum256([]byte(abs))
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("talaria-%d", os.Geteuid()))
	return filepath.Join(dir, hex.EncodeToString(sum[:8])+".sock"), nil
}
