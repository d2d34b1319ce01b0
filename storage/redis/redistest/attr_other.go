//go:build !linux

package redistest

import "syscall"

// attr has nothing to ask of systems other than Linux: there a server outlives
// a test that was killed.
func attr() *syscall.SysProcAttr { return nil }
