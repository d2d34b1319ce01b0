//go:build amd64 || arm64

package script

import (
	"slices"

	"golang.org/x/sys/unix"
)

// everywhere are the calls that no script gets, in any layer.
var everywhere = slices.Concat([]uint32{
	// networks and what reaches other processes by a name
	unix.SYS_SOCKET, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_LISTEN, unix.SYS_ACCEPT, unix.SYS_ACCEPT4,
	unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_SEMGET, unix.SYS_SEMOP, unix.SYS_SEMTIMEDOP, unix.SYS_SEMCTL,
	unix.SYS_MSGGET, unix.SYS_MSGSND, unix.SYS_MSGRCV, unix.SYS_MSGCTL, unix.SYS_MQ_OPEN, unix.SYS_MQ_UNLINK,
	// other processes
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE, unix.SYS_PROCESS_MRELEASE,
	unix.SYS_PIDFD_GETFD, unix.SYS_KCMP, unix.SYS_MIGRATE_PAGES, unix.SYS_MOVE_PAGES, unix.SYS_SETPRIORITY, unix.SYS_IOPRIO_SET,
	unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR,
	// out of the process group, where the end of the run would not reach
	unix.SYS_SETSID, unix.SYS_SETPGID,
	// other views of the file system
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_FSOPEN,
	unix.SYS_FSMOUNT, unix.SYS_FSCONFIG, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR, unix.SYS_UNSHARE, unix.SYS_SETNS,
	unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_INOTIFY_INIT1, unix.SYS_FANOTIFY_INIT, unix.SYS_QUOTACTL,
	// memory that no limit counts
	unix.SYS_MEMFD_CREATE, unix.SYS_MEMFD_SECRET,
	// large surfaces of the kernel that no script needs, and what is the machine's
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER, unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD,
	unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL, unix.SYS_PERSONALITY, unix.SYS_SYSLOG, unix.SYS_ACCT, unix.SYS_REBOOT,
	unix.SYS_KEXEC_LOAD, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_SWAPON, unix.SYS_SWAPOFF,
	unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_CLOCK_ADJTIME, unix.SYS_ADJTIMEX, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME,
}, archEverywhere)

// byPath are the calls that change a file's mode, owner, times or attributes by
// its path. Landlock does not see them, so without namespaces nobody gets them.
var byPath = slices.Concat([]uint32{
	unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWNAT,
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_SETXATTRAT, unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_REMOVEXATTRAT,
	fileSetattr,
}, archByPath)

// fileSetattr has no name in x/sys yet; its number is that of every
// architecture (Linux 6.17).
const fileSetattr = 469

// rule allows a call only where an argument, masked, has a value.
type rule struct {
	call, arg, mask, value uint32
	high                   bool // of the argument's halves, the upper one
}

const all = 0xffffffff

// rules hold in any layer.
var rules = []rule{
	// Children talk over pairs of streams. A pair of datagram sockets could
	// send to any address.
	{call: unix.SYS_SOCKETPAIR, arg: 0, mask: all, value: unix.AF_UNIX},
	{call: unix.SYS_SOCKETPAIR, arg: 1, mask: 0xf, value: unix.SOCK_STREAM},
	{call: unix.SYS_CLONE, arg: 0, mask: namespaces, value: 0},
	{call: unix.SYS_PRLIMIT64, arg: 0, mask: all, value: 0}, // its own limits alone
	{call: unix.SYS_SCHED_SETAFFINITY, arg: 0, mask: all, value: 0},
}

// noTimes allows times to be set of open files, and not by a path.
var noTimes = []rule{
	{call: unix.SYS_UTIMENSAT, arg: 1, mask: all, value: 0},
	{call: unix.SYS_UTIMENSAT, arg: 1, mask: all, value: 0, high: true},
}

const namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET |
	unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP

// Offsets in struct seccomp_data, and what a filter returns.
const (
	dataCall = 0
	dataArch = 4
	dataArgs = 16

	kill   = unix.SECCOMP_RET_KILL_PROCESS
	refuse = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	absent = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
)

// filter is the program that the kernel runs before each call: what is denied is
// refused, what breaks a rule too, all else passes. Calls of other
// architectures, which have other numbers, end the process.
func filter(denied []uint32, rules []rule) []unix.SockFilter {
	p := []unix.SockFilter{
		load(dataArch), jump(unix.BPF_JEQ, arch, 1, 0), ret(kill),
		load(dataCall), jump(unix.BPF_JGE, foreign, 0, 1), ret(kill),
		// Its arguments lie in memory, where no filter sees them; libraries
		// fall back to clone.
		jump(unix.BPF_JEQ, unix.SYS_CLONE3, 0, 1), ret(absent),
	}
	for _, call := range denied {
		p = append(p, jump(unix.BPF_JEQ, call, 0, 1), ret(refuse))
	}
	for _, r := range rules {
		at := dataArgs + 8*r.arg
		if r.high {
			at += 4 // both architectures are little-endian
		}
		p = append(p,
			jump(unix.BPF_JEQ, r.call, 0, 5),
			load(at), unix.SockFilter{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: r.mask},
			jump(unix.BPF_JEQ, r.value, 1, 0), ret(refuse),
			load(dataCall))
	}
	return append(p, ret(unix.SECCOMP_RET_ALLOW))
}

func load(offset uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
}

func jump(test uint16, value uint32, yes, no uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, Jt: yes, Jf: no, K: value}
}

func ret(what uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: what}
}
