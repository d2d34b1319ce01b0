package script_test

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"talaria/core/tool/script"
)

// prelude stands before each probe. What a probe got hold of it prints behind
// "ESCAPED"; all else is a refusal.
const prelude = `
import ctypes, mmap, os, resource, signal, socket, subprocess, sys, time
outside, store, tcp, udp, parent, abstract, fd = sys.argv[1:8]
tcp, udp, parent, fd = int(tcp), int(udp), int(parent), int(fd)
libc = ctypes.CDLL(None, use_errno=True)
def call(*args):
    args = [ctypes.c_long(a) if isinstance(a, int) else a for a in args]
    if libc.syscall(*args) < 0: raise OSError(ctypes.get_errno(), "refused")
    return True
def send(family, kind, where):
    s = socket.socket(family, kind); s.settimeout(1); s.connect(where)
    try: s.send(b"leak")
    except BrokenPipeError: pass
    return "reached"
def probe():
`

const postlude = `
try:
    got = probe()
    print("ESCAPED" if got else "nothing", got)
except BaseException as e:
    print("refused", type(e).__name__, e)
`

// probes are ways out, each the body of a Python function that returns what it
// got. What the world of the test shows besides counts as well.
var probes = map[string]string{
	"read another user's file":          `return open(store).read()`,
	"read the accounts":                 `return open("/etc/passwd").read()`,
	"read the password hashes":          `return open("/etc/shadow").read()`,
	"list another folder":               `return os.listdir(outside)`,
	"list the temporary folder":         `return [n for n in os.listdir(os.path.dirname(os.getcwd())) if n != os.path.basename(os.getcwd())]`,
	"list the homes":                    `return os.listdir("/home")`,
	"climb by the parent":               `return open(os.path.relpath(store)).read()`,
	"read through a symbolic link":      `os.symlink(store, "l"); return open("l").read()`,
	"read through a hard link":          `os.link(store, "h"); return open("h").read()`,
	"read through a link within a link": `os.symlink(outside, "d"); return open("d/store.db").read()`,
	"read the parent's environment":     `return open(f"/proc/{parent}/environ").read()`,
	"read its own parent's environment": `return open(f"/proc/{os.getppid()}/environ").read()`,
	"see secrets in its environment":    `return [k for k in os.environ if "TALARIA" in k or "TOKEN" in k]`,
	"see the program's command line":    `return open(f"/proc/{parent}/cmdline").read()`,
	"read the parent's memory":          `return os.open(f"/proc/{parent}/mem", os.O_RDONLY)`,
	"go through the parent's root":      `return os.listdir(f"/proc/{parent}/root")`,
	"use the parent's descriptors":      `return os.listdir(f"/proc/{parent}/fd")`,
	"use an inherited descriptor": `
    for n in range(3, 64):
        try: return os.fstat(n)
        except OSError: pass`,
	"use the descriptor that leaks": `return os.read(fd, 4)`,
	"write another user's file":     `open(store, "a").write("x"); return True`,
	"make a file elsewhere":         `open(outside + "/new", "w"); return True`,
	"make a file in /tmp":           `p = os.getcwd() + "-new"; open(p, "w"); os.unlink(p); return True`,
	"write into the system":         `open("/usr/bin/talaria-new", "w"); return True`,
	"write into memory's folder":    `open("/dev/shm/talaria-new", "w"); return True`,
	"shorten a file":                `os.truncate(store, 0); return True`,
	"remove a file":                 `os.unlink(store); return True`,
	"rename a file into the folder": `os.rename(store, "s"); return True`,
	"rename its folder away":        `os.rename(os.getcwd(), outside + "/moved"); return True`,
	"close a file to its owner":     `os.chmod(store, 0); return True`,
	"give a file away":              `os.chown(store, os.getuid(), os.getgid()); return True`,
	"set a file's times":            `os.utime(store, (0, 0)); return True`,
	"mark a file":                   `os.setxattr(store, "user.x", b"x"); return True`,
	"watch a folder":                `fd = libc.inotify_init(); return libc.inotify_add_watch(fd, outside.encode(), 0xfff) >= 0`,
	"TCP to this machine":           `return send(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", tcp))`,
	"TCP by six":                    `return send(socket.AF_INET6, socket.SOCK_STREAM, ("::ffff:127.0.0.1", tcp))`,
	"TCP over several paths":        `s = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262); s.connect(("127.0.0.1", tcp)); return True`,
	"UDP to this machine":           `return send(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", udp))`,
	"UDP without connecting":        `return socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"leak", ("127.0.0.1", udp))`,
	"listen for others":             `s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(); return True`,
	"raw packets":                   `return socket.socket(socket.AF_PACKET, socket.SOCK_RAW)`,
	"netlink":                       `return socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)`,
	"a socket in the file system":   `return send(socket.AF_UNIX, socket.SOCK_STREAM, outside + "/sock")`,
	"an abstract socket":            `return send(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + abstract)`,
	"a pair that is connected anew": `a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); a.connect("\0" + abstract + "-d"); a.send(b"leak"); return True`,
	"a pair that sends elsewhere":   `a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); return a.sendto(b"leak", "\0" + abstract + "-d")`,
	"a ring for calls":              `return call(425, 8, ctypes.create_string_buffer(120))`,
	"shared memory of the machine":  `return call(29 if os.uname().machine == "x86_64" else 194, 0x7a1a, 4096, 0o1666)`,
	"memory without a name":         `return os.memfd_create("x")`,
	"trace the parent":              `return libc.ptrace(16, parent, 0, 0) == 0`,
	"read a process's memory":       `return call(310 if os.uname().machine == "x86_64" else 270, parent, 0, 0, 0, 0, 0)`,
	"kill the parent":               `os.kill(parent, signal.SIGKILL); return True`,
	"stop all processes": `
    if os.fork() == 0:
        os.kill(-1, signal.SIGSTOP)
        os._exit(0)
    time.sleep(600)`,
	"kill by a handle":               `fd = os.pidfd_open(parent); signal.pidfd_send_signal(fd, signal.SIGTERM); return True`,
	"take the parent's limits":       `resource.prlimit(parent, resource.RLIMIT_NOFILE, (4, 4)); return True`,
	"slow the parent down":           `os.setpriority(os.PRIO_PROCESS, parent, 19); return True`,
	"bind the parent to nothing":     `os.sched_setaffinity(parent, {0}); return True`,
	"leave the process group":        `os.setsid(); return True`,
	"become the administrator":       `os.setuid(0); return open("/etc/shadow").read() or True`,
	"become another user":            `os.setresuid(1, 1, 1); return os.getuid() == 1`,
	"use a set-user-ID program":      `out = subprocess.run(["su", "-c", "id"], capture_output=True, stdin=subprocess.DEVNULL).stdout; return b"uid=0" in out`,
	"mount":                          `return libc.mount(b"none", os.getcwd().encode(), b"tmpfs", 0, 0) == 0`,
	"bind the root elsewhere":        `os.mkdir("m"); return libc.mount(b"/", b"m", 0, 4096, 0) == 0`,
	"unmount":                        `return libc.umount2(b"/usr", 2) == 0`,
	"a new user namespace":           `return libc.unshare(0x10000000) == 0`,
	"a namespace by clone":           `return call(56 if os.uname().machine == "x86_64" else 220, 0x10000000 | 17, 0, 0, 0, 0)`,
	"chroot":                         `os.chroot("/usr"); return True`,
	"tell the kernel":                `open("/proc/sys/kernel/core_pattern", "w").write("x"); return True`,
	"write to the machine's trigger": `open("/proc/sysrq-trigger", "w").write("h"); return True`,
	"look at devices":                `return os.listdir("/sys/class")`,
	"open the terminal":              `return os.open("/dev/tty", os.O_RDWR)`,
	"make a device":                  `os.mknod("disk", 0o60600, os.makedev(8, 0)); return open("disk", "rb").read(1)`,
	"load a program into the kernel": `return call(321 if os.uname().machine == "x86_64" else 280, 0, 0, 0)`,
	"raise a limit":                  `resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096)); return True`,
	"open files without end": `
    held = []
    try:
        while True: held.append(os.open("/dev/null", 0))
    except OSError: return len(held) > 64`,
	"take 256 MiB": `x = b"x" * (1 << 28); return True`,
	"map a gigabyte for all": `m = mmap.mmap(-1, 1 << 30)
    for i in range(0, 1 << 30, 4096): m[i] = 1
    return True`,
	"one great file": `f = open("big", "wb"); f.seek(1 << 30); f.write(b"x"); f.flush(); return True`,
	"a thousand processes": `
    n = 0
    while n < 1000:
        try: pid = os.fork()
        except OSError: break
        if pid == 0:
            time.sleep(60); os._exit(0)
        n += 1
    return n > 100`,
	"a bomb": `
    while True:
        try: os.fork()
        except OSError: pass`,
	"sleep for ever": `time.sleep(600); return True`,
	"ignore the end": `
    for s in range(1, 32):
        try: signal.signal(s, signal.SIG_IGN)
        except OSError: pass
    time.sleep(600); return True`,
	"a daemon that stays": `
    if os.fork() == 0:
        try: os.setsid()
        except OSError: pass
        if os.fork() == 0:
            for n in range(3): os.close(n)
            time.sleep(600)
        os._exit(0)`,
	"talk without end": `
    while True: os.write(1, b"x" * 65536)`,
	"leave a core dump": `resource.setrlimit(resource.RLIMIT_CORE, (1 << 20, 1 << 20)); return True`,
	"crash":             `os.abort()`,
	"lock its folder":   `os.makedirs("a/b"); open("a/b/c", "w"); os.umask(0o777); os.mkdir("a/d"); return False`,
	"pretend by the loader's variables": `
    os.environ["LD_PRELOAD"] = outside + "/store.db"
    return b"secret" in subprocess.run(["/bin/true"], capture_output=True).stderr`,
	"have a shell read it": `
    return b"secret" in subprocess.run(["/bin/sh", "-c", '. "$1"', "sh", store], capture_output=True).stderr`,
	"execute a file elsewhere": `return subprocess.run([outside + "/tool"], capture_output=True).stdout`,
}

