package control

import (
	"fmt"
	"net"
	"os"
	"syscall"
)

// checkPeer refuses a process of another user at the other end.
func checkPeer(c *net.UnixConn) error {
	raw, err := c.SyscallConn()
	if err != nil {
		return fmt.Errorf("control socket: %w", err)
	}
	var cred *syscall.Ucred
	var credErr error
	err = raw.Control(func(fd uintptr) {
		cred, credErr = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	})
	if err != nil || credErr != nil {
		return fmt.Errorf("%w: can't tell whose it is", ErrStranger)
	}
	if int(cred.Uid) != os.Geteuid() {
		return ErrStranger
	}
	return nil
}
