package app

import (
	"log/slog"

	"talaria/core/tool"
	"talaria/core/tool/script"
	"talaria/gateway/config"
)

// Scripts makes the runner of skills' scripts. It starts nothing yet.
func Scripts(c config.Scripts, log *slog.Logger) *script.Runner {
	const kilo, mega = 1 << 10, 1 << 20
	return script.New(script.Config{Enabled: c.Enabled, Sandbox: c.Sandbox, Log: log, Limits: script.Limits{
		Time: c.MaxDuration.Duration, CPU: c.MaxCPU.Duration, Memory: int64(c.MaxMemoryMB) * mega, Disk: int64(c.MaxDiskMB) * mega,
		Processes: c.MaxProcesses, Files: c.MaxOpenFiles, Output: c.MaxOutputKB * kilo,
	}})
}

// listedScripts stands for a turn's scripts where its tools are listed and not
// called; nil where scripts are off.
func listedScripts(r *script.Runner) tool.Scripts {
	if !r.Enabled() {
		return nil
	}
	return struct{ tool.Scripts }{}
}