// endless are those that do not end by themselves and have to be ended.
var endless = []string{"a bomb", "sleep for ever", "ignore the end", "talk without end", "stop all processes"}

// harmless are probes that may be tried without a sandbox.
var harmless = []string{
	"read another user's file", "read the accounts", "list another folder", "climb by the parent", "read through a symbolic link",
	"read through a link within a link", "read its own parent's environment", "see the program's command line",
	"write another user's file", "make a file elsewhere", "make a file in /tmp", "close a file to its owner", "set a file's times",
	"watch a folder", "TCP to this machine", "UDP to this machine", "UDP without connecting", "listen for others", "netlink",
	"a socket in the file system", "an abstract socket", "a pair that is connected anew", "a pair that sends elsewhere",
	"memory without a name", "take 256 MiB", "one great file", "execute a file elsewhere",
}

// TestProbesGetOutWithoutASandbox keeps a probe from passing because it is
// broken itself.
func TestProbesGetOutWithoutASandbox(t *testing.T) {
	for _, name := range harmless {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			cmd := exec.Command("/usr/bin/python3", append([]string{"-c", program(name)}, w.args()...)...)
			cmd.Dir = t.TempDir()
			if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "ESCAPED") {
				t.Errorf("%s, %v", out, err)
			}
		})
	}
}

