//go:build unix

package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"talaria/storage"
	"talaria/storage/sqlite"
)

// children are what the test binary does as a child of a test, by the
// environment variable that names the store.
func children() map[string]func(path string) error {
	return map[string]func(string) error{crashEnv: writeUntilKilled, limitEnv: writeUntilLimit}
}

// limitEnv names the store on which the test binary, run as a child, writes
// under a limit on the size of its files, until that is met.
const limitEnv = "TALARIA_TEST_LIMIT_STORE"

// writeUntilLimit prints how many batches were acknowledged and the error.
func writeUntilLimit(path string) error {
	ctx := context.Background()
	d, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return err
	}
	limit := syscall.Rlimit{Cur: 1 << 20, Max: 1 << 20}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	for n := 0; ; n++ {
		_, err := d.Apply(ctx, storage.Ops{Partition: shard, Durable: n%2 == 0, Ops: []storage.Op{
			{Append: &storage.AppendOp{Log: "l", Values: [][]byte{make([]byte, 3000)}}}}})
		if err != nil {
			fmt.Println(n, errors.Is(err, storage.ErrUnavailable), strings.Contains(err.Error(), path))
			return nil
		}
	}
}

func TestFileThatMayGrowNoFurtherKeepsWhatIsAcknowledged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), limitEnv+"="+path)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var acknowledged int
	var unavailable, named bool
	if _, err := fmt.Sscan(string(out), &acknowledged, &unavailable, &named); err != nil {
		t.Fatalf("%q: %v", out, err)
	}
	if acknowledged < 10 || !unavailable || !named {
		t.Errorf("%d acknowledged, then unavailable: %t, with the file's name: %t", acknowledged, unavailable, named)
	}
	d := open(t, path, sqlite.Options{})
	entries, err := d.ReadLog(t.Context(), shard, "l", 0, 10000)
	if err != nil || len(entries) != acknowledged {
		t.Errorf("%d acknowledged, %d kept, %v", acknowledged, len(entries), err)
	}
	if findings, err := d.Check(t.Context()); len(findings) > 0 || err != nil {
		t.Error(findings, err)
	}
}
