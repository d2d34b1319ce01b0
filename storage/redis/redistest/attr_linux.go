package redistest

import "syscall"

// attr has the system end the server when the test dies without stopping it,
// by a time-out or an interrupt.
func attr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