// program is a probe as a whole script.
func program(probe string) string {
	return prelude + "    " + strings.TrimSpace(probes[probe]) + "\n" + postlude
}

// probeFile has a name that no other test on this machine uses at the time, since
// what is left running is found by it.
var probeFile = fmt.Sprintf("scripts/probe-%d.py", os.Getpid())

// TestNoProbeEscapes runs each probe in each layer: none may get hold of
// anything, change anything, or leave anything running.
func TestNoProbeEscapes(t *testing.T) {
	onEachLayer(t, func(t *testing.T, sandbox string) {
		w := newWorld(t)
		l := limits()
		l.Memory = 128 << 20
		patient := runner(sandbox, l)
		l.Time = 700 * time.Millisecond
		brief := runner(sandbox, l)
		for name := range probes {
			r := patient
			if slices.Contains(endless, name) {
				r = brief
			}
			res := run(t, r, probeFile, program(name), w.args()...)
			if strings.Contains(res.Stdout, "ESCAPED") || strings.Contains(res.Stdout+res.Stderr, "secret") {
				t.Errorf("%s: %+v", name, res)
			}
			if slices.Contains(endless, name) && (res.End == script.Exited || len(res.Stdout) > l.Output) {
				t.Errorf("%s: %s with %d bytes", name, res.End, len(res.Stdout))
			}
			if strings.Contains(res.Stderr, "SyntaxError") || res.Stdout == "" && res.End == script.Exited && name != "crash" {
				t.Errorf("the probe %q is broken: %+v", name, res)
			}
			w.unharmed(t, name)
		}
		t.Logf("%d probes", len(probes))
	})
}

