package script

import "golang.org/x/sys/unix"

const (
	arch    = unix.AUDIT_ARCH_AARCH64
	foreign = 0xffffffff // a process has the calls of one architecture alone
)

// The older calls that others replaced were never there.
var archEverywhere, archByPath []uint32
