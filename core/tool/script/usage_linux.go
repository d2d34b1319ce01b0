//go:build amd64 || arm64

package script

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// usage is what a process group takes.
type usage struct {
	memory int64 // bytes that are its alone
	cpu    time.Duration
	tasks  int
}

// userHZ is the unit of processor time in /proc: 100 a second on these
// architectures, whatever the kernel's own clock.
const userHZ = 100

// measure adds up a process group. Who ends meanwhile counts for nothing.
func measure(group int) usage {
	var u usage
	for _, pid := range processes() {
		stat := statOf(pid)
		if len(stat) < 16 || stat[2] != strconv.Itoa(group) {
			continue
		}
		for _, ticks := range stat[11:15] { // its own and those of children it waited for
			n, _ := strconv.ParseInt(ticks, 10, 64)
			u.cpu += time.Duration(n) * time.Second / userHZ
		}
		status := statusOf(pid)
		u.tasks += int(status["Threads"])
		u.memory += (status["RssAnon"] + status["RssShmem"]) << 10
	}
	return u
}

// statOf are the fields of /proc/PID/stat from the state on, which is the third
// of proc(5). The name before it may hold anything.
func statOf(pid string) []string {
	data, _ := os.ReadFile("/proc/" + pid + "/stat")
	return strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
}

// statusOf are the numbers of /proc/PID/status, the first one of each line.
func statusOf(pid string) map[string]int64 {
	data, _ := os.ReadFile("/proc/" + pid + "/status")
	out := map[string]int64{}
	for line := range strings.Lines(string(data)) {
		name, value, _ := strings.Cut(line, ":")
		if fields := strings.Fields(value); len(fields) > 0 {
			if n, err := strconv.ParseInt(fields[0], 10, 64); err == nil {
				out[name] = n
			}
		}
	}
	return out
}

func processes() []string {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	return names // those that are no numbers have no stat
}

// tasksOf counts the threads of a user, as the kernel's limit does.
func tasksOf(user int) (int, error) {
	names := processes()
	if names == nil {
		return 0, errors.New("count processes: /proc can't be read")
	}
	n := 0
	for _, pid := range names {
		if status := statusOf(pid); status["Pid"] != 0 && status["Uid"] == int64(user) {
			n += int(status["Threads"])
		}
	}
	return n, nil
}

// occupied is what lies in a folder, in bytes on the disk. A folder that the
// script has closed to us counts as full.
func occupied(dir string) int64 {
	var sum int64
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("look into %s: %w", file, err)
		}
		if info, err := d.Info(); err == nil {
			if st, ok := info.Sys().(*syscall.Stat_t); ok {
				sum += st.Blocks * 512
			}
		}
		return nil
	})
	if err != nil {
		return math.MaxInt64
	}
	return sum
}
