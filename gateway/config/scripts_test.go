package config_test

import (
	"strings"
	"testing"

	"talaria/gateway/config"
)

func TestLimitsOfScriptsMakeSense(t *testing.T) {
	for _, line := range []string{
		`sandbox = "none"`, `max_duration = "0s"`, `max_duration = "11m"`, `max_cpu = "500ms"`, `max_memory_mb = 8`,
		`max_disk_mb = 0`, `max_processes = 0`, `max_open_files = 3`, `max_output_kb = 0`,
	} {
		key, _, _ := strings.Cut(line, " ")
		_, _, err := config.Parse("config.toml", []byte("[tools.scripts]\n"+line+"\n"))
		if err == nil || !strings.Contains(err.Error(), "tools.scripts."+key) {
			t.Errorf("%s: %v", line, err)
		}
	}
}
