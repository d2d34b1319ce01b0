package script_test

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"talaria/core/tool/script"
)

// stage tells the processes of the test below apart.
const stage = "TEST_OF_NO_SANDBOX"

// TestHostWithoutAnySandboxRefuses runs in a process whose kernel says that there
// is no Landlock, and that finds no bwrap.
func TestHostWithoutAnySandboxRefuses(t *testing.T) {
	args := []string{"test", "-test.run=^TestHostWithoutAnySandboxRefuses$", "-test.v"}
	switch os.Getenv(stage) {
	case "":
		cmd := exec.Command("/proc/self/exe", args[1:]...)
		cmd.Env = []string{"PATH=/nowhere", "TMPDIR=" + os.TempDir(), stage + "=hide"}
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "nothing ran") {
			t.Errorf("%v\n%s", err, out)
		}
	case "hide":
		hideLandlock(t)
		t.Fatal(syscall.Exec("/proc/self/exe", args, []string{"PATH=/nowhere", "TMPDIR=" + os.TempDir(), stage + "=try"}))
	case "try":
		for _, sandbox := range []string{script.Auto, string(script.Bubblewrap), string(script.Landlock)} {
			refuses(t, sandbox)
		}
		t.Log("nothing ran")
	}
}

// hideLandlock has the kernel deny this thread, and what it becomes, that it
// knows Landlock.
func hideLandlock(t *testing.T) {
	runtime.LockOSThread()
	program := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS}, // the call's number
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_LANDLOCK_CREATE_RULESET, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	prog := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		t.Fatal(err)
	}
	if err := unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&prog)), 0, 0); err != nil {
		t.Fatal(err)
	}
}
