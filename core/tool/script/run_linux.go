//go:build amd64 || arm64

package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// nobody is the user and group that scripts run as where the program is root.
const nobody = 65534

func runsAs() (user int, other bool) {
	if os.Getuid() == 0 {
		return nobody, true
	}
	return os.Getuid(), false
}

// order is what the program tells the process that becomes the script.
type order struct {
	Layer  Layer    `json:"layer"`
	Bwrap  string   `json:"bwrap,omitempty"` // path of the program
	Dir    string   `json:"dir"`
	Argv   []string `json:"argv"`
	Limits Limits   `json:"limits"`
	// Tasks are those that the user has already: the kernel's limit is on all
	// of a user's together.
	Tasks int `json:"tasks"`
}

// start runs a command in the folder and waits until all of it is gone.
func (r *Runner) start(ctx context.Context, layer Layer, dir string, argv []string) (Result, error) {
	o, err := r.order(layer, dir, argv)
	if err != nil {
		return Result{}, err
	}
	text, err := json.Marshal(o)
	if err != nil {
		return Result{}, fmt.Errorf("write a script's order: %w", err)
	}
	failure, tell, err := os.Pipe()
	if err != nil {
		return Result{}, fmt.Errorf("make a pipe: %w", err)
	}
	defer failure.Close()
	out, errs := &capped{most: r.config.Limits.Output}, &capped{most: r.config.Limits.Output}
	cmd := exec.Command("/proc/self/exe", Command, string(text))
	cmd.Args[0] = "talaria"
	cmd.Env, cmd.Dir = environment(dir), dir
	cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = out, errs, []*os.File{tell}
	cmd.WaitDelay = 2 * time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: unix.SIGKILL}
	if user, other := runsAs(); other {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(user), Gid: uint32(user)}
	}
	// The death of a parent is that of the thread which started the child.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	began := time.Now()
	err = cmd.Start()
	tell.Close()
	if err != nil {
		return Result{}, fmt.Errorf("start a script's process: %w", err)
	}
	end, werr := r.supervise(ctx, cmd, dir)
	if why, err := io.ReadAll(io.LimitReader(failure, 4<<10)); err != nil || len(why) > 0 {
		return Result{}, errors.Join(fmt.Errorf("enter the sandbox: %s", clean(why)), err)
	}
	res := Result{
		End: end, Code: code(cmd.ProcessState), Stdout: clean(out.kept), Stderr: clean(errs.kept),
		Truncated: out.more || errs.more, Took: time.Since(began),
	}
	return res, werr
}

func (r *Runner) order(layer Layer, dir string, argv []string) (order, error) {
	o := order{Layer: layer, Dir: dir, Argv: argv, Limits: r.config.Limits}
	var err error
	if layer == Bubblewrap {
		if o.Bwrap, err = exec.LookPath("bwrap"); err != nil {
			return o, errors.New("the program bwrap is not installed")
		}
	}
	user, _ := runsAs()
	o.Tasks, err = tasksOf(user)
	return o, err
}

// watchEvery is how often a run is measured.
const watchEvery = 50 * time.Millisecond

// supervise waits for the end of a run, which may be too much of something or
// that of ctx, and kills whatever is left. The error is ctx's.
func (r *Runner) supervise(ctx context.Context, cmd *exec.Cmd, dir string) (End, error) {
	limited, cancel := context.WithTimeout(ctx, r.config.Limits.Time)
	defer cancel()
	exited := make(chan struct{})
	go func() {
		defer close(exited)
		awaitExit(cmd.Process.Pid)
	}()
	end := r.watch(limited, exited, cmd.Process.Pid, dir)
	// The leader is not reaped yet, so its number still stands for this group.
	_ = unix.Kill(-cmd.Process.Pid, unix.SIGKILL) // ESRCH: nobody is left
	<-exited
	werr := cmd.Wait()
	if ctx.Err() != nil {
		return end, fmt.Errorf("run a script: %w", context.Cause(ctx))
	}
	if _, failed := errors.AsType[*exec.ExitError](werr); werr != nil && !failed && !errors.Is(werr, exec.ErrWaitDelay) {
		return end, fmt.Errorf("wait for a script: %w", werr)
	}
	return end, nil
}

// awaitExit returns when the process has ended, and leaves it to be reaped.
func awaitExit(pid int) {
	for unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
}

func (r *Runner) watch(ctx context.Context, exited <-chan struct{}, group int, dir string) End {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-exited:
			return Exited
		case <-ctx.Done():
			return OutOfTime
		case <-tick.C:
			if end := r.config.Limits.exceeded(measure(group), occupied(dir)); end != "" {
				return end
			}
		}
	}
}

// exceeded is the limit that a run is beyond, empty for none.
func (l Limits) exceeded(u usage, disk int64) End {
	switch {
	case u.memory > l.Memory:
		return OutOfRoom
	case u.cpu > l.CPU:
		return OutOfCPU
	case u.tasks > l.Processes+ownTasks:
		return TooMany
	case disk > l.Disk:
		return OutOfSpace
	}
	return ""
}

// ownTasks is room for the processes of the sandbox itself, and for the threads
// of this program before it becomes the script.
const ownTasks = 16

// code is the exit status as shells have it.
func code(s *os.ProcessState) int {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return s.ExitCode()
}

// probeTime is the least that a probe may take. That a machine is busy, or that
// scripts may take little time, says nothing of whether a layer holds.
const probeTime = 20 * time.Second

// probe tries a layer for real: the script must start, and must not be able to
// read a file that everybody else can.
func (r *Runner) probe(ctx context.Context, layer Layer) error {
	outside, err := os.MkdirTemp("", "talaria-probe-")
	if err != nil {
		return fmt.Errorf("make a folder to try: %w", err)
	}
	defer os.RemoveAll(outside)
	secret := outside + "/secret"
	if err := errors.Join(os.WriteFile(secret, []byte("seen\n"), 0o644), os.Chmod(outside, 0o755)); err != nil {
		return fmt.Errorf("make a file to try: %w", err)
	}
	patient := New(r.config)
	patient.config.Limits.Time = max(patient.config.Limits.Time, probeTime)
	patient.config.Limits.CPU = max(patient.config.Limits.CPU, probeTime)
	res, err := patient.inBox(ctx, layer, nil, []string{"/bin/sh", "-c", `while read -r line; do echo "$line"; done <"$1" 2>/dev/null; echo started`, "sh", secret})
	switch {
	case err != nil:
		return err
	case strings.Contains(res.Stdout, "seen"):
		return errors.New("it starts, but a file outside could be read")
	case res.Stdout != "started\n":
		return fmt.Errorf("it does not start (%s, status %d): %s", res.End, res.Code, strings.TrimSpace(res.Stderr))
	}
	return nil
}
