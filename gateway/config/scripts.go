package config

import (
	"fmt"
	"time"
)

// maxScript is the longest that a script may be allowed to run: a turn waits
// for it.
const maxScript = 10 * time.Minute

func (l *loader) checkScripts() {
	s := l.cfg.Tools.Scripts
	const at = "tools.scripts"
	l.oneOf(at+".sandbox", s.Sandbox, "auto", "bwrap", "landlock")
	for _, d := range []struct {
		key   string
		value Duration
	}{{".max_duration", s.MaxDuration}, {".max_cpu", s.MaxCPU}} {
		if d.value.Duration < time.Second || d.value.Duration > maxScript {
			l.bad(at+d.key, fmt.Sprintf("%s is not between 1s and %s", d.value, maxScript), "set it within")
		}
	}
	l.atLeast(64, at+".max_memory_mb", s.MaxMemoryMB)
	l.atLeast(1, at+".max_disk_mb", s.MaxDiskMB)
	l.atLeast(1, at+".max_processes", s.MaxProcesses)
	l.atLeast(16, at+".max_open_files", s.MaxOpenFiles)
	l.atLeast(1, at+".max_output_kb", s.MaxOutputKB)
}
