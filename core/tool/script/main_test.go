package script_test

import (
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/landlock-lsm/go-landlock/landlock/syscall"
	"go.uber.org/goleak"

	"talaria/core/skill/manifest"
	"talaria/core/tool/script"
)

// TestMain plays the program: it becomes a script where it is asked to.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == script.Command {
		fmt.Fprintln(os.Stderr, script.Enter(os.Args[2:]))
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

func limits() script.Limits {
	return script.Limits{
		Time: 5 * time.Minute, CPU: 10 * time.Second, Memory: 256 << 20, Processes: 24, Files: 64, Disk: 8 << 20, Output: 16 << 10,
	}
}

func runner(sandbox string, l script.Limits) *script.Runner {
	return script.New(script.Config{Enabled: true, Sandbox: sandbox, Limits: l, Log: slog.New(slog.DiscardHandler)})
}

// there reports whether this machine has what a layer needs, found out without
// the runner.
func there(l script.Layer) bool {
	if l == script.Landlock {
		abi, err := syscall.LandlockGetABIVersion()
		return err == nil && abi >= 6
	}
	return exec.Command("bwrap", "--unshare-all", "--ro-bind", "/", "/", "/bin/true").Run() == nil
}

// onEachLayer runs a test in each layer. One that is not on this machine has to
// refuse, which is tested in its place.
func onEachLayer(t *testing.T, test func(t *testing.T, sandbox string)) {
	for _, layer := range []script.Layer{script.Bubblewrap, script.Landlock} {
		t.Run(string(layer), func(t *testing.T) {
			if there(layer) {
				test(t, string(layer))
				return
			}
			refuses(t, string(layer))
		})
	}
}

func skillOf(name, text string) manifest.Bundle {
	return manifest.Bundle{manifest.MainFile: []byte("---\nname: x\ndescription: x\n---\n"), name: []byte(text)}
}

// run runs one script to its end.
func run(t *testing.T, r *script.Runner, name, text string, args ...string) script.Result {
	t.Helper()
	res, err := r.Run(t.Context(), script.Job{Files: skillOf(name, text), Script: name, Args: args})
	if err != nil {
		t.Fatal(err)
	}
	return res
}