// world is what a script must not reach: files that anybody may use, as far as
// their modes go, sockets, and this process.
type world struct {
	dir, store, abstract string
	tcp, udp             int
	open                 *os.File // without close-on-exec
	contacts             chan string
	stat                 syscall.Stat_t
	priority             int
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir, err := os.MkdirTemp("", "outside-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	w := &world{dir: dir, store: filepath.Join(dir, "store.db"), abstract: filepath.Base(dir), contacts: make(chan string, 100)}
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Chmod(dir, 0o777))
	must(os.WriteFile(w.store, []byte("secret"), 0o666))
	must(os.Chmod(w.store, 0o666))
	must(os.WriteFile(filepath.Join(dir, "tool"), []byte("#!/bin/sh\necho secret\n"), 0o777))
	must(os.Chmod(filepath.Join(dir, "tool"), 0o777))
	if user := os.Getuid(); user == 0 {
		must(os.Chown(w.store, 65534, 65534)) // who scripts run as: nothing but the sandbox is in between
	}
	boxes, err := os.MkdirTemp("", "boxes-")
	must(err)
	t.Cleanup(func() { os.RemoveAll(boxes) })
	must(os.Chmod(boxes, 0o755))
	t.Setenv("TMPDIR", boxes)
	t.Setenv("TALARIA_ADAPTERS_TELEGRAM_TOKEN", "secret")
	for _, l := range []struct{ network, address string }{
		{"tcp", "127.0.0.1:0"}, {"unix", filepath.Join(dir, "sock")}, {"unix", "@" + w.abstract},
	} {
		w.listen(t, l.network, l.address)
	}
	must(os.Chmod(filepath.Join(dir, "sock"), 0o777))
	w.receive(t, "udp", "127.0.0.1:0")
	w.receive(t, "unixgram", "@"+w.abstract+"-d")
	w.open, err = os.Open(w.store)
	must(err)
	t.Cleanup(func() { w.open.Close() })
	must(syscall.Stat(w.store, &w.stat))
	w.priority, err = syscall.Getpriority(syscall.PRIO_PROCESS, 0)
	must(err)
	return w
}

func (w *world) listen(t *testing.T, network, address string) {
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	if a, ok := l.Addr().(*net.TCPAddr); ok {
		w.tcp = a.Port
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			w.contacts <- network
			c.Close()
		}
	}()
	t.Cleanup(func() { l.Close(); <-done })
}

func (w *world) receive(t *testing.T, network, address string) {
	c, err := net.ListenPacket(network, address)
	if err != nil {
		t.Fatal(err)
	}
	if a, ok := c.LocalAddr().(*net.UDPAddr); ok {
		w.udp = a.Port
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for buffer := make([]byte, 16); ; {
			if _, _, err := c.ReadFrom(buffer); err != nil {
				return
			}
			w.contacts <- network
		}
	}()
	t.Cleanup(func() { c.Close(); <-done })
}

func (w *world) args() []string {
	return []string{
		w.dir, w.store, strconv.Itoa(w.tcp), strconv.Itoa(w.udp), strconv.Itoa(os.Getpid()), w.abstract, strconv.Itoa(int(w.open.Fd())),
	}
}

// unharmed asserts that a probe has changed nothing and left nothing.
func (w *world) unharmed(t *testing.T, probe string) {
	t.Helper()
	select {
	case network := <-w.contacts:
		t.Errorf("%s: something came by %s", probe, network)
	default:
	}
	var st syscall.Stat_t
	if err := syscall.Stat(w.store, &st); err != nil || st.Mode != w.stat.Mode || st.Mtim != w.stat.Mtim || st.Uid != w.stat.Uid || st.Size != 6 || st.Nlink != 1 {
		t.Errorf("%s: the store is another: %+v, %v", probe, st, err)
	}
	entries, err := os.ReadDir(w.dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("%s: the folder outside holds %v, %v", probe, entries, err)
	}
	if p, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0); err != nil || p != w.priority {
		t.Errorf("%s: this process has the priority %d, %v", probe, p, err)
	}
	if left := leftOvers(t); len(left) > 0 {
		t.Errorf("%s: left running: %v", probe, left)
	}
	if boxes, _ := filepath.Glob(filepath.Join(os.TempDir(), "talaria-script-*")); len(boxes) > 0 {
		t.Errorf("%s: left lying: %v", probe, boxes)
	}
}

// leftOvers are the processes that still run a probe. One that was killed may
// take a moment to vanish, so the kernel is asked until it has: a process that
// lives is found every time.
func leftOvers(t *testing.T) []string {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; {
		var found []string
		files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
		for _, file := range files {
			if text, _ := os.ReadFile(file); bytes.Contains(text, []byte("\x00"+probeFile+"\x00")) {
				found = append(found, fmt.Sprintf("%s %q", file, text[:min(len(text), 60)]))
			}
		}
		if len(found) == 0 || time.Now().After(deadline) {
			return found
		}
	}
}
