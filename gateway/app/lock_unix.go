//go:build unix

package app

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// lock takes the lock file of an embedded store. The system frees it when the
// process ends, however it ends.
func lock(path string) (io.Closer, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return f, nil
	}
	_ = f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, ErrServed
	}
	return nil, err
}
