//go:build amd64 || arm64

package script

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"syscall"
	"time"
	"unsafe"

	"github.com/landlock-lsm/go-landlock/landlock"
	"golang.org/x/sys/unix"
)

// failureFD is where the process says why it could not become the script. It is
// closed when it has.
const failureFD = 3

// Enter is the other side of Runner: it puts this process into the sandbox that
// the one argument describes and replaces it by the script. It returns only
// where that fails.
func Enter(args []string) error {
	if len(args) != 1 {
		return errors.New("this command is for the program's own use")
	}
	// Filter and Landlock are on this thread, and exec goes on with it.
	runtime.LockOSThread()
	err := enter(args[0])
	failure := os.NewFile(failureFD, "failure")
	if _, e := fmt.Fprint(failure, err); e != nil {
		return errors.Join(err, e)
	}
	return err
}

func enter(text string) error {
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return fmt.Errorf("read the order: %w", err)
	}
	if err := unix.CloseRange(failureFD, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return fmt.Errorf("close descriptors: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("give up new privileges: %w", err)
	}
	switch o.Layer {
	case Bubblewrap:
		return o.bubblewrap()
	case Landlock:
		return o.landlock()
	}
	return fmt.Errorf("unknown layer %q", o.Layer)
}

// landlock confines this process and becomes the script.
func (o order) landlock() error {
	err := landlock.V6.Restrict( // no rule for networks: none is allowed
		landlock.RODirs(systemDirs...).IgnoreIfMissing(),
		landlock.ROFiles(systemFiles...).IgnoreIfMissing(),
		landlock.RWFiles("/dev/null", "/dev/zero", "/dev/full").IgnoreIfMissing(),
		landlock.ROFiles("/dev/random", "/dev/urandom").IgnoreIfMissing(),
		landlock.RWDirs(o.Dir),
	)
	if err != nil {
		return fmt.Errorf("restrict by Landlock: %w", err)
	}
	if err := o.limit(); err != nil {
		return err
	}
	become, err := o.replacement(o.Argv)
	if err != nil {
		return err
	}
	program := filter(slices.Concat(everywhere, byPath), slices.Concat(rules, noTimes))
	prog := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	if err := unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&prog)), 0, 0); err != nil {
		return fmt.Errorf("filter system calls: %w", err)
	}
	return become()
}

// bubblewrap becomes bwrap, which makes the namespaces, loads the filter and
// becomes the script.
func (o order) bubblewrap() error {
	var pipe [2]int
	if err := unix.Pipe2(pipe[:], 0); err != nil { // bwrap inherits it
		return fmt.Errorf("make a pipe: %w", err)
	}
	program := filter(everywhere, rules)
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&program[0])), len(program)*int(unsafe.Sizeof(program[0])))
	if _, err := unix.Write(pipe[1], bytes); err != nil { // fits a pipe by far
		return fmt.Errorf("hand the filter over: %w", err)
	}
	unix.Close(pipe[1])
	if err := o.limit(); err != nil {
		return err
	}
	become, err := o.replacement(o.bwrapArgs(pipe[0]))
	if err != nil {
		return err
	}
	return become()
}

// bwrapArgs has a file system of the system's programs, five devices and the
// script's folder, and namespaces of all kinds. There is no /proc.
func (o order) bwrapArgs(filter int) []string {
	args := []string{
		o.Bwrap, "--unshare-all", "--unshare-user", "--die-with-parent", "--cap-drop", "ALL", "--hostname", "sandbox",
		"--seccomp", strconv.Itoa(filter),
	}
	for _, file := range slices.Concat(systemDirs, systemFiles) {
		args = append(args, "--ro-bind-try", file, file)
	}
	for _, device := range []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"} {
		args = append(args, "--dev-bind-try", device, device)
	}
	args = append(args, "--bind", o.Dir, o.Dir, "--remount-ro", "/", "--chdir", o.Dir, "--")
	return append(args, o.Argv...)
}

// limit sets the kernel's limits but that of memory, hard and soft the same.
func (o order) limit() error {
	l := o.Limits
	limits := []struct {
		name  string
		which int
		value uint64
	}{
		// A dump may go to a program, whatever its size, but not at this one;
		// see do_coredump in the kernel's fs/coredump.c.
		{"core dumps", unix.RLIMIT_CORE, 1},
		// Runner measures that of all processes together, and comes first.
		{"processor time", unix.RLIMIT_CPU, uint64(l.CPU/time.Second) + 2},
		{"file size", unix.RLIMIT_FSIZE, uint64(l.Disk)},
		{"locked memory", unix.RLIMIT_MEMLOCK, 0},
		{"message queues", unix.RLIMIT_MSGQUEUE, 0},
		{"open files", unix.RLIMIT_NOFILE, uint64(l.Files)},
		{"processes", unix.RLIMIT_NPROC, uint64(o.Tasks + l.Processes + ownTasks)},
	}
	for _, limit := range limits {
		if err := syscall.Setrlimit(limit.which, &syscall.Rlimit{Cur: limit.value, Max: limit.value}); err != nil {
			return fmt.Errorf("limit %s: %w", limit.name, err)
		}
	}
	return nil
}

// replacement prepares the program that this process becomes. The limit of
// memory comes last: this process may be over it already, and its runtime ends
// where it asks for more. So what is returned allocates nothing before exec.
func (o order) replacement(argv []string) (become func() error, err error) {
	path, err := unix.BytePtrFromString(argv[0])
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", argv[0], err)
	}
	args, err := syscall.SlicePtrFromStrings(argv)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", argv[0], err)
	}
	environ, err := syscall.SlicePtrFromStrings(os.Environ())
	if err != nil {
		return nil, fmt.Errorf("hand the environment over: %w", err)
	}
	debug.SetGCPercent(-1) // the collector's workers allocate too
	// Not RLIMIT_AS, which counts what is only reserved: node reserves more than
	// machines have.
	memory := unix.Rlimit{Cur: uint64(o.Limits.Memory), Max: uint64(o.Limits.Memory)}
	return func() error {
		_, _, e := unix.RawSyscall6(unix.SYS_PRLIMIT64, 0, unix.RLIMIT_DATA, uintptr(unsafe.Pointer(&memory)), 0, 0, 0)
		if e == 0 {
			_, _, e = unix.RawSyscall(unix.SYS_EXECVE,
				uintptr(unsafe.Pointer(path)), uintptr(unsafe.Pointer(&args[0])), uintptr(unsafe.Pointer(&environ[0])))
		}
		return fmt.Errorf("start %s: %w", argv[0], e)
	}, nil
}
